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
// and of the schemes that it is compared with, for N values that share one set
// of scalars. They allocate nothing, so that a compiled network calls them, too
// (online scalars). Arrays and axes are the business of Quantize.h.
//
//   ls-1   v = mean |x|
//   ls-2   With a = sort |x|, a split into a lower part of n0 values (mean m0)
//          and an upper part of n1 values (mean m1) gives
//            v1 = (m1 + m0) / 2, v2 = (m1 - m0) / 2
//          with squared error sum x^2 - n0 m0^2 - n1 m1^2. The split of least
//          error among all N is the optimum over all signs and scalars; of
//          equal ones the one with the least n0.
//   ls-T   Values {-2v, 0, 2v}: 2v = m1, error sum x^2 - n1 m1^2; of equal ones
//          the one with the least n1.
//   ls-k   k >= 3, v1 >= v2 >= ..: nearest levels and least-squares scalars in
//          turn, from several starts; but for rounding never worse than gf-k
//          and than fewer planes.
//   gf-k   r = x; v_i = mean |r|, s_i = sign r, r -= v_i s_i (f32)
//   twn    D = 0.7 mean |x|; 0 where |x| <= D, else +-2v with 2v the mean of
//          |x| over those values. F. Li, B. Zhang, B. Liu: Ternary weight
//          networks (arXiv 1605.04711)
//   dorefa-k    With n = 2^k - 1: round(n min(max(x, 0), 1)) / n, halves up.
//   dorefa-w-k  2 round(n (tanh x / (2 max |tanh x|) + 1/2)) / n - 1; k = 1 is
//          ls-1. S. Zhou et al.: DoReFa-Net (arXiv 1606.06160)
//   hwgq-k 0 where x <= 0, else the nearest of D, 2D, .., nD, halves down, with
//          the D that is best for the positive half of N(0, 1), which x is
//          expected to be drawn from (behind a batch norm). Z. Cai et al.: Deep
//          learning with low precision by half-wave Gaussian quantization
//          (arXiv 1702.00953)
//
// In a foldable scheme the planes follow from the scalars by the sign cascade
// (Cascade.h). In the others the rank of x among 2^k - 1 thresholds selects a
// code: r = the number of t_i <= x, code = codes[r].
//
// Sums are in double. f32 magnitudes lie in [2^-149, 2^128), so neither sums
// nor squares can leave double's range; scaling the data first by a power of
// two would change the exponents only and is left out. Scalars are rounded to
// f32 once; thresholds to the least f32 for which the comparison is true.
//
// A mean is summed in one order, which compiled networks keep, too: see
// meanPartials. Values with NaN or Inf among them give scalars that are all the
// quiet NaN of bits 0x7fc00000, whatever the machine.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_QUANT_SOLVE_H
#define BQUANT_QUANT_SOLVE_H

#include "bquant/Quant/Scheme.h"

#include <cstddef>
#include <cstdint>

namespace bquant::quant {

/// The sums of ls-1, gf-k and twn consist of partial sums, `meanPartials` for
/// each of the parts of the values: value i of a part goes to its partial sum i
/// mod meanPartials. Parts are runs of equal length, whole multiples of
/// meanPartials; of the values behind them, fewer than there are partial sums,
/// the first goes to the first one, and so on. Each is summed in the order of
/// the values, and at the end they are added to 0 from the first to the last.
inline constexpr int64_t meanPartials = 32;

/// How many parts `n` values have: threads may share them.
inline constexpr int64_t maxMeanParts = 8;
inline int64_t numMeanParts(int64_t n) { return n < 8192 ? 1 : maxMeanParts; }

/// ls-2 and ls-T search values in parts of so many, and what they find is
/// merged in the order of the parts.
inline constexpr int64_t solvePartSize = 4096;

/// The bytes of scratch that `solve` needs for `n` values.
size_t solveScratchBytes(const Scheme &scheme, int64_t n);

/// What `solve` writes for one set of values; what is null is left out.
struct Solution {
  /// planes.numScalars() scalars.
  float *scalars = nullptr;
  /// The offset c, 0 for planes without one.
  float *offset = nullptr;
  /// Of schemes that are not foldable: planes.numCodes() - 1 thresholds,
  /// ascending, and as many codes and one. The bits of a code are the planes,
  /// plane 1 the highest.
  float *thresholds = nullptr;
  uint8_t *codes = nullptr;
};

/// Solves for the n >= 1 values `x`. `scratch` holds solveScratchBytes(scheme,
/// n) bytes, aligned to 8. The scheme is not one of rule Given. Data that is
/// all zero gives zero scalars, but for dorefa-k and hwgq-k, whose scalars do
/// not depend on the data; NaN and Inf give scalars without meaning, but
/// nothing worse.
void solve(const Scheme &scheme, const float *x, int64_t n,
           const Solution &solution, void *scratch);

/// The scalars alone.
inline void solve(const Scheme &scheme, const float *x, int64_t n,
                  float *scalars, void *scratch) {
  Solution solution;
  solution.scalars = scalars;
  solve(scheme, x, n, solution, scratch);
}

/// Thresholds and codes that send each value to the nearest of the 2^k values
/// +-v_1 +- v_2 .. as f32 decodes them, a tie to the greater. Where each v_i is
/// at least the sum of those after it, these are the codes of the cascade.
void nearestLevels(const float *scalars, int64_t planes, float *thresholds,
                   uint8_t *codes);

} // namespace bquant::quant

#endif // BQUANT_QUANT_SOLVE_H
