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

/// What lies under each of ascending thresholds: all are above the least value.
struct Thresholds {
  static constexpr int number = 8;
  /// Of f32, whose order as integers is their order as floats.
  int32_t bits[number];
  double counts[number], sums[number];
  /// What a sum may be wrong by.
  double error;
};

/// Counts and sums the values under each threshold. Returns the sum of all, and
/// finds the most of them.
BQUANT_VECTOR_CLONES
CarriedSum sumUnder(Range &range, Thresholds &thresholds);

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
