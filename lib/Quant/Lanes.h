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
constexpr int64_t steps = 32;
constexpr int64_t chunk = lanes * steps;

using Ints = int32_t __attribute__((ext_vector_type(lanes)));
using Words = uint32_t __attribute__((ext_vector_type(lanes)));
using Longs = int64_t __attribute__((ext_vector_type(lanes)));
using Floats = float __attribute__((ext_vector_type(lanes)));
using Doubles = double __attribute__((ext_vector_type(lanes)));

/// Writes the magnitudes of up to a chunk of values, with `rest` to fill up the
/// last vector, and returns how many vectors they are.
BQUANT_INLINE int64_t loadMagnitudes(const float *x, int64_t size, int32_t rest,
                                     Ints *to) {
  int64_t full = std::min(size, chunk) / lanes;
  for (int64_t step = 0; step < full; ++step) {
    Ints bits;
    std::memcpy(&bits, x + step * lanes, sizeof(bits));
    to[step] = bits & 0x7fffffff;
  }
  if (size >= chunk || size % lanes == 0)
    return full;
  to[full] = rest;
  for (int64_t lane = 0; lane < size % lanes; ++lane)
    to[full][lane] =
        __builtin_bit_cast(int32_t, std::fabs(x[full * lanes + lane]));
  return full + 1;
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

  /// Adds up to a chunk of magnitudes. As these have 24 bits, their sum in
  /// double is exact, and so is that of some of them, where the exponents are
  /// near enough; returns whether they are.
  BQUANT_INLINE bool addChunk(const Ints *magnitudes, int64_t numSteps) {
    constexpr int32_t stepBits = 5;
    static_assert(1 << stepBits == steps);
    Ints most = 0;
    Words leastBut1 = ~0u; // to which zeros are large
    Doubles sum = 0;
    for (int64_t step = 0; step < numSteps; ++step) {
      most = __builtin_elementwise_max(most, magnitudes[step]);
      leastBut1 = __builtin_elementwise_min(
          leastBut1, __builtin_bit_cast(Words, magnitudes[step]) - 1);
      sum += __builtin_convertvector(
          __builtin_bit_cast(Floats, magnitudes[step]), Doubles);
    }
    int32_t highest = __builtin_reduce_max(most) >> 23;
    int32_t lowest = int32_t((__builtin_reduce_min(leastBut1) + 1) >> 23);
    // The sum is below 2^(highest + 1 + stepBits), in units of 2^(lowest - 23);
    // subnormal values have those of exponent 1.
    bool isExact = highest - std::max(lowest, 1) + 24 + stepBits <= 53;
    if (isExact)
      add(sum);
    for (int64_t step = 0; !isExact && step < numSteps; ++step)
      add(__builtin_convertvector(__builtin_bit_cast(Floats, magnitudes[step]),
                                  Doubles));
    return isExact;
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
