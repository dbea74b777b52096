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

/// Positions evaluated at once.
static constexpr size_t kBlock = 256;

/// Accumulators are enumerated up to this magnitude.
static constexpr int64_t kMostIntegers = int64_t(1) << 23;

unsigned Coder::rank(float x) const {
  if (factors.empty())
    return unsigned(std::partition_point(thresholds.begin(), thresholds.end(),
                                         [x](float t) { return t <= x; }) -
                    thresholds.begin());
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
      evaluator.setPosition(i, int32_t(start + int64_t(i)));
    evaluator.run(n);
    const Cell *values = evaluator.results();
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
/// Finds the steps of ranks on an interval where they rise or fall: parts whose
/// ends differ are halved until they have two positions, all of one length
/// evaluated together.
class Bisection {
public:
  Bisection(ChainEvaluator &evaluator, const Coder &coder)
      : evaluator(evaluator), coder(coder) {}

  unsigned rank(int32_t at) { return coder.rank(evaluator.at(at)); }
  /// Appends the steps after `first`; false where they are more than `most`.
  bool run(Interval interval, unsigned firstRank, size_t most,
           std::vector<Step> &steps);

private:
  /// Positions with the ranks there, which differ.
  struct Part {
    int64_t first, last;
    unsigned firstRank, lastRank;

    bool isStep() const { return last - first == 1; }
    int64_t middle() const { return first + (last - first) / 2; }
  };

  void halve(const Part *begin, const Part *end);

  ChainEvaluator &evaluator;
  const Coder &coder;
  std::vector<Part> halves;
};
} // namespace

/// Appends to `halves` those of at most kBlock parts in which there are steps.
void Bisection::halve(const Part *begin, const Part *end) {
  for (const Part *part = begin; part != end; ++part)
    evaluator.setPosition(part - begin, int32_t(part->middle()));
  evaluator.run(end - begin);
  const Cell *middles = evaluator.results();
  for (const Part *part = begin; part != end; ++part, ++middles) {
    if (part->isStep()) {
      halves.push_back(*part);
      continue;
    }
    int64_t middle = part->middle();
    unsigned rank = coder.rank(middles->f);
    if (rank != part->firstRank)
      halves.push_back({part->first, middle, part->firstRank, rank});
    if (rank != part->lastRank)
      halves.push_back({middle, part->last, rank, part->lastRank});
  }
}

bool Bisection::run(Interval interval, unsigned firstRank, size_t most,
                    std::vector<Step> &steps) {
  std::vector<Part> parts;
  if (unsigned lastRank = rank(interval.last); lastRank != firstRank)
    parts.push_back({interval.first, interval.last, firstRank, lastRank});
  while (!std::all_of(parts.begin(), parts.end(),
                      [](const Part &part) { return part.isStep(); })) {
    // Each part has a step.
    if (parts.size() > most)
      return false;
    halves.clear();
    for (size_t i = 0; i < parts.size(); i += kBlock)
      halve(&parts[i], &parts[i] + std::min(kBlock, parts.size() - i));
    parts.swap(halves);
  }
  for (const Part &part : parts)
    steps.push_back({part.last, coder.codeOfRank(part.lastRank)});
  return parts.size() <= most;
}

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
  size_t most = 4 * limit + intervals.size();
  Bisection bisection(evaluator, coder);
  for (Interval interval : intervals) {
    unsigned first = bisection.rank(interval.first);
    steps.push_back({interval.first, coder.codeOfRank(first)});
    if (steps.size() > most ||
        !bisection.run(interval, first, most - steps.size(), steps))
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
    ChainEvaluator evaluator(chain, channel, kBlock);
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
  ChainEvaluator evaluator(chain, channel, kBlock);
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
