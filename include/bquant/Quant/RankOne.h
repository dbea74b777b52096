//===- RankOne.h - Signs times a matrix of rank one -------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For analysis only. X^q = S .* (a b^T) with S = sign X: a scale for each row
// and each column. A scale along the reduction of a product cannot leave a
// popcount, so this is not compiled; it tells what such scales would be worth.
//
//   rank-1  a b^T = sigma_1 u_1 v_1^T of |X|, the best of all
//   xnor    b = 1, a_i = mean_j |X_ij|: the special case of XNOR-Net
//
// In both a b^T is a projection of |X|, so the squared error is
// ||X||^2 - ||a b^T||^2. For many normal values both come to an energy of
// 2 / pi.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_QUANT_RANKONE_H
#define BQUANT_QUANT_RANKONE_H

#include "bquant/Quant/Result.h"

#include <cstdint>
#include <vector>

namespace bquant::quant {

struct RankOne {
  /// a
  std::vector<double> rows;
  /// b, with a mean square of 1.
  std::vector<double> columns;
  /// ||X^q||^2 / ||X||^2, for rank-1 sigma_1^2 / ||X||_F^2; the rest is the
  /// relative squared error. 1 where X is all zero.
  double energy = 1;
};

enum class RankOneRule { RankOne, XNOR };

/// Solves for a row-major matrix. Fails for NaN, Inf and a size below 1.
Result<RankOne> solveRankOne(const float *x, int64_t numRows,
                             int64_t numColumns, RankOneRule rule);

} // namespace bquant::quant

#endif // BQUANT_QUANT_RANKONE_H
