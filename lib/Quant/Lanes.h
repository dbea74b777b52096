//===- Lanes.h - Many magnitudes at a time ----------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vectors of a fixed number of lanes, which every target splits into registers
// of its own, so that all machines compute the same bits. A magnitude |x| is
// the bits of its f32, whose order as integers is their order as floats (NaN
// last).
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_QUANT_LANES_H
#define BQUANT_LIB_QUANT_LANES_H

#include "Namespace.h"
#include "Sums.h"

#include <algorithm>
#include <cstring>

/// For what is compiled for its callers' vectors. These are by reference, since
/// Clang refuses what callees without such registers could not pass.
#define BQUANT_INLINE inline __attribute__((always_inline))

namespace bquant::quant {
inline namespace BQUANT_SOLVERS {

constexpr int64_t lanes = 16;
/// Values are worked on in chunks of so many vectors.
constexpr int64_t steps = 64;
constexpr int64_t chunk = lanes * steps;

using Ints = int32_t __attribute__((ext_vector_type(lanes)));
using Words = uint32_t __attribute__((ext_vector_type(lanes)));
using Longs = int64_t __attribute__((ext_vector_type(lanes)));
using Floats = float __attribute__((ext_vector_type(lanes)));
using Doubles = double __attribute__((ext_vector_type(lanes)));

/// Between which ends magnitudes lie, zeros left out.
struct Extent {
  Ints most = 0;
  Words leastBut1 = ~0u; // to which zeros are large

  BQUANT_INLINE void add(const Ints &magnitudes) {
    most = __builtin_elementwise_max(most, magnitudes);
    leastBut1 = __builtin_elementwise_min(
        leastBut1, __builtin_bit_cast(Words, magnitudes) - 1);
  }

  /// As magnitudes have 24 bits, the sum of up to a chunk of them in double is
  /// exact, and so is that of some of them, where their exponents are near
  /// enough; whether they are.
  BQUANT_INLINE bool isSumExact() const {
    constexpr int32_t stepBits = 6;
    static_assert(1 << stepBits == steps);
    int32_t highest = __builtin_reduce_max(most) >> 23;
    int32_t lowest = int32_t((__builtin_reduce_min(leastBut1) + 1) >> 23);
    // The sum is below 2^(highest + 1 + stepBits), in units of 2^(lowest - 23);
    // subnormal values have those of exponent 1.
    return highest - std::max(lowest, 1) + 24 + stepBits <= 53;
  }
};

/// Writes the magnitudes of up to a chunk of values, with `rest` to fill up the
/// last vector, and returns how many vectors they are, and between which ends.
BQUANT_INLINE int64_t loadMagnitudes(const float *x, int64_t size, int32_t rest,
                                     Ints *to, Extent &extent) {
  int64_t full = std::min(size, chunk) / lanes;
  for (int64_t step = 0; step < full; ++step) {
    Ints bits;
    std::memcpy(&bits, x + step * lanes, sizeof(bits));
    bits &= 0x7fffffff;
    to[step] = bits;
    extent.add(bits);
  }
  if (size >= chunk || size % lanes == 0)
    return full;
  to[full] = rest;
  for (int64_t lane = 0; lane < size % lanes; ++lane)
    to[full][lane] =
        __builtin_bit_cast(int32_t, std::fabs(x[full * lanes + lane]));
  extent.add(to[full]);
  return full + 1;
}

BQUANT_INLINE void convertMagnitudes(const Ints &magnitudes, Doubles &to) {
  to = __builtin_convertvector(__builtin_bit_cast(Floats, magnitudes), Doubles);
}

/// Carried sums that are independent of each other.
struct CarriedLanes {
  Doubles high = 0, low = 0;

  /// Knuth's two-sum, as in CarriedSum.
  BQUANT_INLINE void add(const Doubles &x) {
    Doubles sum = high + x;
    Doubles part = sum - high;
    low += (high - (sum - part)) + (x - part);
    high = sum;
  }

  /// Adds up to a chunk of magnitudes, whose sum in double is exact or not.
  BQUANT_INLINE void addChunk(const Ints *magnitudes, int64_t numSteps,
                              bool isExact) {
    Doubles sum = 0, values;
    for (int64_t step = 0; step < numSteps; ++step) {
      convertMagnitudes(magnitudes[step], values);
      if (isExact)
        sum += values;
      else
        add(values);
    }
    add(sum);
  }

  BQUANT_INLINE CarriedSum sum() const { return addHalves(high, low); }

private:
  template <typename Vector>
  static BQUANT_INLINE CarriedSum addHalves(const Vector &high,
                                            const Vector &low) {
    auto first = high.lo, second = high.hi, sum = first + second;
    auto part = sum - first;
    auto rest = low.lo + low.hi + ((first - (sum - part)) + (second - part));
    if constexpr (std::is_same_v<decltype(sum), double>)
      return {sum, rest};
    else
      return addHalves(sum, rest);
  }
};

} // namespace BQUANT_SOLVERS
} // namespace bquant::quant

#endif // BQUANT_LIB_QUANT_LANES_H
