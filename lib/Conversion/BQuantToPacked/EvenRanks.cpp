//===- EvenRanks.cpp - Ranks among evenly spaced thresholds ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EvenRanks.h"
#include "Support/Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace bquant;

namespace {
/// What a rank has to be: `rankBefore` at the number before `at`, `rankAfter`
/// at it. All numbers are of f32 or i32.
struct Step {
  double at, before;
  int64_t rankBefore, rankAfter;
};
} // namespace

/// What compiled code computes in T. Product and sum are statements of their
/// own: they must not become an fma.
template <typename T> static T evaluate(const RankLine &line, T x) {
  T y = x * T(line.slope);
  y = y + T(line.start);
  y = y > T(line.least) ? y : T(line.least);
  return y < T(line.greatest) ? y : T(line.greatest);
}

template <typename T>
static bool isRight(const RankLine &line, ArrayRef<Step> steps) {
  return llvm::all_of(steps, [&](const Step &step) {
    return int64_t(evaluate(line, T(step.before))) == step.rankBefore &&
           int64_t(evaluate(line, T(step.at))) == step.rankAfter;
  });
}

/// The steps of thresholds from `first` on; equal ones are one.
template <typename T, typename Before>
static SmallVector<Step> getSteps(ArrayRef<T> thresholds, size_t first,
                                  Before before) {
  SmallVector<Step> steps;
  for (size_t n = first; n < thresholds.size(); ++n) {
    if (n != first && thresholds[n] == thresholds[n - 1])
      steps.back().rankAfter = n + 1;
    else
      steps.push_back({double(thresholds[n]), double(before(thresholds[n])),
                       int64_t(n), int64_t(n) + 1});
  }
  return steps;
}

/// The starts that fit every step with `slope`: from the first to less than the
/// second.
static std::pair<double, double> getStarts(double slope, ArrayRef<Step> steps) {
  double low = -std::numeric_limits<double>::infinity(), high = -low;
  for (const Step &step : steps) {
    low = std::max(low, step.rankAfter - slope * step.at);
    high = std::min(high, step.rankBefore + 1 - slope * step.before);
  }
  return {low, high};
}

/// The slope with most room for a start. The room is a concave function of it.
static double findSlope(ArrayRef<Step> steps) {
  auto getRoom = [&](double slope) {
    auto [low, high] = getStarts(slope, steps);
    return high - low;
  };
  const Step &front = steps.front(), &back = steps.back();
  double least = 0,
         most = (back.rankAfter + 1) /
                std::max(back.at - front.at, front.at - front.before);
  // A third less each turn.
  constexpr int kTurns = 64;
  for (int turn = 0; turn < kTurns; ++turn) {
    double third = (most - least) / 3, a = least + third, b = most - third;
    if (getRoom(a) < getRoom(b))
      least = a;
    else
      most = b;
  }
  return (least + most) / 2;
}

/// The line whose slope is the best one, or a number near it that somebody may
/// have written: 255 for 254.9999, 1/10 for 0.1000001.
template <typename T>
static std::optional<RankLine> fit(RankLine line, ArrayRef<Step> steps) {
  if (steps.empty())
    return line;
  double best = findSlope(steps);
  for (double slope : {best, std::round(best), 1 / std::round(1 / best)}) {
    auto [low, high] = getStarts(slope, steps);
    double middle = (low + high) / 2;
    for (double start : {middle, std::round(2 * middle) / 2}) {
      line.slope = T(slope);
      line.start = T(start);
      if (isRight<T>(line, steps))
        return line;
    }
  }
  return std::nullopt;
}

std::optional<RankLine> bquant::fitRankLine(ArrayRef<int32_t> thresholds,
                                            bool isBounded) {
  size_t first = 0, last = thresholds.size();
  while (first < last &&
         thresholds[first] == std::numeric_limits<int32_t>::min())
    ++first;
  while (isBounded && last > first &&
         thresholds[last - 1] == std::numeric_limits<int32_t>::max())
    --last;
  SmallVector<Step> steps = getSteps(thresholds.take_front(last), first,
                                     [](int64_t t) { return t - 1; });
  return fit<double>({0, 0, double(first), double(last)}, steps);
}

std::optional<RankLine> bquant::fitRankLine(ArrayRef<float> thresholds,
                                            bool inF64) {
  while (!thresholds.empty() && std::isnan(thresholds.back()))
    thresholds = thresholds.drop_back();
  if (!llvm::all_of(thresholds, [](float t) { return std::isfinite(t); }))
    return std::nullopt;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  SmallVector<Step> steps = getSteps(
      thresholds, 0, [](float t) { return std::nextafter(t, -kInfinity); });
  RankLine line{0, 0, 0, double(thresholds.size())};
  return inF64 ? fit<double>(line, steps) : fit<float>(line, steps);
}

//===----------------------------------------------------------------------===//
// IR
//===----------------------------------------------------------------------===//

/// Fewer thresholds are compared with in less time.
static constexpr int64_t kFewest = 7;
/// More are much slower to compare with, which users are told.
static constexpr int64_t kMostCompared = 15;

/// A line for each row of `thresholds`, in f64 or f32; or none at all.
static SmallVector<RankLine> fitRankLines(ArrayRef<uint32_t> thresholds,
                                          int64_t row, bool areFloats,
                                          bool inF64, bool isBounded) {
  SmallVector<RankLine> lines;
  for (; !thresholds.empty(); thresholds = thresholds.drop_front(row)) {
    ArrayRef<uint32_t> own = thresholds.take_front(row);
    std::optional<RankLine> line =
        areFloats
            ? fitRankLine(
                  llvm::map_to_vector<0>(
                      own, [](uint32_t t) { return llvm::bit_cast<float>(t); }),
                  inF64)
            : fitRankLine(llvm::map_to_vector<0>(
                              own, [](uint32_t t) { return int32_t(t); }),
                          isBounded);
    if (!line)
      return {};
    lines.push_back(*line);
  }
  return lines;
}

SmallVector<Value> bquant::createQuantizeByLines(ImplicitLocOpBuilder &b,
                                                 QuantizeOp op, Value input,
                                                 TypeRange elements,
                                                 FinishRank finish) {
  auto type = cast<RankedTensorType>(op.getThresholds().getType());
  int64_t row = type.getShape().back(), rank = op.getType().getRank();
  if (row < kFewest)
    return {};
  auto compare = [&](const Twine &reason) -> SmallVector<Value> {
    if (row > kMostCompared)
      remarks::missed(op, "thresholds-compared",
                      "compares each value with " + Twine(row) +
                          " thresholds, since " + reason);
    return {};
  };
  std::optional<SmallVector<uint32_t>> bits =
      getConstantBits(op.getThresholds());
  if (!bits)
    return compare("they are not constant");
  if (!llvm::equal(*op.getCodes(), llvm::seq<int64_t>(0, row + 1)))
    return compare("its codes are not the ranks");
  bool areFloats = type.getElementType().isF32(), inF64 = !areFloats;
  // Sums of products are far from the greatest integer.
  bool isBounded =
      isa_and_nonnull<Conv2DOp, MatmulOp>(op.getInput().getDefiningOp());
  SmallVector<RankLine> lines =
      fitRankLines(*bits, row, areFloats, inF64, isBounded);
  if (lines.empty() && areFloats) {
    inF64 = true;
    lines = fitRankLines(*bits, row, areFloats, inF64, isBounded);
  }
  if (lines.empty())
    return compare("they are not evenly spaced, or one is 0");

  Type number = inF64 ? b.getF64Type() : b.getF32Type();
  Inputs inputs(input);
  // One number, or one for each index of the last dimension.
  auto addRow = [&](double RankLine::*member) {
    SmallVector<Attribute> values;
    for (const RankLine &line : lines)
      values.push_back(b.getFloatAttr(number, line.*member));
    auto constant = arith::ConstantOp::create(
        b, DenseElementsAttr::get(
               RankedTensorType::get(type.getShape().drop_back(), number),
               values));
    SmallVector<int64_t> loops(type.getRank() - 1, rank - 1);
    return inputs.add(constant, getLoopMap(b.getContext(), rank, loops));
  };
  Inputs::Handle slope = addRow(&RankLine::slope),
                 start = addRow(&RankLine::start),
                 least = addRow(&RankLine::least),
                 greatest = addRow(&RankLine::greatest);
  return createElementwise(
      b, tensor::getMixedSizes(b, b.getLoc(), input), elements, inputs,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value y = args.front();
        if (!areFloats)
          y = arith::SIToFPOp::create(b, loc, number, y);
        else if (inF64)
          y = arith::ExtFOp::create(b, loc, number, y);
        y = arith::MulFOp::create(b, loc, y, slope.get(b, loc, args));
        y = arith::AddFOp::create(b, loc, y, start.get(b, loc, args));
        // Ordered: NaN becomes the least.
        auto limit = [&](arith::CmpFPredicate predicate, Value bound) {
          Value holds = arith::CmpFOp::create(b, loc, predicate, y, bound);
          y = arith::SelectOp::create(b, loc, holds, y, bound);
        };
        limit(arith::CmpFPredicate::OGT, least.get(b, loc, args));
        limit(arith::CmpFPredicate::OLT, greatest.get(b, loc, args));
        return finish(b, loc,
                      arith::FPToSIOp::create(b, loc, b.getI32Type(), y));
      });
}
