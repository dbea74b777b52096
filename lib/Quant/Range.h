//===- Range.h - Values between two magnitudes ------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a search for the best split does with all values that are left: each of
// these functions reads them once.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_QUANT_RANGE_H
#define BQUANT_LIB_QUANT_RANGE_H

#include "Namespace.h"
#include "Sums.h"

namespace bquant::quant {
inline namespace BQUANT_SOLVERS {

/// The values that are still looked at, the least and the most of them.
struct Range {
  const float *values;
  int64_t size;
  float least = 0, most = 0;
  /// Whether the sums of a chunk are exact in double, as those of part of it.
  bool isExact = false;
  /// What is fetched to the cache while values are summed, as many as there
  /// are: likely the next row. Null for nothing.
  const float *next = nullptr;
};

/// Where to count and sum: ascending magnitudes, all above the least value.
struct Thresholds {
  static constexpr int number = 8;
  /// Of f32, whose order as integers is their order as floats.
  int32_t bits[number];
  /// The least value. What is above it is summed in steps of a fixed width.
  float least;
  /// Steps in 1.
  float scale;

  /// Of thresholds in order.
  void setSteps(float leastValue);
  /// What a sum of some of `n` values may be wrong by.
  double getError(int64_t n) const { return double(n) / scale; }
};

/// What lies under each threshold, and what all values are. Sums of parts of
/// the values add up to those of all.
struct SumsUnder {
  int64_t counts[Thresholds::number] = {};
  /// In steps, each value rounded down, from the least one on.
  int64_t sums[Thresholds::number] = {};
  CarriedSum total;
  int32_t most = 0;
  bool isExact = true;

  void add(const SumsUnder &other);
  /// What the values under a threshold add up to.
  double getSum(const Thresholds &thresholds, int threshold) const;
};

/// Counts and sums the values under each threshold.
BQUANT_VECTOR_CLONES
void sumUnder(const Range &range, const Thresholds &thresholds,
              SumsUnder &under);

/// Copies the values from `least` to below `end`, given by their bits, to `to`,
/// adds up those under `least` in `below`, and returns how many it has copied.
BQUANT_VECTOR_CLONES
int64_t keepBetween(const Range &range, int32_t least, int32_t end, float *to,
                    CarriedSum &below);

/// Finds the least and the most.
BQUANT_VECTOR_CLONES
void findEnds(Range &range);

} // namespace BQUANT_SOLVERS
} // namespace bquant::quant

#endif // BQUANT_LIB_QUANT_RANGE_H
