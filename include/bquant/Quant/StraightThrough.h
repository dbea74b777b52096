//===- StraightThrough.h - The cascade in training --------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A training step quantizes every activation once and passes a gradient back
// through it; each is one pass over the values here. With y = clamp(x, -d, d),
//
//   r_1 = y,  s_i = sign(r_i),  r_{i+1} = r_i - v_i s_i,  x^q = sum_i v_i s_i,
//
// and a slope h(r) in place of the derivative of each sign,
//
//   g_1 = [|x| <= d],  g_{i+1} = g_i (1 - v_i h(r_i)),
//   dx^q/dx = sum_i v_i h(r_i) g_i.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_QUANT_STRAIGHTTHROUGH_H
#define BQUANT_QUANT_STRAIGHTTHROUGH_H

#include <cstdint>

namespace bquant::quant {

enum class Slope {
  /// h(r) = 1 where |r| <= 1, else 0.
  HardTanh,
  /// dx^q/dx = 1 where |x| <= d.
  Identity,
  /// Bi-Real Net's: h(r) = 2 - 2|r| where |r| <= 1, else 0.
  ApproxSign,
};

/// `groups` runs of `size` values, each with scalars of its own.
struct CascadeArray {
  const float *values;
  int64_t groups, size;
  /// [planes, groups]; with `isTernary` [1, groups], of two planes.
  const float *scalars;
  int64_t planes;
  bool isTernary;
  /// d; infinity for none.
  float clamp;
};

/// x^q, with the bits of torch's operations one by one. NaN is below 0.
void cascade(const CascadeArray &x, float *out);

/// gradient * dx^q/dx.
void cascadeGradient(const CascadeArray &x, Slope slope, const float *gradient,
                     float *out);

} // namespace bquant::quant

#endif // BQUANT_QUANT_STRAIGHTTHROUGH_H
