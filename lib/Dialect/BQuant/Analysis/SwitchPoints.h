//===- SwitchPoints.h - Where the code of a chain changes -------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A quantize behind a chain is a step function of the chain's source. Its steps
// are read off the chain itself: by bisection on the intervals where the chain
// is monotone, or, for an integer source whose chain is not known to be so, by
// evaluating all values that it can take.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_ANALYSIS_SWITCHPOINTS_H
#define BQUANT_LIB_ANALYSIS_SWITCHPOINTS_H

#include "MonotoneIntervals.h"
#include <cmath>

namespace bquant::chains {

/// The quantize of one channel: a sign cascade, or ranks among thresholds.
struct Coder {
  /// The f32 products m_i v_i; empty: thresholds.
  std::vector<float> factors;
  /// Ascending, NaN (never) last; and a code for each rank.
  std::vector<float> thresholds;
  std::vector<unsigned> codes;

  /// Does not fall as x rises; NaN has the least, 0.
  unsigned rank(float x) const;
  unsigned codeOfRank(unsigned rank) const {
    return factors.empty() ? codes[rank] : rank;
  }
  /// Plane 1 is the highest bit.
  unsigned code(float x) const { return codeOfRank(rank(x)); }

  /// NaN, which is never, equals nothing.
  bool operator==(const Coder &other) const {
    return factors == other.factors && thresholds == other.thresholds &&
           codes == other.codes;
  }
};

/// From `at` on the code is `code`.
struct Step {
  int64_t at;
  unsigned code;
};

/// A step function of integers, or of ordered floats (then perhaps NaN).
/// Neighbouring codes differ.
struct Steps {
  /// The code of NaN, where NaN can occur.
  std::optional<unsigned> nan;
  /// The code of the least value.
  unsigned first = 0;
  std::vector<Step> steps;
};

/// What a float source can be.
struct FloatRange {
  float low = -INFINITY, high = INFINITY;
  bool nan = true;
};

/// The codes of all integers low..high, each evaluated.
std::optional<Stop> enumerateSteps(const Chain &chain, int64_t channel,
                                   const Coder &coder, int64_t low,
                                   int64_t high, size_t limit, Steps &result);

/// The same by bisection where the chain is found monotone, else by
/// enumeration.
std::optional<Stop> findIntegerSteps(const Chain &chain, int64_t channel,
                                     const Coder &coder, int64_t low,
                                     int64_t high, size_t limit, Steps &result);

/// The codes of all floats of the range, `at` by toOrdered. Both zeros have one
/// code: a step is at -0.0, never at +0.0.
std::optional<Stop> bisectSteps(const Chain &chain, int64_t channel,
                                const Coder &coder, FloatRange range,
                                size_t limit, Steps &result);

/// The codes by the sum of two integers of magnitudes up to `first` and
/// `second`, where the chain's source is their rounded sum
/// `factor * i + factor * j`. Stops where i and j decide more than their sum.
std::optional<Stop> findSumSteps(const Chain &chain, int64_t channel,
                                 const Coder &coder, float factor,
                                 int64_t first, int64_t second, size_t limit,
                                 Steps &result);

} // namespace bquant::chains

#endif // BQUANT_LIB_ANALYSIS_SWITCHPOINTS_H
