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
#include "bquant/Dialect/BQuant/Transforms/Folding/VerifyFolding.h"
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

/// Chains are evaluated for each channel, up to so many.
static constexpr int64_t kMostChannels = 1 << 20;

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
  if (channels > kMostChannels) {
    remark::missed(op.getLoc(), remarkOptions()) << remark::add(
        "not folded: {0} channels are more than {1}", channels, kMostChannels);
    return {};
  }
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
           (isa<linalg::LinalgOp, SignOp>(user) || isView(user) ||
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
         bool verify, RewriterBase &rewriter)
      : quantize(quantize), coders(std::move(coders)), limit(limit),
        verify(verify), rewriter(rewriter), graph(quantize) {}

  /// The folded quantize, or null. Fails if what it folded was asked to be
  /// verified and is wrong.
  FailureOr<QuantizeOp> run();

private:
  /// The thresholds from a cut; the reason why there are none, `node` in the
  /// graph.
  std::optional<Stop> solve(int cut, ThresholdTable &table);
  FailureOr<QuantizeOp> rewrite(int cut, const ThresholdTable &table);
  void remarkMissed(const Stop &stop);
  /// The product whose filters can be negated to mirror a cut in the marked
  /// channels of the quantize. `filters`: which of them.
  Operation *getMirrorProduct(int cut, const std::vector<bool> &mirrored,
                              std::vector<bool> &filters);

  QuantizeOp quantize;
  std::vector<Coder> coders;
  size_t limit;
  bool verify;
  RewriterBase &rewriter;
  ChainGraph graph;
};
} // namespace

Operation *Folder::getMirrorProduct(int cut, const std::vector<bool> &mirrored,
                                    std::vector<bool> &filters) {
  Operation *op = graph.info(cut).op;
  if (mirrored.empty() || !isa_and_nonnull<Conv2DOp, MatmulOp>(op) ||
      !getFilter(op) || !endsIn(op->getResult(0), quantize))
    return nullptr;
  std::vector<int64_t> sources = graph.getSourceChannels(op);
  if (sources.empty())
    return nullptr;
  // Channels that come from one filter (a flatten) have to agree.
  filters.assign(cast<ShapedType>(op->getResult(0).getType()).getShape().back(),
                 false);
  for (auto [channel, filter] : llvm::enumerate(sources))
    if (mirrored[channel])
      filters[filter] = true;
  for (auto [channel, filter] : llvm::enumerate(sources))
    if (mirrored[channel] != filters[filter])
      return nullptr;
  return op;
}

std::optional<Stop> Folder::solve(int cut, ThresholdTable &table) {
  SmallVector<int> origin;
  Chain chain = graph.extract(cut, origin);
  bool integers = graph.isAccumulator(cut);

  // Channels that are alike are solved once.
  std::vector<int64_t> equal = graph.findEqualChannels();
  std::vector<size_t> unique;
  for (size_t c = 0; c < coders.size(); ++c) {
    if (!(coders[c] == coders[equal[c]]))
      equal[c] = int64_t(c);
    if (equal[c] == int64_t(c))
      unique.push_back(c);
  }
  std::vector<Steps> steps(coders.size());
  std::vector<std::optional<Stop>> stops(coders.size());
  parallelForEach(rewriter.getContext(), unique, [&](size_t c) {
    FloatRange range = graph.getRange(cut, int64_t(c));
    stops[c] =
        integers
            ? findIntegerSteps(chain, int64_t(c), coders[c], int64_t(range.low),
                               int64_t(range.high), limit, steps[c])
            : bisectSteps(chain, int64_t(c), coders[c], range, limit, steps[c]);
  });
  std::optional<Stop> stop;
  for (std::optional<Stop> &s : stops)
    if (s && !stop)
      stop = s;
  for (size_t c = 0; c < coders.size(); ++c)
    steps[c] = steps[equal[c]];
  if (!stop)
    stop = makeThresholdTable(
        steps, integers ? Mirror::Integers : Mirror::OrderedFloats, limit,
        table);
  // An accumulator is mirrored in its filters, which costs nothing, or not.
  std::vector<bool> filters;
  if (integers && !table.mirrored.empty() &&
      !getMirrorProduct(cut, table.mirrored, filters))
    stop = makeThresholdTable(steps, Mirror::None, limit, table);
  if (stop && stop->node >= 0)
    stop->node = origin[stop->node];
  return stop;
}

FailureOr<QuantizeOp> Folder::rewrite(int cut, const ThresholdTable &table) {
  Location loc = quantize.getLoc();
  const NodeInfo &info = graph.info(cut);
  bool integers = graph.isAccumulator(cut);
  Operation *product = info.op;
  std::vector<bool> filters;
  std::vector<int64_t> sourceChannels;
  Operation *mirror = getMirrorProduct(cut, table.mirrored, filters);
  if (mirror) {
    sourceChannels = graph.getSourceChannels(mirror);
    negateFilters(mirror, filters, rewriter);
  }

  rewriter.setInsertionPoint(quantize);
  Value thresholds =
      integers ? makeThresholds<int32_t>(table, rewriter.getI32Type(),
                                         convertInteger, rewriter, loc)
               : makeThresholds<float>(table, rewriter.getF32Type(),
                                       convertFloat, rewriter, loc);
  FoldedQuantize pair;
  Value source;
  if (integers) {
    pair.originalSource = pair.foldedSource =
        makeAccumulator(product, rewriter);
    source = applyViews(pair.foldedSource, *info.place.views, rewriter, loc);
  } else {
    pair.originalSource = info.tensor ? info.tensor : info.scalar;
    pair.foldedSource = graph.materialize(cut, rewriter);
    source = applyViews(pair.foldedSource, *info.place.views, rewriter, loc);
    if (!table.mirrored.empty() && !mirror) {
      SmallVector<float> signs;
      for (bool mirrored : table.mirrored)
        signs.push_back(mirrored ? -1.0f : 1.0f);
      if (llvm::all_equal(signs))
        signs.resize(1);
      source = multiplyChannels(source, signs, rewriter, loc);
    }
  }
  SmallVector<int64_t> codes(table.codes.begin(), table.codes.end());
  auto folded =
      QuantizeOp::create(rewriter, loc, quantize.getType(), source, thresholds,
                         codes, quantize.getScalars(), quantize.getOffset());
  if (verify) {
    pair.original = quantize;
    pair.folded = folded;
    for (int64_t c = 0; c < graph.numChannels(); ++c)
      pair.ranges.push_back(graph.getRange(cut, c));
    if (mirror)
      for (int64_t filter : sourceChannels)
        pair.negated.push_back(filters[filter]);
    if (failed(verifyFolding(pair)))
      return failure();
  }

  // The chain, if nothing else reads it.
  SmallVector<Value> dead{quantize.getInput()};
  rewriter.replaceOp(quantize, folded);
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
  return folded;
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

FailureOr<QuantizeOp> Folder::run() {
  SmallVector<int> cuts = graph.getCuts();
  // Nothing elementwise lies before the quantize, or what does joins values.
  if (cuts.empty()) {
    if (std::string reason = graph.getReason(graph.root()); !reason.empty())
      remarkMissed({graph.root(), reason});
    return QuantizeOp();
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
    // What a nearer source has behind it, the remarks before this one say.
    std::string stopped;
    if (cut == cuts.front())
      if (std::string reason = graph.getReason(cut); !reason.empty())
        stopped = ", which " + reason;
    remark::passed(quantize.getLoc(), remarkOptions()) << remark::add(
        "folded {0} steps into {1} thresholds on the {2} result of {3}{4}{5}",
        graph.countSteps(cut), table.codes.size() - 1,
        graph.isAccumulator(cut) ? "i32" : "f32", source, stopped,
        table.mirrored.empty() ? "" : ", some channels negated");
    return rewrite(cut, table);
  }
  return QuantizeOp();
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
      if (!op.getScheme() && failed(foldBefore(op, rewriter)))
        return signalPassFailure();
  }

private:
  /// Folds what lies before a quantize, past pools.
  LogicalResult foldBefore(QuantizeOp op, RewriterBase &rewriter) {
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
        return success();
      }
      std::vector<Coder> coders = getCoders(op);
      if (coders.empty())
        return success();
      Folder folder(op, std::move(coders), maxThresholds, verifyFolding,
                    rewriter);
      FailureOr<QuantizeOp> folded = folder.run();
      if (failed(folded) || !*folded)
        return folded;
      op = movePool(*folded, rewriter);
    }
    return success();
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
