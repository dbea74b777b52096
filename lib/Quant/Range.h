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

#include <algorithm>

namespace bquant::quant {
inline namespace BQUANT_SOLVERS {

/// The values that are still looked at, the least and the most of them.
struct Range {
  const float *values;
  int64_t size;
  float least = 0, most = 0;
  /// What is fetched to the cache while values are summed, as many as there
  /// are: likely the next row. Null for nothing.
  const float *next = nullptr;
};

/// Where to cut a range. Magnitudes are told apart by cells: those whose bits
/// as f32 are the same but for the last ones, numbered from some magnitude on;
/// the first and the last cell have all that is beyond, too.
struct Cuts {
  /// The bits of the least magnitude of cell 0, and how many bits cells leave
  /// out.
  int32_t base, shift;
  static constexpr int32_t firstCell = -128, lastCell = 126;

  static constexpr int number = 14;
  /// Ascending cells: what lies under each is counted.
  int8_t cells[number];
  /// What lies between two of them is the window, which is kept.
  static constexpr int window = 5;

  int8_t getCell(int32_t bits) const {
    return int8_t(std::clamp((bits - base) >> shift, firstCell, lastCell));
  }
  /// The least magnitude of a cell, as bits from `least` to `most`.
  int32_t getBits(int8_t cell, int32_t least, int32_t most) const {
    if (cell == firstCell)
      return least;
    if (cell > lastCell)
      return most;
    return int32_t(
        std::clamp<int64_t>(base + cell * (int64_t(1) << shift), least, most));
  }
};

/// What a pass over values finds. That of parts of the values adds up to that
/// of all.
struct Found {
  /// How many lie under each cut.
  int64_t under[Cuts::number] = {};
  /// The sums of all, of those under the window, and of those in it.
  CarriedSum total, below, inside;
  /// The largest of all, and the ends of those in the window.
  int32_t mostOfAll = 0, least = INT32_MAX, most = 0;

  void add(const Found &other);
  int64_t numBelow() const { return under[Cuts::window]; }
  int64_t numKept() const {
    return under[Cuts::window + 1] - under[Cuts::window];
  }
};

/// Counts and sums, and copies what is kept to `to`, which has room for all of
/// the range.
BQUANT_VECTOR_CLONES
void scan(const Range &range, const Cuts &cuts, float *to, Found &found);

/// The largest magnitude.
BQUANT_VECTOR_CLONES
float findMost(const float *values, int64_t size);

} // namespace BQUANT_SOLVERS
} // namespace bquant::quant

#endif // BQUANT_LIB_QUANT_RANGE_H
