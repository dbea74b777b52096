//===- VerifyFolding.cpp - A folded chain against the chain ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyFolding.h"
#include "ChainInterpreter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Threading.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::chains;

/// Neighbours of a switch point that are looked at, on each side.
static constexpr int64_t kNeighbours = 2;

/// A row of thresholds.
template <typename T>
static SmallVector<T> getRow(QuantizeOp op, int64_t channel) {
  auto constant = op.getThresholds().getDefiningOp<arith::ConstantOp>();
  auto values = cast<DenseElementsAttr>(constant.getValue()).getValues<T>();
  ArrayRef<int64_t> shape = op.getThresholds().getType().getShape();
  auto first = values.begin() + (shape.size() == 2 ? channel * shape[1] : 0);
  return SmallVector<T>(first, first + shape.back());
}

static std::vector<Number> getIntegers(FoldedQuantize &pair, int64_t channel) {
  int64_t low = int64_t(pair.ranges[channel].low);
  int64_t high = int64_t(pair.ranges[channel].high);
  std::vector<int64_t> points = {low, high, 0};
  for (int64_t i = 1; i < 32; ++i)
    points.push_back(low + (high - low) * i / 32);
  for (int32_t t : getRow<int32_t>(pair.folded, channel)) {
    points.push_back(t);
    points.push_back(-int64_t(t));
  }
  std::vector<Number> numbers;
  for (int64_t point : points)
    for (int64_t d = -kNeighbours; d <= kNeighbours; ++d)
      if (point + d >= low && point + d <= high)
        numbers.push_back(Number(point + d));
  return numbers;
}

static std::vector<Number> getFloats(FoldedQuantize &pair, int64_t channel) {
  const FloatRange &range = pair.ranges[channel];
  // With their neighbours; both thresholds and their mirror images.
  std::vector<float> points = {0.0f,
                               -0.0f,
                               INFINITY,
                               -INFINITY,
                               range.low,
                               range.high,
                               1e-45f,
                               -1e-45f,
                               1.1754944e-38f,
                               1.1754942e-38f,
                               -1.1754944e-38f,
                               3.4028235e38f,
                               -3.4028235e38f,
                               1.0f,
                               -1.0f};
  for (float t : getRow<float>(pair.folded, channel)) {
    points.push_back(t);
    points.push_back(-t);
  }
  std::vector<Number> numbers;
  auto add = [&](int64_t at) {
    float x = fromOrdered(int32_t(at));
    if (x >= range.low && x <= range.high)
      numbers.push_back(Number(llvm::APFloat(x)));
  };
  for (float point : points)
    for (int64_t d = -kNeighbours; d <= kNeighbours; ++d)
      if (int64_t at = int64_t(toOrdered(point)) + d;
          !std::isnan(point) && at >= toOrdered(-INFINITY) &&
          at <= toOrdered(INFINITY))
        add(at);
  // All over the range, for what has no threshold but should.
  for (int exponent = -148; exponent < 128; exponent += 6)
    for (float sign : {1.0f, -1.0f})
      add(toOrdered(
          std::ldexp(sign * (1.0f + float(exponent & 7) / 8.0f), exponent)));
  if (range.nan)
    numbers.push_back(Number(llvm::APFloat(std::nanf(""))));
  return numbers;
}

namespace {
struct Mismatch {
  Number at;
  /// No code: an op that the interpreter does not know.
  std::optional<unsigned> expected, got;
  Operation *unknown;
};
} // namespace

/// Values of the sources for one value of the source or the sum.
static SmallVector<SmallVector<Number, 2>>
split(FoldedQuantize &pair, int64_t channel, const Number &x) {
  if (pair.originalSources.size() == 1)
    return {{x}};
  int64_t first = pair.firstBound;
  int64_t second = int64_t(pair.ranges[channel].high) - first;
  int64_t low = std::max(-first, x.i - second);
  int64_t high = std::min(first, x.i + second);
  SmallVector<SmallVector<Number, 2>> all;
  for (int64_t i : {low, (low + high) / 2, high})
    all.push_back({Number(i), Number(x.i - i)});
  return all;
}

static std::optional<Mismatch> verifyChannel(FoldedQuantize &pair,
                                             int64_t channel) {
  bool integers =
      getElementTypeOrSelf(pair.folded.getInput().getType()).isInteger();
  bool negated = !pair.negated.empty() && pair.negated[channel];
  std::vector<Number> numbers =
      integers ? getIntegers(pair, channel) : getFloats(pair, channel);
  // In two corners by turns: constants might vary between them.
  ArrayRef<int64_t> shape = pair.original.getType().getShape();
  SmallVector<int64_t> corners[2];
  for (int64_t size : shape) {
    corners[0].push_back(0);
    corners[1].push_back(ShapedType::isDynamic(size) ? 0 : size - 1);
  }
  corners[0].back() = corners[1].back() = channel;
  Interpreter before(pair.originalSources), after(pair.foldedSources);
  for (auto [n, x] : llvm::enumerate(numbers)) {
    for (const SmallVector<Number, 2> &sources : split(pair, channel, x)) {
      SmallVector<Number, 2> folded(sources);
      if (negated)
        folded[0] = integers ? Number(-x.i) : Number(-x.f);
      std::optional<unsigned> expected =
          before.getCode(pair.original, corners[n % 2], sources);
      std::optional<unsigned> got =
          after.getCode(pair.folded, corners[n % 2], folded);
      if (!expected || !got)
        return Mismatch{x, expected, got,
                        expected ? after.getStop() : before.getStop()};
      if (*expected != *got)
        return Mismatch{x, expected, got, nullptr};
    }
  }
  return std::nullopt;
}

LogicalResult chains::verifyFolding(FoldedQuantize pair) {
  int64_t channels = pair.original.getType().getShape().back();
  std::vector<std::optional<Mismatch>> mismatches(channels);
  parallelFor(pair.original->getContext(), 0, channels, [&](size_t c) {
    mismatches[c] = verifyChannel(pair, int64_t(c));
  });
  for (auto [channel, mismatch] : llvm::enumerate(mismatches)) {
    if (!mismatch)
      continue;
    InFlightDiagnostic error = pair.original.emitError();
    if (mismatch->unknown)
      return error << "expected a folded chain that can be verified, but got '"
                   << mismatch->unknown->getName() << "'";
    SmallString<32> at;
    if (getElementTypeOrSelf(pair.folded.getInput().getType()).isInteger())
      at = std::to_string(mismatch->at.i);
    else
      mismatch->at.f.toString(at, /*FormatPrecision=*/9);
    return error << "expected the code " << *mismatch->expected
                 << " of the chain for a source of " << at << " in channel "
                 << channel << ", but got " << *mismatch->got
                 << " by the thresholds";
  }
  return success();
}
