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

namespace {
/// A value in steps of a fixed width, and the number 1 above it: so a lane adds
/// up both, for as many values as it has in a chunk.
struct Packing {
  static constexpr int sumBits = 26;
  static constexpr float most = (1 << 21) - 2;
  static_assert(steps == 1 << (sumBits - 21) && steps <= 1 << (31 - sumBits));

  float least, scale;
  /// The bits of a value that is packed as `most`; what is above it is too.
  int32_t end;

  BQUANT_INLINE void pack(const Ints &magnitudes, Words &to) const {
    Ints clamped = __builtin_elementwise_min(magnitudes, Ints(end));
    Floats values = __builtin_bit_cast(Floats, clamped);
    Ints packed = __builtin_convertvector((values - least) * scale, Ints);
    to = __builtin_bit_cast(Words, packed) + (1u << sumBits);
  }
};
} // namespace

BQUANT_VECTOR_CLONES
CarriedSum bquant::quant::sumUnder(Range &range, Thresholds &thresholds) {
  int32_t end = thresholds.bits[Thresholds::number - 1];
  // Subnormal values may be less than a step, which the error says.
  Packing packing{
      range.least,
      std::min(Packing::most / (magnitudeOfBits(end) - range.least), 0x1p100f),
      end};
  constexpr int together = 2; // as many as few registers hold
  CarriedLanes total;
  Ints most = 0;
  range.isExact = true;
  Words counts[Thresholds::number] = {};
  int64_t sums[Thresholds::number] = {};
  for (int64_t i = 0; i < range.size; i += chunk) {
    // What fills up the last vector is counted, and adds 0 to sums.
    Ints magnitudes[steps];
    int64_t numSteps =
        loadMagnitudes(range.values + i, range.size - i,
                       bitsOfMagnitude(packing.least), magnitudes);
    range.isExact &= total.addChunk(magnitudes, numSteps);
    Words packed[steps];
    for (int64_t step = 0; step < numSteps; ++step) {
      packing.pack(magnitudes[step], packed[step]);
      most = __builtin_elementwise_max(most, magnitudes[step]);
    }
    for (int first = 0; first < Thresholds::number; first += together) {
      Words under[together] = {};
      for (int64_t step = 0; step < numSteps; ++step)
        for (int j = 0; j < together; ++j)
          under[j] += magnitudes[step] < Ints(thresholds.bits[first + j])
                          ? packed[step]
                          : Words(0);
      for (int j = 0; j < together; ++j) {
        counts[first + j] += under[j] >> Packing::sumBits;
        sums[first + j] +=
            __builtin_reduce_add(under[j] & ((1u << Packing::sumBits) - 1));
      }
    }
  }
  range.most = magnitudeOfBits(__builtin_reduce_max(most));
  int64_t filledUp = (lanes - range.size % lanes) % lanes;
  for (int j = 0; j < Thresholds::number; ++j) {
    int64_t count =
        __builtin_reduce_add(__builtin_convertvector(counts[j], Longs)) -
        filledUp;
    thresholds.counts[j] = double(count);
    // What is cut off of a value is half a step in the middle.
    thresholds.sums[j] = (double(sums[j]) + double(count) / 2) / packing.scale +
                         double(count) * packing.least;
  }
  thresholds.error = double(range.size) / packing.scale;
  CarriedSum sum = total.sum();
  sum.add(-double(filledUp) * packing.least);
  return sum;
}

BQUANT_VECTOR_CLONES
int64_t bquant::quant::keepBetween(const Range &range, int32_t least,
                                   int32_t end, float *to, CarriedSum &below) {
  CarriedLanes sums;
  int64_t kept = 0;
  for (int64_t i = 0; i < range.size; i += chunk) {
    Ints magnitudes[steps];
    int64_t numSteps =
        loadMagnitudes(range.values + i, range.size - i, INT32_MAX, magnitudes);
    uint16_t isBetween[steps] = {};
    for (int64_t step = 0; step < numSteps; ++step) {
      Ints isUnder = magnitudes[step] < Ints(least);
      Bools bits = __builtin_convertvector(
          ~isUnder & (magnitudes[step] < Ints(end)), Bools);
      isBetween[step] = __builtin_bit_cast(uint16_t, bits);
      magnitudes[step] &= isUnder;
    }
    if (range.isExact)
      sums.addExact(magnitudes, numSteps);
    else
      sums.addChunk(magnitudes, numSteps);
    // Few are kept: one branch for several vectors is foreseen more often.
    constexpr int64_t together = 64 / lanes;
    for (int64_t step = 0; step < steps; step += together) {
      uint64_t left;
      std::memcpy(&left, isBetween + step, sizeof(left));
      for (; left != 0; left &= left - 1) {
        int64_t j = i + step * lanes + __builtin_ctzll(left);
        to[kept++] = std::fabs(range.values[j]);
      }
    }
  }
  below = sums.sum();
  return kept;
}

BQUANT_VECTOR_CLONES
void bquant::quant::findEnds(Range &range) {
  Ints least = INT32_MAX, most = 0;
  for (int64_t i = 0; i < range.size; i += chunk) {
    Ints magnitudes[steps];
    int64_t numSteps =
        loadMagnitudes(range.values + i, range.size - i,
                       bitsOfMagnitude(std::fabs(range.values[0])), magnitudes);
    for (int64_t step = 0; step < numSteps; ++step) {
      least = __builtin_elementwise_min(least, magnitudes[step]);
      most = __builtin_elementwise_max(most, magnitudes[step]);
    }
  }
  range.least = magnitudeOfBits(__builtin_reduce_min(least));
  range.most = magnitudeOfBits(__builtin_reduce_max(most));
}
