//===- GF.cpp - gf-k: k planes, greedy and foldable -----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One ls-1 after the other on what is left: v_i = mean |r|, s_i = sign r,
// r -= v_i s_i. The residual is that of the f32 cascade with the rounded
// scalars, so each scalar is the best one for what the cascade really leaves.
//
//===----------------------------------------------------------------------===//

#include "Solvers.h"
#include "Sums.h"

void bquant::quant::solveGF(const float *x, int64_t n, int64_t planes,
                            float *scalars, float *residual) {
  const float *r = x;
  for (int64_t p = 0; p < planes; ++p) {
    float v = scalars[p] = float(meanMagnitude(r, n));
    if (p + 1 == planes)
      break;
    for (int64_t i = 0; i < n; ++i)
      residual[i] = r[i] >= 0.0f ? r[i] - v : r[i] + v;
    r = residual;
  }
  spreadNaN(scalars, planes);
}
