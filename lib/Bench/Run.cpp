//===- Run.cpp - Check and time a case ------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The case is compiled twice: by the strategy, planes in and planes out as its
// kernel wants them, and by the reference, from the floats that they stand for.
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "Limit.h"
#include "bquant/Compiler/Program.h"
#include "bquant/Compiler/Report.h"
#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <chrono>
#include <cmath>
#include <random>

using namespace bquant;
using namespace bquant::bench;

namespace {
/// A program with arrays to call it on.
struct Callable {
  std::unique_ptr<Program> program;
  const FunctionInfo *function = nullptr;
  std::vector<std::vector<uint32_t>> inputs, outputs;
  std::unique_ptr<void, decltype(&std::free)> arena{nullptr, &std::free};
  int threads = 1;

  llvm::Error call() {
    llvm::SmallVector<const void *> in;
    llvm::SmallVector<void *> out;
    for (auto &array : inputs)
      in.push_back(array.data());
    for (auto &array : outputs)
      out.push_back(array.data());
    int32_t code = function->entry(in.data(), out.data(), arena.get(), threads);
    if (code != 0)
      return llvm::createStringError(explainCode(code));
    return llvm::Error::success();
  }
};

/// The values of a tensor, element by element along the last dimension.
struct Values {
  const Planes &planes;
  int64_t channels;
  LayoutAttrInterface layout;

  size_t getNumPlanes() const { return planes.countTensors(layout); }
  /// The largest code.
  int64_t getLevels() const {
    return planes.hasOneScalar()
               ? planes.ternary ? 2 : (int64_t(1) << planes.count) - 1
               : 0;
  }

  /// The byte of the planes that element `i` is in, and the bit of it.
  std::pair<int64_t, int64_t> getPlace(int64_t i) const {
    int64_t row = i / channels, c = i % channels;
    if (mlir::isa<WordsLayoutAttr>(layout))
      return {row * llvm::divideCeil(channels, kWordBits) * 4 + c / 8, c % 8};
    if (mlir::isa<packed::OctetsLayoutAttr>(layout))
      return {row * llvm::divideCeil(channels, 8) + c / 8, c % 8};
    return {row * llvm::divideCeil(channels, 4) + c / 4, 2 + c % 4};
  }

  /// The byte that the code of element `i` is in.
  int64_t getCodePlace(int64_t i) const {
    return i / channels * llvm::alignTo(channels, 4) + i % channels;
  }

  /// Random values, the same in every layout; bits that are not used are 0.
  void fill(llvm::MutableArrayRef<std::vector<uint32_t>> data, int64_t elements,
            std::mt19937 &random) const {
    for (std::vector<uint32_t> &plane : data)
      llvm::fill(plane, 0);
    // Of ternary mask and sign, which is 0 where the mask is.
    size_t count = planes.ternary ? 2 : planes.count;
    llvm::SmallVector<int64_t> ratios = planes.getRatios();
    if (ratios.empty())
      ratios.assign(count, 1);
    std::vector<uint8_t> bits(count);
    for (int64_t i = 0; i < elements; ++i) {
      for (uint8_t &bit : bits)
        bit = random() >> 31;
      if (planes.ternary)
        bits[1] &= bits[0];
      if (mlir::isa<CodesLayoutAttr>(layout)) {
        int64_t code = planes.ternary && !bits[0] ? 1 : 0;
        for (size_t p = planes.ternary ? 1 : 0; p < count; ++p)
          code += bits[p] * (planes.ternary ? 2 : ratios[p]);
        reinterpret_cast<uint8_t *>(data[0].data())[getCodePlace(i)] = code;
        continue;
      }
      auto [byte, bit] = getPlace(i);
      for (auto [plane, value] : llvm::zip_equal(data, bits))
        reinterpret_cast<uint8_t *>(plane.data())[byte] |= value << bit;
    }
  }

  /// The value of element `i` of the planes (mask and sign: ternary).
  float decode(llvm::ArrayRef<std::vector<uint32_t>> data, int64_t i) const {
    std::vector<float> scalars = planes.getScalars();
    if (mlir::isa<CodesLayoutAttr>(layout)) {
      auto *bytes = reinterpret_cast<const uint8_t *>(data[0].data());
      return float(2 * bytes[getCodePlace(i)] - getLevels()) * scalars[0];
    }
    auto place = getPlace(i);
    auto bit = [&](unsigned plane) {
      auto *bytes = reinterpret_cast<const uint8_t *>(data[plane].data());
      return bytes[place.first] >> place.second & 1;
    };
    if (planes.ternary)
      return bit(0) ? (bit(1) ? 2.0f : -2.0f) * scalars[0] : 0.0f;
    float sum = 0;
    if (planes.uniform) {
      for (auto [plane, ratio] : llvm::enumerate(planes.getRatios()))
        sum += float(bit(plane) ? ratio : -ratio);
      return sum * scalars[0];
    }
    for (auto [plane, scalar] : llvm::enumerate(scalars))
      sum += bit(plane) ? scalar : -scalar;
    return sum;
  }
};
} // namespace

static llvm::Expected<Callable>
compile(const Case &c, const RunOptions &options, Strategy strategy,
        mlir::MLIRContext *context, LayoutAttrInterface layout,
        mlir::Attribute kernel = {}) {
  mlir::OwningOpRef<mlir::ModuleOp> module =
      buildCase(c, context, layout, kernel);
  CompileOptions how = options.compile;
  how.strategy = strategy;
  auto program = Program::compile(*module, how);
  if (!program)
    return program.takeError();
  auto function = (*program)->find(kFunction);
  if (!function)
    return function.takeError();
  if (!(*function)->supported())
    return llvm::createStringError("expected a CPU with the features of "
                                   "strategy " +
                                   stringify(strategy));
  Callable callable;
  callable.program = std::move(*program);
  callable.function = *function;
  callable.threads = how.threads;
  for (const ArrayInfo &info : callable.function->inputs)
    callable.inputs.emplace_back(info.numElements());
  for (const ArrayInfo &info : callable.function->outputs)
    callable.outputs.emplace_back(info.numElements());
  size_t bytes = callable.function->arenaBytes(how.threads);
  callable.arena.reset(std::aligned_alloc(64, llvm::alignTo(bytes + 1, 64)));
  return std::move(callable);
}

/// Random planes for `fast`, and what they stand for for `reference`.
static void fillInputs(const Case &c, Callable &fast,
                       LayoutAttrInterface layout, Callable &reference) {
  std::mt19937 random(7);
  Values values{c.activations, c.input[3], layout};
  size_t planes = values.getNumPlanes();
  values.fill(llvm::MutableArrayRef(fast.inputs).take_front(planes),
              reference.inputs[0].size(), random);
  auto store = [](std::vector<uint32_t> &array, int64_t i, float value) {
    std::memcpy(&array[i], &value, sizeof(value));
  };
  for (int64_t i = 0, e = reference.inputs[0].size(); i < e; ++i)
    store(reference.inputs[0], i, values.decode(fast.inputs, i));
  if (c.epilogue != Epilogue::Shortcut)
    return;
  std::uniform_real_distribution<float> shortcut(-2.0f, 2.0f);
  for (int64_t i = 0, e = fast.inputs.back().size(); i < e; ++i) {
    store(fast.inputs.back(), i, shortcut(random));
    reference.inputs.back()[i] = fast.inputs.back()[i];
  }
}

/// Whether both wrote the same: numbers bit for bit, planes by what they stand
/// for.
static bool sameOutputs(const Case &c, const Callable &fast,
                        LayoutAttrInterface layout, const Callable &reference) {
  bool planes =
      c.epilogue == Epilogue::Threshold || c.epilogue == Epilogue::Shortcut;
  if (c.epilogue != Epilogue::Threshold &&
      fast.outputs[0] != reference.outputs[0])
    return false;
  if (!planes)
    return true;
  Planes one;
  Values values{c.epilogue == Epilogue::Threshold ? one : c.activations,
                c.filter[0], layout};
  auto data = llvm::ArrayRef(fast.outputs).take_back(values.getNumPlanes());
  const std::vector<uint32_t> &expected = reference.outputs.back();
  for (int64_t i = 0, e = expected.size(); i < e; ++i) {
    float value;
    std::memcpy(&value, &expected[i], sizeof(value));
    if (values.decode(data, i) != value)
      return false;
  }
  return true;
}

static double getMedian(std::vector<double> &values) {
  llvm::sort(values);
  return values[values.size() / 2];
}

namespace {
/// A case by one strategy.
struct Entry {
  Callable fast;
  LayoutAttrInterface layout;
  std::unique_ptr<BareLoop> limit;
  /// Of the case's, that one of the limit's stands for.
  double macs;
  Measurement result;
  /// Of the calls of a turn.
  std::vector<double> seconds, limits, shares;

  llvm::Error time(const Case &c) {
    double before = limit->measureMacs();
    auto start = std::chrono::steady_clock::now();
    if (llvm::Error error = fast.call())
      return error;
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    // The loop runs on one thread.
    double around = macs * fast.threads * (before + limit->measureMacs()) / 2;
    seconds.push_back(time.count());
    limits.push_back(around);
    shares.push_back(c.getMacs() / time.count() / around);
    return llvm::Error::success();
  }

  Measurement endTurn() {
    result.ofLimit = getMedian(shares);
    result.limitMacsPerSecond = getMedian(limits);
    result.secondsMedian = getMedian(seconds);
    result.secondsMin = seconds.front();
    for (auto *values : {&seconds, &limits, &shares})
      values->clear();
    return result;
  }
};
} // namespace

static llvm::Expected<Entry> prepare(const Case &c, Strategy requested,
                                     const Target &target,
                                     const RunOptions &options,
                                     mlir::MLIRContext *context) {
  // The kernel of the product, as it was chosen.
  std::string strategy = stringify(requested).str(), kernel;
  context->loadDialect<packed::PackedDialect>();
  LayoutAttrInterface layout = WordsLayoutAttr::get(context);
  bool isReference = requested == Strategy::Reference;
  auto fast = compile(c, options, requested, context,
                      isReference ? LayoutAttrInterface() : layout);
  if (!fast)
    return fast.takeError();
  llvm::Expected<Reports> reports = fast->program->readReport();
  if (!reports)
    return reports.takeError();
  for (const Report::Layer &facts : reports->get().front()->getLayers()) {
    if (facts.kernel.empty())
      continue;
    strategy = llvm::StringRef(facts.kernel).split('<').first.str();
    kernel = facts.kernel;
    layout = mlir::cast<KernelAttrInterface>(
                 mlir::parseAttribute("#bquant_packed." + kernel, context))
                 .getLayout();
  }
  // As a network would: whoever writes the input writes it as the kernel wants.
  if (layout && !mlir::isa<WordsLayoutAttr>(layout))
    fast = compile(c, options, Strategy::Auto, context, layout,
                   mlir::parseAttribute("#bquant_packed." + kernel, context));
  if (!fast)
    return fast.takeError();
  // A product of bytes is one of all planes.
  double macs = 1;
  std::string loop = isReference ? "scalar" : strategy;
  if (strategy == "bytes") {
    auto attr = mlir::cast<packed::BytesAttr>(
        mlir::parseAttribute("#bquant_packed." + kernel, context));
    if (attr.getSummed() == 1)
      loop = "wide-bytes";
    macs = c.getPairs();
  }
  llvm::Expected<KernelAttrInterface> tile =
      getLimitKernel(loop, target, context);
  if (!tile)
    return tile.takeError();
  auto limit = BareLoop::create(*tile, target);
  if (!limit)
    return limit.takeError();
  Entry entry{
      std::move(*fast), layout, std::move(*limit), macs, {}, {}, {}, {}};
  entry.result.requested = requested;
  entry.result.strategy = strategy;
  entry.result.usefulShare =
      c.getUsefulShare(tile->getLanes(), getPositions(*tile));
  return std::move(entry);
}

/// Compares what each strategy computes with what the reference does.
static llvm::Error check(const Case &c, const RunOptions &options,
                         llvm::MutableArrayRef<Entry> entries,
                         mlir::MLIRContext *context) {
  auto reference =
      compile(c, options, Strategy::Reference, context, /*layout=*/{});
  if (!reference)
    return reference.takeError();
  for (Entry &entry : entries) {
    fillInputs(c, entry.fast, entry.layout, *reference);
    if (llvm::Error error = entry.fast.call())
      return error;
  }
  if (llvm::Error error = reference->call())
    return error;
  for (Entry &entry : entries)
    entry.result.checked = sameOutputs(c, entry.fast, entry.layout, *reference);
  return llvm::Error::success();
}

llvm::Expected<std::vector<Measurement>>
bench::run(const Case &c, llvm::ArrayRef<Strategy> strategies,
           const RunOptions &options, mlir::MLIRContext *context) {
  llvm::Expected<Target> target = resolveTarget(options.compile.target);
  if (!target)
    return target.takeError();
  std::vector<Entry> entries;
  for (Strategy strategy : strategies) {
    // One of several may serve nothing of the case.
    std::string message;
    mlir::ScopedDiagnosticHandler handler(
        context, [&](mlir::Diagnostic &diagnostic) {
          message = diagnostic.str();
          return mlir::success(strategies.size() > 1);
        });
    auto entry = prepare(c, strategy, *target, options, context);
    if (!entry && strategies.size() > 1 && strategy != Strategy::Auto &&
        llvm::StringRef(message).contains("serves none")) {
      llvm::consumeError(entry.takeError());
      continue;
    }
    if (!entry) {
      if (message.empty() || strategies.size() == 1)
        return entry.takeError();
      llvm::consumeError(entry.takeError());
      return llvm::createStringError(message);
    }
    entries.push_back(std::move(*entry));
  }
  if (strategies != llvm::ArrayRef(Strategy::Reference))
    if (llvm::Error error = check(c, options, entries, context))
      return std::move(error);

  // The better of two runs, each with the limit around every call: one for all
  // entries, since times of different runs do not compare.
  std::vector<Measurement> best;
  double largest = 0;
  for (int turn = 0; turn < 2; ++turn) {
    for (int i = 0; i < options.calls; ++i)
      for (Entry &entry : entries)
        if (llvm::Error error = entry.time(c))
          return std::move(error);
    std::vector<Measurement> results;
    double shares = 0;
    for (Entry &entry : entries)
      shares += results.emplace_back(entry.endTurn()).ofLimit;
    if (best.empty() || shares > largest) {
      best = std::move(results);
      largest = shares;
    }
  }
  return best;
}
