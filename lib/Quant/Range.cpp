//===- Range.cpp - Values between two magnitudes --------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Range.h"
#include "Lanes.h"
#include "Sort.h"

#include <algorithm>

using namespace bquant::quant;

void Found::add(const Found &other) {
  for (int j = 0; j < Cuts::number; ++j)
    under[j] += other.under[j];
  total.add(other.total);
  below.add(other.below);
  inside.add(other.inside);
  mostOfAll = std::max(mostOfAll, other.mostOfAll);
  least = std::min(least, other.least);
  most = std::max(most, other.most);
}

// Half as wide, so that all of a loop's sums fit into the registers of AVX2.
using HalfDoubles = double __attribute__((ext_vector_type(lanes / 2)));

/// The number of cells in a vector.
constexpr int64_t cellLanes = 32;
using Cells = int8_t __attribute__((ext_vector_type(cellLanes)));
using CellCounts = uint8_t __attribute__((ext_vector_type(cellLanes)));
using CellInts = int32_t __attribute__((ext_vector_type(cellLanes)));
using CellBools = bool __attribute__((ext_vector_type(cellLanes)));
/// The number of values whose cells are counted in bytes.
constexpr int64_t block = 4096;
static_assert(block / cellLanes < 256 && block % chunk == 0);

/// Adds up magnitudes, and the same capped.
static BQUANT_INLINE void addBoth(const Ints *magnitudes, int64_t numSteps,
                                  double cap, bool isExact, CarriedLanes &total,
                                  CarriedLanes &capped) {
  if (isExact) {
    HalfDoubles sum[2] = {}, cappedSum[2] = {};
    for (int64_t step = 0; step < numSteps; ++step) {
      Floats values = __builtin_bit_cast(Floats, magnitudes[step]);
      HalfDoubles lo = __builtin_convertvector(values.lo, HalfDoubles);
      sum[0] += lo;
      cappedSum[0] += lo < cap ? lo : HalfDoubles(cap);
      HalfDoubles hi = __builtin_convertvector(values.hi, HalfDoubles);
      sum[1] += hi;
      cappedSum[1] += hi < cap ? hi : HalfDoubles(cap);
    }
    total.add(__builtin_shufflevector(sum[0], sum[1], 0, 1, 2, 3, 4, 5, 6, 7, 8,
                                      9, 10, 11, 12, 13, 14, 15));
    capped.add(__builtin_shufflevector(cappedSum[0], cappedSum[1], 0, 1, 2, 3,
                                       4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
                                       15));
    return;
  }
  for (int64_t step = 0; step < numSteps; ++step) {
    Doubles values;
    convertMagnitudes(magnitudes[step], values);
    total.add(values);
    capped.add(values < cap ? values : Doubles(cap));
  }
}

/// Writes the cells of up to a chunk of magnitudes, of two vectors at a time.
static BQUANT_INLINE void findCells(Ints *magnitudes, int64_t numSteps,
                                    const Cuts &cuts, int8_t *to) {
  static_assert(cellLanes == 2 * lanes && steps % 2 == 0);
  if (numSteps % 2 != 0)
    magnitudes[numSteps] = 0;
  for (int64_t step = 0; step < numSteps; step += 2) {
    CellInts cells;
    std::memcpy(&cells, magnitudes + step, sizeof(cells));
    cells = (cells - cuts.base) >> cuts.shift;
    // To the range of a byte, as the instructions that narrow do.
    cells = __builtin_elementwise_max(cells, CellInts(INT8_MIN));
    cells = __builtin_elementwise_min(cells, CellInts(INT8_MAX));
    Cells bytes = __builtin_convertvector(cells, Cells);
    bytes = __builtin_elementwise_min(bytes, Cells(Cuts::lastCell));
    std::memcpy(to + step * lanes, &bytes, sizeof(bytes));
  }
}

/// Adds how many of up to a block of cells lie under each cut.
static BQUANT_INLINE void countCells(const int8_t *cells, int64_t size,
                                     const Cuts &cuts, int64_t *under) {
  constexpr int together = 7; // as many as registers hold
  static_assert(Cuts::number % together == 0);
  for (int first = 0; first < Cuts::number; first += together) {
    CellCounts counts[together] = {};
    for (int64_t i = 0; i < size; i += cellLanes) {
      Cells own;
      std::memcpy(&own, cells + i, sizeof(own));
      for (int j = 0; j < together; ++j)
        counts[j] -=
            __builtin_bit_cast(CellCounts, own < Cells(cuts.cells[first + j]));
    }
    for (int j = 0; j < together; ++j)
      under[first + j] +=
          __builtin_reduce_add(__builtin_convertvector(counts[j], CellInts));
  }
}

/// Copies the values of a block that are in the window; returns where the next
/// one goes.
static BQUANT_INLINE float *keepCells(const float *values, const int8_t *cells,
                                      int64_t size, const Cuts &cuts,
                                      float *to) {
  for (int64_t i = 0; i < size; i += 64) {
    uint64_t left = 0;
    for (int64_t half = 0; half < 2; ++half) {
      Cells own;
      std::memcpy(&own, cells + i + half * cellLanes, sizeof(own));
      auto isKept = (own >= Cells(cuts.cells[Cuts::window])) &
                    (own < Cells(cuts.cells[Cuts::window + 1]));
      uint32_t bits = __builtin_bit_cast(
          uint32_t, __builtin_convertvector(isKept, CellBools));
      left |= uint64_t(bits) << (half * cellLanes);
    }
    if (size - i < 64) {
      // No more is written than there is.
      for (; left; left &= left - 1)
        *to++ = values[i + __builtin_ctzll(left)];
      return to;
    }
    // Few are kept: how many is foreseen more often in whole batches.
    constexpr int64_t batch = 4;
    int64_t count = __builtin_popcountll(left);
    for (int64_t j = 0; j < count; j += batch)
      for (int64_t k = j; k < j + batch; ++k, left &= left - 1)
        to[k] = values[i + __builtin_ctzll(left | (uint64_t(1) << 63))];
    to += count;
  }
  return to;
}

/// Makes magnitudes of what was kept, and finds their sum and ends.
static BQUANT_INLINE void measure(float *kept, int64_t size, Found &found) {
  CarriedLanes sum;
  Ints least = INT32_MAX, most = 0;
  for (int64_t i = 0; i < size; i += chunk) {
    // The first value fills up the last vector.
    Ints magnitudes[steps];
    Extent extent;
    int64_t numSteps =
        loadMagnitudes(kept + i, size - i, bitsOfMagnitude(std::fabs(kept[0])),
                       magnitudes, extent);
    for (int64_t step = 0; step < numSteps; ++step)
      least = __builtin_elementwise_min(least, magnitudes[step]);
    std::memcpy(kept + i, magnitudes,
                std::min(chunk, size - i) * sizeof(float));
    most = __builtin_elementwise_max(most, extent.most);
    sum.addChunk(magnitudes, numSteps, extent.isSumExact());
  }
  found.inside = sum.sum();
  if (size % lanes != 0)
    found.inside.add(-double(lanes - size % lanes) * kept[0]);
  found.least = __builtin_reduce_min(least);
  found.most = __builtin_reduce_max(most);
}

BQUANT_VECTOR_CLONES
void bquant::quant::scan(const Range &range, const Cuts &cuts, float *to,
                         Found &found) {
  found = Found();
  // The sum of what is under the window is that of all magnitudes, capped at
  // its lower end, less the caps: so each is converted once.
  int32_t capBits = cuts.getBits(cuts.cells[Cuts::window], 0, INT32_MAX);
  float cap = magnitudeOfBits(capBits);
  CarriedLanes total, capped;
  Ints most = 0;
  float *next = to;
  for (int64_t first = 0; first < range.size; first += block) {
    int64_t size = std::min(block, range.size - first);
    int8_t cells[block];
    for (int64_t i = 0; i < size; i += chunk) {
      // Zeros fill up the last vector.
      Ints magnitudes[steps];
      Extent extent;
      int64_t numSteps = loadMagnitudes(range.values + first + i, size - i, 0,
                                        magnitudes, extent);
      most = __builtin_elementwise_max(most, extent.most);
      extent.leastBut1 = __builtin_elementwise_min(
          extent.leastBut1, Words(uint32_t(capBits) - 1));
      addBoth(magnitudes, numSteps, cap, extent.isSumExact(), total, capped);
      findCells(magnitudes, numSteps, cuts, cells + i);
      if (range.next)
        for (int64_t step = 0; step < numSteps; ++step)
          __builtin_prefetch(range.next + first + i + step * lanes);
    }
    // Over all cuts.
    for (int64_t i = size; i % 64 != 0; ++i)
      cells[i] = Cuts::lastCell + 1;
    countCells(cells, size, cuts, found.under);
    next = keepCells(range.values + first, cells, size, cuts, next);
  }

  found.total = total.sum();
  found.below = capped.sum();
  found.below.add(-double(range.size - found.numBelow()) * cap);
  found.mostOfAll = __builtin_reduce_max(most);
  measure(to, next - to, found);
}

BQUANT_VECTOR_CLONES
float bquant::quant::findMost(const float *values, int64_t size) {
  Extent extent;
  for (int64_t i = 0; i < size; i += chunk) {
    Ints magnitudes[steps];
    loadMagnitudes(values + i, size - i, 0, magnitudes, extent);
  }
  return magnitudeOfBits(__builtin_reduce_max(extent.most));
}
