//===- OrderedFloat.h - Floats as integers of one order ---------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_ANALYSIS_ORDEREDFLOAT_H
#define BQUANT_LIB_ANALYSIS_ORDEREDFLOAT_H

#include <cstdint>
#include <cstring>

namespace bquant {

/// Floats but NaN as integers in the same order: ..., -0.0 is -1, +0.0 is 0,
/// the least subnormal 1, ...
inline int32_t toOrdered(float x) {
  int32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits >= 0 ? bits : -1 - (bits & 0x7fffffff);
}
inline float fromOrdered(int32_t i) {
  int32_t bits = i >= 0 ? i : int32_t(0x80000000u | uint32_t(-1 - i));
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

} // namespace bquant

#endif // BQUANT_LIB_ANALYSIS_ORDEREDFLOAT_H
