//===- Main.cpp - How fast convolutions are -------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One JSON line a case: its time, the limit of its strategy, measured around
// each call, and whether its outputs equal the reference's; or the times of all
// strategies. Or the costs of kernels' steps, which choosing between them
// needs, or what the machine can do at best.
//
//===----------------------------------------------------------------------===//

#include "Main.h"
#include "CostTable.h"
#include "Limit.h"
#include "MachineLimits.h"
#include "Run.h"
#include "Sets.h"
#include "Tools/CompileFlags.h"
#include "bquant/Target/TargetDescription.h"
#include "llvm/Support/JSON.h"

namespace cl = llvm::cl;
using namespace bquant;
using namespace bquant::bench;

namespace {
struct Options : CompileFlags {
  cl::opt<std::string> conv{
      "conv", cl::desc("Shapes of the input and of the filter"),
      cl::value_desc("NxHxWxC,OxHxWxC"), cl::cat(category)};
  cl::opt<std::string> pads{"pads", cl::init("0,0,0,0"),
                            cl::desc("Top, bottom, left, right"),
                            cl::cat(category)};
  cl::opt<std::string> strides{"strides", cl::init("1,1"),
                               cl::desc("Vertical, horizontal"),
                               cl::cat(category)};
  cl::opt<std::string> dilations{"dilations", cl::init("1,1"),
                                 cl::desc("Vertical, horizontal"),
                                 cl::cat(category)};
  cl::opt<int64_t> groups{"groups", cl::init(1), cl::desc("Groups of channels"),
                          cl::cat(category)};
  cl::opt<int64_t> padValue{
      "pad-value", cl::init(0),
      cl::desc("What padding holds: 0, or 1 for one plane"), cl::cat(category)};
  cl::opt<std::string> planes{
      "planes", cl::init("1x1"),
      cl::desc("Planes of activations and weights, each 1 to 4, u2 to u8 or "
               "T"),
      cl::value_desc("AxW"), cl::cat(category)};
  cl::opt<Epilogue> epilogue{
      "epilogue", cl::init(Epilogue::I32), cl::desc("What follows the product"),
      cl::values(
          clEnumValN(Epilogue::I32, "i32", "nothing: the i32 dot products"),
          clEnumValN(Epilogue::F32, "f32", "scale, bias, PReLU; f32 out"),
          clEnumValN(Epilogue::Threshold, "threshold",
                     "a threshold a channel; words out"),
          clEnumValN(Epilogue::Shortcut, "shortcut",
                     "scale, a float shortcut; f32 and words out")),
      cl::cat(category)};
  cl::opt<std::string> set{"set", cl::desc("Cases by name: resnet18, corners"),
                           cl::cat(category)};
  cl::opt<bool> compare{"compare",
                        cl::desc("Measure all strategies of the target, and "
                                 "auto beside them"),
                        cl::cat(category)};
  cl::opt<bool> costTable{
      "cost-table",
      cl::desc("Measure what the steps of kernels cost on this machine"),
      cl::cat(category)};
  cl::opt<bool> limits{"limits",
                       cl::desc("Measure the bare loops of kernels, and how "
                                "fast bytes are read, on one thread"),
                       cl::cat(category)};
  cl::opt<std::string> limitCode{
      "limit-code",
      cl::desc("Print the assembly of a kernel's limit: popcount, table, "
               "bytes, wide-bytes, scalar, fma, sum_table, "
               "bf16, octets, depthwise"),
      cl::value_desc("kernel"), cl::cat(category)};
  cl::opt<int> calls{"calls", cl::init(200),
                     cl::desc("Calls in each of the two runs"),
                     cl::cat(category)};

  Options() : CompileFlags("bquant-bench options") {}
};
} // namespace

/// An error if any of `others` was given, of which `option` makes nothing.
static llvm::Error refuse(const cl::Option &option,
                          llvm::ArrayRef<const cl::Option *> others) {
  for (const cl::Option *other : others)
    if (other->getNumOccurrences() != 0)
      return llvm::createStringError("expected --" + option.ArgStr +
                                     " without --" + other->ArgStr);
  return llvm::Error::success();
}

/// What measures no case goes neither with options of cases nor with another
/// such.
static llvm::Error checkCombination(const Options &o) {
  const cl::Option *const options[] = {
      &o.costTable, &o.limits,   &o.limitCode, &o.conv,
      &o.set,       &o.pads,     &o.strides,   &o.dilations,
      &o.groups,    &o.padValue, &o.planes,    &o.epilogue,
      &o.compare,   &o.calls,    &o.strategy,  &o.threads};
  for (int i = 0; i < 3; ++i)
    if (options[i]->getNumOccurrences() != 0)
      return refuse(*options[i], llvm::ArrayRef(options).drop_front(i + 1));
  return llvm::Error::success();
}

/// `text` as N numbers, none below `least`.
template <size_t N>
static llvm::Error parseList(llvm::StringRef option, llvm::StringRef text,
                             char separator, int64_t least,
                             std::array<int64_t, N> &out) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, separator);
  bool valid = parts.size() == N;
  for (size_t i = 0; valid && i < N; ++i)
    valid = !parts[i].getAsInteger(10, out[i]) && out[i] >= least &&
            out[i] <= (1 << 20);
  if (valid)
    return llvm::Error::success();
  return llvm::createStringError(
      "expected " + llvm::Twine(N) + " numbers of at least " +
      llvm::Twine(least) + " for --" + option + ", but got '" + text + "'");
}

static llvm::Error parsePlanes(llvm::StringRef text, Case &c) {
  auto parse = [](llvm::StringRef part, Planes &planes) {
    planes.ternary = part == "T";
    planes.uniform = part.consume_front("u");
    return planes.ternary || (!part.getAsInteger(10, planes.count) &&
                              planes.count >= (planes.uniform ? 2 : 1) &&
                              planes.count <= (planes.uniform ? 8 : 4));
  };
  auto [activations, weights] = text.split('x');
  if (parse(activations, c.activations) && parse(weights, c.weights))
    return llvm::Error::success();
  return llvm::createStringError(
      "expected AxW, each 1 to 4, u2 to u8 or T, for --planes, but got '" +
      text + "'");
}

static llvm::Error parseCase(const Options &options, Case &c) {
  std::pair<llvm::StringRef, llvm::StringRef> shapes =
      llvm::StringRef(options.conv).split(',');
  llvm::Error error = parseList("conv", shapes.first, 'x', 1, c.input);
  auto then = [&](llvm::function_ref<llvm::Error()> next) {
    if (!error)
      error = next();
  };
  then([&] { return parseList("conv", shapes.second, 'x', 1, c.filter); });
  then([&] { return parseList("pads", options.pads, ',', 0, c.pads); });
  then(
      [&] { return parseList("strides", options.strides, ',', 1, c.strides); });
  then([&] {
    return parseList("dilations", options.dilations, ',', 1, c.dilations);
  });
  c.groups = options.groups;
  c.padValue = options.padValue;
  if (!error && c.groups < 1)
    return llvm::createStringError("expected at least 1 group, but got " +
                                   llvm::Twine(c.groups));
  return error;
}

static llvm::Error getCases(const Options &options, std::vector<Case> &cases) {
  if (options.set.empty() == options.conv.empty())
    return llvm::createStringError("expected either --conv or --set");
  if (options.set.empty()) {
    if (llvm::Error error = parseCase(options, cases.emplace_back()))
      return error;
  } else {
    if (llvm::Error error = refuse(
            options.set, {&options.pads, &options.strides, &options.dilations,
                          &options.groups, &options.padValue}))
      return error;
    llvm::Expected<std::vector<Case>> set = getSet(options.set);
    if (!set)
      return set.takeError();
    cases = std::move(*set);
  }
  for (Case &c : cases) {
    // A set has its own, unless they were asked for.
    if (options.epilogue.getNumOccurrences() != 0)
      c.epilogue = options.epilogue;
    if (options.planes.getNumOccurrences() != 0)
      if (llvm::Error error = parsePlanes(options.planes, c))
        return error;
    if (llvm::Error error = c.verify())
      return error;
  }
  return llvm::Error::success();
}

static void printMeasurement(const Case &c, const Measurement &result,
                             int threads) {
  llvm::json::OStream json(llvm::outs());
  json.object([&] {
    json.attribute("name", c.getName());
    json.attribute("strategy", result.strategy);
    json.attribute("threads", threads);
    json.attribute("mac", int64_t(c.getMacs()));
    json.attribute("seconds_min", result.secondsMin);
    json.attribute("seconds_median", result.secondsMedian);
    json.attribute("gmac_per_s", c.getMacs() / result.secondsMedian / 1e9);
    json.attribute("limit_gmac_per_s", result.limitMacsPerSecond / 1e9);
    json.attribute("of_limit", result.ofLimit);
    json.attribute("useful", result.usefulShare);
    json.attribute("checked", result.checked);
  });
}

/// The first of `results` is auto's.
static void printComparison(const Case &c,
                            llvm::ArrayRef<Measurement> results) {
  const Measurement &best =
      *std::min_element(results.begin() + 1, results.end(),
                        [](const Measurement &one, const Measurement &other) {
                          return one.secondsMedian < other.secondsMedian;
                        });
  llvm::json::OStream json(llvm::outs());
  json.object([&] {
    json.attribute("name", c.getName());
    json.attributeObject("seconds_median", [&] {
      for (const Measurement &result : results)
        json.attribute(stringify(result.requested), result.secondsMedian);
    });
    json.attribute("best", stringify(best.requested));
    json.attribute("auto_to_best",
                   results.front().secondsMedian / best.secondsMedian);
    json.attribute("checked",
                   llvm::all_of(results, [](const Measurement &result) {
                     return result.checked;
                   }));
  });
}

static llvm::Error runCases(const Options &options, const Target &target,
                            mlir::MLIRContext &context) {
  if (options.calls < 1)
    return llvm::createStringError("expected at least 1 call, but got " +
                                   llvm::Twine(options.calls));
  std::vector<Case> cases;
  if (llvm::Error error = getCases(options, cases))
    return error;
  RunOptions how{options.get(), options.calls};
  std::vector<Strategy> strategies{options.strategy};
  if (options.compare) {
    if (options.strategy != Strategy::Auto)
      return llvm::createStringError("expected --compare without --strategy");
    llvm::append_range(strategies, TargetDescription(target).getStrategies());
  }
  for (const Case &c : cases) {
    auto results = run(c, strategies, how, &context);
    if (!results)
      return results.takeError();
    if (options.compare)
      printComparison(c, *results);
    else
      printMeasurement(c, results->front(), options.threads);
    llvm::outs() << "\n";
    llvm::outs().flush();
    for (const Measurement &result : *results)
      if (!result.checked && result.strategy != "reference")
        return llvm::createStringError(
            c.getName() + ": expected the outputs of the reference");
  }
  return llvm::Error::success();
}

static llvm::Error runAll(const Options &options, mlir::MLIRContext &context) {
  if (llvm::Error error = checkCombination(options))
    return error;
  llvm::Expected<Target> target = resolveTarget(options.get().target);
  if (!target)
    return target.takeError();
  if (options.costTable)
    return printCostTable(*target, &context, llvm::outs());
  if (options.limits)
    return printMachineLimits(*target, &context, llvm::outs());
  if (options.limitCode.empty())
    return runCases(options, *target, context);
  auto kernel = getLimitKernel(options.limitCode, *target, &context);
  if (!kernel)
    return kernel.takeError();
  auto code = BareLoop::getAssembly(*kernel, *target);
  if (!code)
    return code.takeError();
  llvm::outs() << *code;
  return llvm::Error::success();
}

int bquant::bench::runMain(int argc, char **argv) {
  return runTool(argc, argv, "bquant-bench", "bquant benchmark\n", runAll);
}
