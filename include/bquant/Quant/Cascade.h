//===- Cascade.h - The sign cascade of one value ----------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The f32 arithmetic that defines the planes: whatever solves, stores or
// compiles scalars has to agree with these functions in every bit.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_QUANT_CASCADE_H
#define BQUANT_QUANT_CASCADE_H

#include "bquant/Quant/Scheme.h"

#include <cstdint>

namespace bquant::quant {

/// The code of `x`: bit i is 1 where plane i is +1. `factors` holds v_i, for
/// ratio planes the f32 products m_i v.
///
///   s_1 = sign(x), r_1 = x;  s_i = sign(r_i), r_i = r_{i-1} - v_{i-1} s_{i-1}
///
/// in f32, with sign(x) = +1 for x >= 0 (both zeros) and -1 otherwise (NaN,
/// too). A product with +-1 is exact, so adding and subtracting v is the same.
inline unsigned cascadeCode(float x, const float *factors, int64_t planes) {
  unsigned code = 0;
  float r = x;
  for (int64_t i = 0; i < planes; ++i) {
    bool positive = r >= 0.0f;
    code |= unsigned(positive) << i;
    r = positive ? r - factors[i] : r + factors[i];
  }
  return code;
}

/// The code with plane 1 as its highest bit, as tables of codes have it, with
/// plane i as bit i instead; and back.
inline unsigned planesOfCode(unsigned code, int64_t planes) {
  unsigned reversed = 0;
  for (int64_t i = 0; i < planes; ++i)
    reversed |= ((code >> i) & 1) << (planes - 1 - i);
  return reversed;
}

/// The value of a code of independent planes: v_1 s_1 + v_2 s_2 + ... in f32,
/// from left to right.
inline float decodeIndependent(unsigned code, const float *scalars,
                               int64_t planes) {
  float value = 0.0f;
  for (int64_t i = 0; i < planes; ++i) {
    float term = scalars[i] * ((code >> i) & 1 ? 1.0f : -1.0f);
    value = i == 0 ? term : value + term;
  }
  return value;
}

/// The same behind an offset c: (c + v_1 s_1) + v_2 s_2 + ...
inline float decodeIndependent(unsigned code, const float *scalars,
                               int64_t planes, float offset) {
  for (int64_t i = 0; i < planes; ++i)
    offset += scalars[i] * ((code >> i) & 1 ? 1.0f : -1.0f);
  return offset;
}

/// The value that `x` is quantized to by independent planes.
inline float roundTrip(float x, const float *scalars, int64_t planes) {
  return decodeIndependent(cascadeCode(x, scalars, planes), scalars, planes);
}

/// The value of a code of ratio planes: (m_1 s_1 + m_2 s_2 + ...) v, the sum
/// in integers, one f32 product.
inline float decodeRatios(unsigned code, const std::vector<int64_t> &ratios,
                          float scalar) {
  int64_t sum = 0;
  for (size_t i = 0; i < ratios.size(); ++i)
    sum += (code >> i) & 1 ? ratios[i] : -ratios[i];
  return float(sum) * scalar;
}

} // namespace bquant::quant

#endif // BQUANT_QUANT_CASCADE_H
