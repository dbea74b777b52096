//===- Sort.h - Sort magnitudes ---------------------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_QUANT_SORT_H
#define BQUANT_LIB_QUANT_SORT_H

#include "Namespace.h"

#include <cstdint>

namespace bquant::quant {
inline namespace BQUANT_SOLVERS {

/// Magnitudes |x| as the bits of their f32, whose order as integers is their
/// order as floats (NaN last).
inline float magnitudeOfBits(uint32_t bits) {
  return __builtin_bit_cast(float, bits);
}
inline int32_t bitsOfMagnitude(float magnitude) {
  return __builtin_bit_cast(int32_t, magnitude);
}

/// Sorts |x| ascending into `scratch` (2 n words) and returns where the n
/// sorted words start, in one half or the other.
const uint32_t *sortMagnitudes(const float *x, int64_t n, uint32_t *scratch);

/// So few words are sorted best by counting what goes before each.
constexpr int64_t mostByRank = 64;

/// Sorts up to `mostByRank` words below 2^31 ascending into `to`.
BQUANT_VECTOR_CLONES
void sortByRank(const uint32_t *words, int64_t n, uint32_t *to);

} // namespace BQUANT_SOLVERS
} // namespace bquant::quant

#endif // BQUANT_LIB_QUANT_SORT_H
