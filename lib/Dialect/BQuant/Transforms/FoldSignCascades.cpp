//===- FoldSignCascades.cpp - Float chains to thresholds ------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %y = bquant.conv_2d %x, %w ... -> tensor<1x8x8x64xf32>
//   %z = linalg.generic {batch norm, clamp, ...} ins(%y, ...)
//   %q = bquant.quantize %z scalars(%v)
// becomes
//   %y = bquant.conv_2d %x, %w ... -> tensor<1x8x8x64xi32>
//   %q = bquant.quantize %y thresholds(%t) codes [0, 1, 2, 3] scalars(%v)
//
// Folding/ has the parts: ChainGraph finds the chain and its possible sources,
// SwitchPoints and MonotonePieces read off where its code changes,
// ThresholdTable gives all channels one table.
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/Transforms/Constants.h"
#include "bquant/Dialect/BQuant/Transforms/Folding/ChainGraph.h"
#include "bquant/Dialect/BQuant/Transforms/Folding/Codes.h"
#include "bquant/Dialect/BQuant/Transforms/Folding/Products.h"
#include "bquant/Dialect/BQuant/Transforms/Folding/ThresholdTable.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/Threading.h"

namespace bquant {
#define GEN_PASS_DEF_FOLDSIGNCASCADES
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;
using namespace bquant::folding;

/// Accumulators are enumerated up to this magnitude.
static constexpr int64_t kLargestAccumulator = 1 << 22;

static remark::RemarkOpts remarkOptions() {
  return remark::RemarkOpts::name("fold-sign-cascades").category("bquant");
}

//===----------------------------------------------------------------------===//
// The quantize
//===----------------------------------------------------------------------===//

/// What a quantize does with its input, for each channel; empty if its scalars
/// or thresholds are not constant or differ within a channel.
static std::vector<Coder> getCoders(QuantizeOp op) {
  SBTensorType type = op.getType();
  int64_t channels = type.getShape().back();
  if (op.getScheme() || !op.getInput().getType().getElementType().isF32())
    return {};
  std::vector<Coder> coders(channels);
  if (op.getThresholds()) {
    SmallVector<float> values = getConstantFloats(op.getThresholds());
    if (values.empty())
      return {};
    size_t n = op.getCodes()->size() - 1;
    bool perChannel = op.getThresholds().getType().getRank() == 2;
    for (auto [c, coder] : llvm::enumerate(coders)) {
      ArrayRef<float> row = ArrayRef(values).slice(perChannel ? c * n : 0, n);
      coder.thresholds.assign(row.begin(), row.end());
      coder.codes.assign(op.getCodes()->begin(), op.getCodes()->end());
    }
    return coders;
  }
  SmallVector<float> scalars = getConstantFloats(op.getScalars());
  bool perChannel = false;
  for (int64_t axis : type.getAxes()) {
    perChannel |= axis == type.getRank() - 1;
    if (axis != type.getRank() - 1 && type.getDimSize(axis) != 1)
      return {};
  }
  if (scalars.empty() ||
      !llvm::all_of(scalars, [](float v) { return std::isfinite(v); }))
    return {};
  for (int64_t c = 0; c < channels; ++c) {
    auto scalar = [&](int64_t k) {
      return scalars[perChannel ? k * channels + c : k];
    };
    for (int64_t i = 0; i < type.getPlanes(); ++i)
      coders[c].factors.push_back(type.hasRatios()
                                      ? float(type.getRatios()[i]) * scalar(0)
                                      : scalar(i));
  }
  return coders;
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

/// Whether a value ends in `quantize` alone, by elementwise ops.
static bool endsIn(Value value, QuantizeOp quantize) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (user == quantize)
      return true;
    return isMemoryEffectFree(user) &&
           (isa<linalg::LinalgOp, SignOp>(user) ||
            user->hasTrait<OpTrait::Elementwise>()) &&
           llvm::all_of(user->getResults(),
                        [&](Value result) { return endsIn(result, quantize); });
  });
}

//===----------------------------------------------------------------------===//
// Thresholds
//===----------------------------------------------------------------------===//

/// Rows as a tensor of N or C x N values.
template <typename T, typename Convert>
static Value makeThresholds(const ThresholdTable &table, Type element,
                            Convert convert, RewriterBase &rewriter,
                            Location loc) {
  bool same = llvm::all_equal(table.rows);
  SmallVector<int64_t> shape;
  if (!same)
    shape.push_back(int64_t(table.rows.size()));
  shape.push_back(int64_t(table.codes.size()) - 1);
  SmallVector<T> values;
  for (const std::vector<int64_t> &row :
       ArrayRef(table.rows).take_front(same ? 1 : table.rows.size()))
    for (int64_t at : row)
      values.push_back(convert(at));
  auto type = RankedTensorType::get(shape, element);
  return arith::ConstantOp::create(
      rewriter, loc, DenseElementsAttr::get(type, ArrayRef<T>(values)));
}

static int32_t convertInteger(int64_t at) {
  return int32_t(std::clamp<int64_t>(at, std::numeric_limits<int32_t>::min(),
                                     std::numeric_limits<int32_t>::max()));
}

static float convertFloat(int64_t at) {
  if (at == kAlways)
    return -INFINITY;
  if (at == kNever)
    return std::nanf("");
  // Thresholds at zero are written +0.0.
  return at == -1 ? 0.0f : fromOrdered(int32_t(at));
}

namespace {
/// Folds the chain before one quantize.
class Folder {
public:
  Folder(QuantizeOp quantize, std::vector<Coder> coders, size_t limit,
         RewriterBase &rewriter)
      : quantize(quantize), coders(std::move(coders)), limit(limit),
        rewriter(rewriter), graph(quantize) {}

  bool run();

  /// The folded one after `run`.
  QuantizeOp getQuantize() const { return quantize; }

private:
  /// The thresholds from a cut; the reason why there are none, `node` in the
  /// graph.
  std::optional<Stop> solve(int cut, ThresholdTable &table);
  void rewrite(int cut, const ThresholdTable &table);
  void remarkMissed(const Stop &stop);
  /// The product whose filters can be negated to mirror a cut.
  Operation *getMirrorProduct(int cut);

  QuantizeOp quantize;
  std::vector<Coder> coders;
  size_t limit;
  RewriterBase &rewriter;
  ChainGraph graph;
};
} // namespace

Operation *Folder::getMirrorProduct(int cut) {
  Operation *op = graph.info(cut).op;
  bool isProduct =
      graph.isAccumulator(cut) || (isa_and_nonnull<Conv2DOp, MatmulOp>(op) &&
                                   graph.info(cut).tensor == op->getResult(0));
  if (isProduct && getFilter(op) && endsIn(op->getResult(0), quantize))
    return op;
  return nullptr;
}

std::optional<Stop> Folder::solve(int cut, ThresholdTable &table) {
  SmallVector<int> origin;
  Chain chain = graph.extract(cut, origin);
  bool integers = graph.isAccumulator(cut);
  int64_t bound = int64_t(graph.info(cut).range.high);
  if (integers && bound > kLargestAccumulator)
    return Stop{-1, "the accumulator has too large a range"};

  std::vector<Steps> steps(coders.size());
  std::vector<std::optional<Stop>> stops(coders.size());
  parallelFor(rewriter.getContext(), 0, coders.size(), [&](size_t c) {
    stops[c] = integers ? enumerateSteps(chain, int64_t(c), coders[c], -bound,
                                         bound, limit, steps[c])
                        : bisectSteps(chain, int64_t(c), coders[c],
                                      graph.getRange(cut, int64_t(c)), limit,
                                      steps[c]);
  });
  std::optional<Stop> stop;
  for (std::optional<Stop> &s : stops)
    if (s && !stop)
      stop = s;
  // An accumulator is mirrored in its filters, which costs nothing, or not.
  Mirror mirror = !integers               ? Mirror::OrderedFloats
                  : getMirrorProduct(cut) ? Mirror::Integers
                                          : Mirror::None;
  if (!stop)
    stop = makeThresholdTable(steps, mirror, limit, table);
  if (stop && stop->node >= 0)
    stop->node = origin[stop->node];
  return stop;
}

void Folder::rewrite(int cut, const ThresholdTable &table) {
  Location loc = quantize.getLoc();
  bool integers = graph.isAccumulator(cut);
  Operation *product = graph.info(cut).op;
  Value oldInput = quantize.getInput();
  Operation *mirror = table.mirrored.empty() ? nullptr : getMirrorProduct(cut);
  if (mirror)
    negateFilters(mirror, table.mirrored, rewriter);

  // The quantize leaves the chain before the product does.
  rewriter.setInsertionPoint(quantize);
  Value thresholds =
      integers ? makeThresholds<int32_t>(table, rewriter.getI32Type(),
                                         convertInteger, rewriter, loc)
               : makeThresholds<float>(table, rewriter.getF32Type(),
                                       convertFloat, rewriter, loc);
  Value source;
  if (integers) {
    source = makeAccumulator(product, rewriter);
    oldInput = quantize.getInput();
  } else {
    source = graph.materialize(cut, rewriter);
    if (!table.mirrored.empty() && !mirror) {
      SmallVector<float> signs;
      for (bool mirrored : table.mirrored)
        signs.push_back(mirrored ? -1.0f : 1.0f);
      if (llvm::all_equal(signs))
        signs.resize(1);
      source = multiplyChannels(source, signs, rewriter, loc);
    }
  }
  rewriter.setInsertionPoint(quantize);
  SmallVector<int64_t> codes(table.codes.begin(), table.codes.end());
  auto folded =
      QuantizeOp::create(rewriter, loc, quantize.getType(), source, thresholds,
                         codes, quantize.getScalars(), quantize.getOffset());
  rewriter.replaceOp(quantize, folded);
  quantize = folded;

  // The chain, if nothing else reads it.
  SmallVector<Value> dead{oldInput};
  while (!dead.empty()) {
    Operation *op = dead.pop_back_val().getDefiningOp();
    if (!op || !isOpTriviallyDead(op))
      continue;
    SmallVector<Value> operands = op->getOperands();
    rewriter.eraseOp(op);
    for (Value operand : operands)
      if (!llvm::is_contained(dead, operand))
        dead.push_back(operand);
  }
}

void Folder::remarkMissed(const Stop &stop) {
  std::string name;
  if (stop.node >= 0) {
    Operation *op = graph.info(stop.node).op;
    name = op ? "'" + op->getName().getStringRef().str() + "' "
              : std::string("a block argument ");
  }
  remark::missed(quantize.getLoc(), remarkOptions())
      << remark::add("not folded: {0}{1}", name, stop.reason);
}

bool Folder::run() {
  SmallVector<int> cuts = graph.getCuts();
  if (cuts.empty()) {
    const NodeInfo &info = graph.info(graph.root());
    // Nothing elementwise lies before the quantize.
    if (!info.reason.empty())
      remarkMissed({graph.root(), info.reason.str()});
    else if (info.op && graph.isStep(graph.root()))
      remarkMissed({graph.root(), "has two operands that are not constant"});
    return false;
  }
  for (int cut : cuts) {
    ThresholdTable table;
    if (std::optional<Stop> stop = solve(cut, table)) {
      remarkMissed(*stop);
      continue;
    }
    // A constant code still needs a threshold to be of the form.
    if (table.codes.size() == 1) {
      table.codes.push_back(table.codes.front());
      for (std::vector<int64_t> &row : table.rows)
        row.push_back(kNever);
    }
    Operation *sourceOp = graph.info(cut).op;
    std::string source =
        sourceOp ? "'" + sourceOp->getName().getStringRef().str() + "'"
                 : std::string("a block argument");
    remark::passed(quantize.getLoc(), remarkOptions()) << remark::add(
        "folded {0} steps into {1} thresholds on the {2} result of {3}{4}",
        graph.countSteps(cut), table.codes.size() - 1,
        graph.isAccumulator(cut) ? "i32" : "f32", source,
        table.mirrored.empty() ? "" : ", some channels negated");
    rewrite(cut, table);
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct FoldSignCascades : bquant::impl::FoldSignCascadesBase<FoldSignCascades> {
  using FoldSignCascadesBase::FoldSignCascadesBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::PoolingNhwcMaxOp> pools;
    getOperation()->walk(
        [&](linalg::PoolingNhwcMaxOp op) { pools.push_back(op); });
    for (linalg::PoolingNhwcMaxOp op : pools) {
      Location loc = op.getLoc();
      std::string reason;
      if (succeeded(poolCodes(op, rewriter, reason)))
        remark::passed(loc, remarkOptions()) << "the max-pool is one of codes";
      else if (!reason.empty())
        remark::missed(loc, remarkOptions()) << remark::add(
            "the max-pool of decoded values stays one of floats: {0}", reason);
    }
    SmallVector<QuantizeOp> quantizes;
    getOperation()->walk([&](QuantizeOp op) { quantizes.push_back(op); });
    for (QuantizeOp op : quantizes)
      if (!op.getScheme())
        foldBefore(op, rewriter);
  }

private:
  /// Folds what lies before a quantize, past pools.
  void foldBefore(QuantizeOp op, RewriterBase &rewriter) {
    while (op) {
      if (QuantizeOp moved = movePool(op, rewriter))
        op = moved;
      if (Value known = getReturnedCodes(op)) {
        remark::passed(op.getLoc(), remarkOptions())
            << "the planes of the dequantized value are these planes";
        Operation *dequantize = op.getInput().getDefiningOp();
        rewriter.replaceOp(op, known);
        if (dequantize->use_empty())
          rewriter.eraseOp(dequantize);
        return;
      }
      std::vector<Coder> coders = getCoders(op);
      if (coders.empty())
        return;
      Folder folder(op, std::move(coders), maxThresholds, rewriter);
      if (!folder.run())
        return;
      op = movePool(folder.getQuantize(), rewriter);
    }
  }

  QuantizeOp movePool(QuantizeOp op, RewriterBase &rewriter) {
    std::string reason;
    QuantizeOp moved = moveBehindQuantize(op, rewriter, reason);
    if (moved)
      remark::passed(moved.getLoc(), remarkOptions())
          << "the max-pool before is one of codes";
    else if (!reason.empty())
      remark::missed(op.getLoc(), remarkOptions()) << remark::add(
          "the max-pool before stays one of floats: {0}", reason);
    return moved;
  }
};
} // namespace
