//===- LS1.cpp - ls-1: one plane, least squares ---------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For a fixed v >= 0 the best signs are those of x; then the error
// sum (|x| - v)^2 is least at v = mean |x|.
//
//===----------------------------------------------------------------------===//

#include "Solvers.h"
#include "Sums.h"

void bquant::quant::solveLS1(const float *x, int64_t n, float *scalars) {
  scalars[0] = float(meanMagnitude(x, n));
  spreadNaN(scalars, 1);
}
