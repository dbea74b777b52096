//===- MonotoneIntervals.cpp - Where a chain is monotone ------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Intervals are analyzed from left to right, and split where their analysis
// says.
//
//===----------------------------------------------------------------------===//

#include "IntervalAnalysis.h"

using namespace bquant::chains;

/// Chains with more intervals are none that anybody wrote.
static constexpr size_t kMaxIntervals = 256;

std::optional<Stop>
bquant::chains::findMonotoneIntervals(const Chain &chain,
                                      ChainEvaluator &evaluator, Interval whole,
                                      std::vector<Interval> &intervals) {
  IntervalAnalysis analysis(chain, evaluator);
  // The intervals still to look at, the leftmost last.
  std::vector<Interval> rest{whole};
  intervals.clear();
  while (!rest.empty()) {
    Interval interval = rest.back();
    IntervalAnalysis::Outcome outcome = analysis.run(interval);
    if (outcome == IntervalAnalysis::Outcome::Stop)
      return analysis.stop;
    rest.pop_back();
    if (outcome == IntervalAnalysis::Outcome::Monotone) {
      intervals.push_back(interval);
      continue;
    }
    if (intervals.size() + rest.size() > kMaxIntervals)
      return Stop{-1, "the chain has too many intervals"};
    auto test = [&](int32_t at) {
      evaluator.at(at);
      return analysis.split(evaluator);
    };
    // The first position that is as the last one.
    bool last = test(interval.last);
    int64_t below = interval.first, found = interval.last;
    while (found - below > 1) {
      int64_t middle = below + (found - below) / 2;
      (test(int32_t(middle)) == last ? found : below) = middle;
    }
    rest.push_back({int32_t(found), interval.last});
    rest.push_back({interval.first, int32_t(found - 1)});
  }
  return std::nullopt;
}
