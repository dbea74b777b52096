//===- SumSteps.cpp - Steps by the sum of two accumulators ----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// s i + s j in floats is not s (i + j): each product and the sum round. But a
// quantize behind it mostly cannot tell. The steps of the chain by the float
// sum are known; for each integer sum n all rounded sums lie near s n, so that
// they are on one side of each step, or are so few that each is looked at.
//
//===----------------------------------------------------------------------===//

#include "SwitchPoints.h"
#include <algorithm>

// As in the evaluator: products are rounded before they are added.
#pragma STDC FP_CONTRACT OFF

using namespace bquant::chains;

/// Sums that are looked at one by one.
static constexpr int64_t kMostSums = int64_t(1) << 20;

std::optional<Stop>
bquant::chains::findSumSteps(const Chain &chain, int64_t channel,
                             const Coder &coder, float factor, int64_t first,
                             int64_t second, size_t limit, Steps &result) {
  float most = factor * float(first) + factor * float(second);
  if (!(factor > 0) || !std::isfinite(most) || first + second > 1 << 24 ||
      first + second > kMostSums)
    return Stop{-1, "scales two accumulators beyond what can be summed"};
  Steps floats;
  if (std::optional<Stop> stop = bisectSteps(
          chain, channel, coder, {-most, most, false}, limit, floats))
    return stop;

  // Both products and their sum are off by half a unit at most; the sum is no
  // larger than `most`.
  double slack = std::ldexp(double(most), -22) + 1e-44;
  auto stepOf = [&](double y) {
    return std::upper_bound(floats.steps.begin(), floats.steps.end(), y,
                            [](double y, const Step &step) {
                              return y < fromOrdered(int32_t(step.at));
                            }) -
           floats.steps.begin();
  };
  auto codeOf = [&](std::ptrdiff_t step) {
    return step ? floats.steps[step - 1].code : floats.first;
  };
  result = {};
  for (int64_t n = -first - second; n <= first + second; ++n) {
    double y = double(factor) * double(n);
    std::ptrdiff_t step = stepOf(y - slack);
    if (step != stepOf(y + slack)) {
      int64_t low = std::max(-first, n - second);
      int64_t high = std::min(first, n + second);
      for (int64_t i = low; i <= high; ++i) {
        float sum = factor * float(i) + factor * float(n - i);
        std::ptrdiff_t got = stepOf(sum);
        if (i == low)
          step = got;
        else if (codeOf(got) != codeOf(step))
          return Stop{-1, "the sum of two accumulators does not decide"};
      }
    }
    unsigned code = codeOf(step);
    if (n == -first - second)
      result.first = code;
    else if (code !=
             (result.steps.empty() ? result.first : result.steps.back().code))
      result.steps.push_back({n, code});
  }
  return std::nullopt;
}
