//===- Solve.h - The scalars of one set of values ---------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The solvers of
//
//   H. Pouransari, Z. Tu, O. Tuzel: Least squares binary quantization of
//   neural networks, CVPR workshops 2020 (arXiv 2001.02786)
//
// for N values that share one set of scalars. They allocate nothing, so that a
// compiled network calls them, too (online scalars). Arrays and axes are the
// business of Quantize.h.
//
//   ls-1   v = mean |x|
//   ls-2   With a = sort |x|, a split into a lower part of n0 values (mean m0)
//          and an upper part of n1 values (mean m1) gives
//            v1 = (m1 + m0) / 2, v2 = (m1 - m0) / 2
//          with squared error sum x^2 - n0 m0^2 - n1 m1^2. The split of least
//          error among all N is the optimum over all signs and scalars.
//   ls-T   Values {-2v, 0, 2v}: 2v = m1, error sum x^2 - n1 m1^2.
//   gf-k   r = x; v_i = mean |r|, s_i = sign r, r -= v_i s_i (f32)
//
// Sums are in double. f32 magnitudes lie in [2^-149, 2^128), so neither sums
// nor squares can leave double's range; scaling the data first by a power of
// two would change the exponents only and is left out. Scalars are rounded to
// f32 once.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_QUANT_SOLVE_H
#define BQUANT_QUANT_SOLVE_H

#include "bquant/Quant/Scheme.h"

#include <cstddef>
#include <cstdint>

namespace bquant::quant {

/// The bytes of scratch that `solve` needs for `n` values.
size_t solveScratchBytes(const Scheme &scheme, int64_t n);

/// Writes the scheme.planes.numScalars() scalars for the n >= 1 values `x` to
/// `scalars`. `scratch` holds solveScratchBytes(scheme, n) bytes, aligned to 8.
/// The scheme is not one of rule Given. Data that is all zero gives zeros; NaN
/// and Inf give scalars without meaning, but nothing worse.
void solve(const Scheme &scheme, const float *x, int64_t n, float *scalars,
           void *scratch);

} // namespace bquant::quant

#endif // BQUANT_QUANT_SOLVE_H
