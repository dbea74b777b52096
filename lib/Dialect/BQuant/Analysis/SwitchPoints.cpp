//===- SwitchPoints.cpp - Where the code of a chain changes ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SwitchPoints.h"
#include <algorithm>

using namespace bquant::chains;

/// Integers evaluated at once.
static constexpr size_t kBlock = 256;

/// Accumulators are enumerated up to this magnitude.
static constexpr int64_t kMostIntegers = int64_t(1) << 23;

unsigned Coder::rank(float x) const {
  if (factors.empty())
    return unsigned(std::count_if(thresholds.begin(), thresholds.end(),
                                  [x](float t) { return t <= x; }));
  unsigned code = 0;
  for (float factor : factors) {
    bool positive = x >= 0.0f;
    code = code << 1 | unsigned(positive);
    x = positive ? x - factor : x + factor;
  }
  return code;
}

static Stop tooManySteps(size_t limit) {
  return {-1, "the code changes more than " + std::to_string(limit) + " times"};
}

/// maxnum and minnum of two zeros give either; what divides by that has no
/// known value.
static std::optional<Stop> findUnknownZero(const Chain &chain) {
  std::vector<bool> unknown(chain.nodes.size());
  for (size_t i = 0; i < chain.nodes.size(); ++i) {
    const ChainNode &node = chain.nodes[i];
    auto isUnknown = [&](int k) {
      return node.operands[k] >= 0 && unknown[node.operands[k]];
    };
    if ((node.op == ChainOp::Div && isUnknown(1)) ||
        (node.op == ChainOp::Rsqrt && isUnknown(0)))
      return Stop{int(i), "depends on the sign of a zero"};
    unknown[i] = node.op == ChainOp::MaxNum || node.op == ChainOp::MinNum ||
                 (node.op != ChainOp::Compare && node.op != ChainOp::Sign &&
                  (isUnknown(0) || isUnknown(1) || isUnknown(2)));
  }
  return std::nullopt;
}

std::optional<Stop>
bquant::chains::enumerateSteps(const Chain &chain, int64_t channel,
                               const Coder &coder, int64_t low, int64_t high,
                               size_t limit, Steps &result) {
  if (std::optional<Stop> stop = findUnknownZero(chain))
    return stop;
  if (high - low > kMostIntegers)
    return Stop{-1, "the accumulator has too large a range"};
  ChainEvaluator evaluator(chain, channel, kBlock);
  result = {};
  std::optional<unsigned> previous;
  for (int64_t start = low; start <= high; start += kBlock) {
    size_t n = size_t(std::min<int64_t>(kBlock, high - start + 1));
    for (size_t i = 0; i < n; ++i)
      evaluator.input()[i].i = int32_t(start + int64_t(i));
    evaluator.run(n);
    const Cell *values = evaluator.values(chain.result());
    for (size_t i = 0; i < n; ++i) {
      unsigned code = coder.code(values[i].f);
      if (!previous)
        result.first = code;
      else if (code != *previous)
        result.steps.push_back({start + int64_t(i), code});
      previous = code;
    }
    if (result.steps.size() > limit)
      return tooManySteps(limit);
  }
  return std::nullopt;
}

namespace {
/// Finds the steps of ranks on an interval where they rise or fall.
struct Bisection {
  ChainEvaluator &evaluator;
  const Coder &coder;
  /// Gives up on more steps.
  size_t most;
  std::vector<Step> &steps;

  unsigned rank(int64_t at) { return coder.rank(evaluator.at(int32_t(at))); }
  void run(int64_t first, unsigned firstRank, int64_t last, unsigned lastRank) {
    if (firstRank == lastRank || steps.size() > most)
      return;
    if (last - first == 1)
      return steps.push_back({last, coder.codeOfRank(lastRank)});
    int64_t middle = first + (last - first) / 2;
    unsigned middleRank = rank(middle);
    run(first, firstRank, middle, middleRank);
    run(middle, middleRank, last, lastRank);
  }
};
} // namespace

/// The steps on all intervals of a range of positions.
static std::optional<Stop> readIntervals(const Chain &chain,
                                         ChainEvaluator &evaluator,
                                         const Coder &coder, Interval whole,
                                         size_t limit, Steps &result) {
  std::vector<Interval> intervals;
  if (std::optional<Stop> stop =
          findMonotoneIntervals(chain, evaluator, whole, intervals))
    return stop;
  std::vector<Step> steps;
  // Ranks that have one code, and beginnings of intervals, are no steps in the
  // end.
  Bisection bisection{evaluator, coder, 4 * limit + intervals.size(), steps};
  for (Interval interval : intervals) {
    unsigned first = bisection.rank(interval.first);
    steps.push_back({interval.first, coder.codeOfRank(first)});
    bisection.run(interval.first, first, interval.last,
                  bisection.rank(interval.last));
    if (steps.size() > bisection.most)
      return tooManySteps(limit);
  }
  // Neighbouring codes differ.
  result = {};
  result.first = steps.front().code;
  unsigned previous = result.first;
  for (const Step &step : steps)
    if (step.code != previous) {
      result.steps.push_back(step);
      previous = step.code;
    }
  if (result.steps.size() > limit)
    return tooManySteps(limit);
  return std::nullopt;
}

std::optional<Stop>
bquant::chains::findIntegerSteps(const Chain &chain, int64_t channel,
                                 const Coder &coder, int64_t low, int64_t high,
                                 size_t limit, Steps &result) {
  if (!findUnknownZero(chain)) {
    ChainEvaluator evaluator(chain, channel);
    if (!readIntervals(chain, evaluator, coder, {int32_t(low), int32_t(high)},
                       limit, result))
      return std::nullopt;
  }
  return enumerateSteps(chain, channel, coder, low, high, limit, result);
}

std::optional<Stop> bquant::chains::bisectSteps(const Chain &chain,
                                                int64_t channel,
                                                const Coder &coder,
                                                FloatRange range, size_t limit,
                                                Steps &result) {
  if (std::optional<Stop> stop = findUnknownZero(chain))
    return stop;
  ChainEvaluator evaluator(chain, channel);
  // Both zeros or none.
  Interval whole = {range.low == 0 ? -1 : toOrdered(range.low),
                    range.high == 0 ? 0 : toOrdered(range.high)};
  if (std::optional<Stop> stop =
          readIntervals(chain, evaluator, coder, whole, limit, result))
    return stop;
  for (const Step &step : result.steps)
    if (step.at == toOrdered(0.0f))
      return Stop{-1, "-0.0 and +0.0 have different codes"};
  if (range.nan)
    result.nan = coder.code(evaluator(std::nanf("")));
  return std::nullopt;
}
