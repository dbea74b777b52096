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
  /// The bits of the last threshold, which is packed as `most`; what is above
  /// it is too.
  int32_t end;

  BQUANT_INLINE void pack(const Ints &magnitudes, Words &to) const {
    Ints clamped = __builtin_elementwise_min(magnitudes, Ints(end));
    Floats values = __builtin_bit_cast(Floats, clamped);
    Ints packed = __builtin_convertvector((values - least) * scale, Ints);
    to = __builtin_bit_cast(Words, packed) + (1u << sumBits);
  }
};
} // namespace

void Thresholds::setSteps(float leastValue) {
  least = leastValue;
  // Subnormal values may be less than a step, which the error says.
  scale = std::min(Packing::most / (magnitudeOfBits(bits[number - 1]) - least),
                   0x1p100f);
}

void SumsUnder::add(const SumsUnder &other) {
  for (int j = 0; j < Thresholds::number; ++j) {
    counts[j] += other.counts[j];
    sums[j] += other.sums[j];
  }
  total.add(other.total);
  most = std::max(most, other.most);
  isExact &= other.isExact;
}

double SumsUnder::getSum(const Thresholds &thresholds, int threshold) const {
  // What is cut off of a value is half a step in the middle.
  double count = double(counts[threshold]);
  return (double(sums[threshold]) + count / 2) / thresholds.scale +
         count * thresholds.least;
}

BQUANT_VECTOR_CLONES
void bquant::quant::sumUnder(const Range &range, const Thresholds &thresholds,
                             SumsUnder &under) {
  Packing packing{thresholds.least, thresholds.scale,
                  thresholds.bits[Thresholds::number - 1]};
  constexpr int together = 4; // as many as registers hold
  CarriedLanes total;
  Ints most = 0;
  bool isExact = true;
  Words counts[Thresholds::number] = {};
  int64_t sums[Thresholds::number] = {};
  for (int64_t i = 0; i < range.size; i += chunk) {
    // What fills up the last vector is counted, and adds 0 to sums.
    Ints magnitudes[steps];
    int64_t numSteps =
        loadMagnitudes(range.values + i, range.size - i,
                       bitsOfMagnitude(packing.least), magnitudes);
    isExact &= total.addChunk(magnitudes, numSteps);
    Words packed[steps];
    for (int64_t step = 0; step < numSteps; ++step) {
      packing.pack(magnitudes[step], packed[step]);
      most = __builtin_elementwise_max(most, magnitudes[step]);
      if (range.next)
        __builtin_prefetch(range.next + i + step * lanes);
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
  int64_t filledUp = (lanes - range.size % lanes) % lanes;
  for (int j = 0; j < Thresholds::number; ++j) {
    under.counts[j] =
        __builtin_reduce_add(__builtin_convertvector(counts[j], Longs)) -
        filledUp;
    under.sums[j] = sums[j];
  }
  under.total = total.sum();
  under.total.add(-double(filledUp) * packing.least);
  under.most = __builtin_reduce_max(most);
  under.isExact = isExact;
}

using HalfInts = int32_t __attribute__((ext_vector_type(lanes / 2)));
using HalfBools = bool __attribute__((ext_vector_type(lanes / 2)));

static BQUANT_INLINE uint8_t bitsOfBools(const HalfInts &bools) {
  return __builtin_bit_cast(uint8_t, __builtin_convertvector(bools, HalfBools));
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
    uint8_t isBetween[2 * steps] = {};
    Doubles sum = 0;
    for (int64_t step = 0; step < numSteps; ++step) {
      Ints isUnder = magnitudes[step] < Ints(least);
      Ints isUnderEnd = magnitudes[step] < Ints(end);
      // By halves: AVX2 has an instruction for eight.
      isBetween[2 * step] =
          bitsOfBools(isUnderEnd.lo) ^ bitsOfBools(isUnder.lo);
      isBetween[2 * step + 1] =
          bitsOfBools(isUnderEnd.hi) ^ bitsOfBools(isUnder.hi);
      magnitudes[step] &= isUnder;
      sum += __builtin_convertvector(
          __builtin_bit_cast(Floats, magnitudes[step]), Doubles);
    }
    if (range.isExact)
      sums.add(sum);
    else
      sums.addChunk(magnitudes, numSteps);
    // Few are kept: how many is foreseen more often for several vectors, and in
    // whole batches.
    constexpr int64_t together = 64 / lanes, batch = 4;
    float found[chunk + batch];
    int64_t numFound = 0;
    for (int64_t step = 0; step < steps; step += together) {
      uint64_t left;
      std::memcpy(&left, isBetween + 2 * step, sizeof(left));
      const float *first = range.values + i + step * lanes;
      int64_t end = numFound + __builtin_popcountll(left);
      for (int64_t to = numFound; to < end; to += batch)
        for (int64_t j = to; j < to + batch; ++j, left &= left - 1)
          found[j] = first[left ? __builtin_ctzll(left) : 0];
      numFound = end;
    }
    for (int64_t j = 0; j < numFound; ++j)
      to[kept + j] = std::fabs(found[j]);
    kept += numFound;
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
