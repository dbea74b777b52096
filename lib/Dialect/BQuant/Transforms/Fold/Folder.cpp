//===- Folder.cpp - The chain before one quantize -------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Folder.h"
#include "Dialect/BQuant/IR/UnusedOps.h"
#include "QuantizeCoders.h"
#include "ScaledProducts.h"
#include "Support/Counts.h"
#include "Support/Remarks.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Threading.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::chains;

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

/// Whether a value ends in the input of `quantize` alone, by elementwise ops.
static bool endsInInput(Value value, QuantizeOp quantize) {
  SmallVector<Value> worklist{value};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!worklist.empty())
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (user == quantize) {
        if (&use != &quantize.getInputMutable())
          return false;
        continue;
      }
      if (!isMemoryEffectFree(user) ||
          !(isa<linalg::LinalgOp, SignOp>(user) || isView(user) ||
            user->hasTrait<OpTrait::Elementwise>()))
        return false;
      if (seen.insert(user).second)
        llvm::append_range(worklist, user->getResults());
    }
  return true;
}

Operation *Folder::getMirrorProduct(int cut, const std::vector<bool> &mirrored,
                                    std::vector<bool> &filters) {
  Operation *op = graph.info(cut).op;
  if (mirrored.empty() || !isa_and_nonnull<Conv2DOp, MatmulOp>(op) ||
      !getFilter(op) || !endsInInput(op->getResult(0), quantize))
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

std::optional<Stop>
Folder::solveChannels(function_ref<std::optional<Stop>(int64_t, Steps &)> solve,
                      std::vector<Steps> &steps) {
  std::vector<int64_t> equal = graph.findEqualChannels();
  std::vector<size_t> unique;
  for (size_t c = 0; c < coders.size(); ++c) {
    if (!(coders[c] == coders[equal[c]]))
      equal[c] = int64_t(c);
    if (equal[c] == int64_t(c))
      unique.push_back(c);
  }
  steps.resize(coders.size());
  std::vector<std::optional<Stop>> stops(coders.size());
  parallelForEach(rewriter.getContext(), unique,
                  [&](size_t c) { stops[c] = solve(int64_t(c), steps[c]); });
  for (std::optional<Stop> &stop : stops)
    if (stop)
      return stop;
  for (size_t c = 0; c < coders.size(); ++c)
    steps[c] = steps[equal[c]];
  return std::nullopt;
}

std::optional<Stop> Folder::solve(int cut, ThresholdTable &table) {
  SmallVector<int> origin;
  Chain chain = graph.extract(cut, origin);
  bool integers = graph.isAccumulator(cut);
  std::vector<Steps> steps;
  std::optional<Stop> stop = solveChannels(
      [&](int64_t c, Steps &result) {
        FloatRange range = graph.getRange(cut, c);
        return integers
                   ? findIntegerSteps(chain, c, coders[c], int64_t(range.low),
                                      int64_t(range.high), limit, result)
                   : bisectSteps(chain, c, coders[c], range, limit, result);
      },
      steps);
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

std::optional<Stop> Folder::solveSum(int cut, const AccumulatorSum &sum,
                                     ThresholdTable &table) {
  SmallVector<int> origin;
  Chain chain = graph.extract(cut, origin);
  int64_t first = int64_t(graph.info(sum.first).range.high);
  int64_t second = int64_t(graph.info(sum.second).range.high);
  std::vector<Steps> steps;
  if (std::optional<Stop> stop = solveChannels(
          [&](int64_t c, Steps &result) {
            return findSumSteps(chain, c, coders[c],
                                graph.getConstant(sum.factor, c), first, second,
                                limit, result);
          },
          steps))
    return stop;
  return makeThresholdTable(steps, Mirror::None, limit, table);
}

FailureOr<QuantizeOp> Folder::rewrite(int cut, const ThresholdTable &table) {
  Location loc = quantize.getLoc();
  const NodeInfo &info = graph.info(cut);
  bool integers = graph.isAccumulator(cut);
  FoldedQuantize pair;
  for (int64_t c = 0; c < graph.numChannels(); ++c)
    pair.ranges.push_back(graph.getRange(cut, c));
  Operation *product = info.op;
  std::vector<bool> filters;
  Operation *mirror = getMirrorProduct(cut, table.mirrored, filters);
  if (mirror) {
    for (int64_t filter : graph.getSourceChannels(mirror))
      pair.negated.push_back(filters[filter]);
    negateFilters(mirror, filters, rewriter);
  }

  rewriter.setInsertionPoint(quantize);
  Value thresholds = makeThresholds(table, integers, rewriter, loc);
  Value source = integers ? makeAccumulator(product, rewriter)
                          : graph.materialize(cut, rewriter);
  pair.foldedSources = {source};
  pair.originalSources = {integers      ? source
                          : info.tensor ? info.tensor
                                        : info.scalar};
  source = applyViews(source, *info.place.views, rewriter, loc);
  if (!table.mirrored.empty() && !mirror) {
    SmallVector<float> signs;
    for (bool mirrored : table.mirrored)
      signs.push_back(mirrored ? -1.0f : 1.0f);
    if (llvm::all_equal(signs))
      signs.resize(1);
    source = multiplyChannels(source, signs, rewriter, loc);
  }
  return replace(source, thresholds, table, std::move(pair));
}

FailureOr<QuantizeOp> Folder::rewriteSum(int cut, const AccumulatorSum &sum,
                                         const ThresholdTable &table) {
  Location loc = quantize.getLoc();
  FoldedQuantize pair;
  SmallVector<Value, 2> addends;
  float high = 0;
  rewriter.setInsertionPoint(quantize);
  Value thresholds = makeThresholds(table, /*integers=*/true, rewriter, loc);
  for (int node : {sum.first, sum.second}) {
    const NodeInfo &info = graph.info(node);
    addends.push_back(makeAccumulator(info.op, rewriter));
    pair.foldedSources.push_back(addends.back());
    addends.back() =
        applyViews(addends.back(), *info.place.views, rewriter, loc);
    high += info.range.high;
  }
  pair.originalSources = pair.foldedSources;
  pair.firstBound = int64_t(graph.info(sum.first).range.high);
  pair.ranges.assign(graph.numChannels(), {-high, high, false});
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, addends[0]),
      rewriter.getI32Type());
  Value source =
      linalg::AddOp::create(rewriter, loc, addends, ValueRange{empty})
          .getResult(0);
  return replace(source, thresholds, table, std::move(pair));
}

FailureOr<QuantizeOp> Folder::replace(Value source, Value thresholds,
                                      const ThresholdTable &table,
                                      FoldedQuantize pair) {
  Location loc = quantize.getLoc();
  SmallVector<int64_t> codes(table.codes.begin(), table.codes.end());
  auto folded =
      QuantizeOp::create(rewriter, loc, quantize.getType(), source, thresholds,
                         codes, quantize.getScalars(), quantize.getOffset());
  if (verify) {
    pair.original = quantize;
    pair.folded = folded;
    if (failed(verifyFolding(std::move(pair))))
      return failure();
  }

  // The chain, if nothing else reads it.
  Value chain = quantize.getInput();
  rewriter.replaceOp(quantize, folded);
  eraseUnused(rewriter, chain);
  return folded;
}

std::string Folder::getName(int node) const {
  Operation *op = graph.info(node).op;
  return op ? "'" + op->getName().getStringRef().str() + "'"
            : std::string("a block argument");
}

void Folder::remarkMissed(const Stop &stop) {
  remarks::missed(quantize.getLoc(), kRemarkName) << remark::add(
      "not folded: {0}{1}", stop.node >= 0 ? getName(stop.node) + " " : "",
      stop.reason);
}

void Folder::remarkPassed(int cut, const char *type, const std::string &source,
                          const ThresholdTable &table) {
  remarks::passed(quantize.getLoc(), kRemarkName) << remark::add(
      "folded {0} into {1} on the {2} result of {3}{4}",
      formatCount(graph.countSteps(cut), "step"),
      formatCount(table.codes.size() - 1, "threshold"), type, source,
      table.mirrored.empty() ? "" : ", some channels negated");
}

/// A constant code still needs a threshold to be of the form.
static void addThreshold(ThresholdTable &table) {
  if (table.codes.size() > 1)
    return;
  table.codes.push_back(table.codes.front());
  for (std::vector<int64_t> &row : table.rows)
    row.push_back(kNever);
}

FailureOr<QuantizeOp> Folder::run() {
  SmallVector<int> cuts = graph.getCuts();
  // Two accumulators at once, before either: their sum may be the quantize's
  // input itself.
  SmallVector<int> sums(cuts);
  sums.push_back(graph.root());
  for (int cut : sums) {
    std::optional<AccumulatorSum> sum = graph.getSum(cut);
    ThresholdTable table;
    if (!sum || solveSum(cut, *sum, table))
      continue;
    addThreshold(table);
    remarkPassed(std::min(sum->first, sum->second), "i32",
                 getName(sum->first) + " and " + getName(sum->second), table);
    return rewriteSum(cut, *sum, table);
  }
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
    addThreshold(table);
    std::string source = getName(cut);
    // What a nearer source has behind it, the remarks before this one say.
    if (cut == cuts.front())
      if (std::string reason = graph.getReason(cut); !reason.empty())
        source += ", which " + reason;
    remarkPassed(cut, graph.isAccumulator(cut) ? "i32" : "f32", source, table);
    return rewrite(cut, table);
  }
  return QuantizeOp();
}
