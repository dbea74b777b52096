//===- LST.cpp - ls-T: ternary, least squares -----------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two planes with v1 = v2 = v: levels -2v, 0 and 2v. The values of the upper
// part of a split of sorted |x| go to 2v, the others to 0; then the error
// sum x^2 - n1 (2v)^2 is least at 2v = m1, the mean of the upper part, and the
// best split has the largest n1 m1^2. The threshold of the nearest level is v.
//
//===----------------------------------------------------------------------===//

#include "Solvers.h"
#include "Sort.h"
#include "Sums.h"

void bquant::quant::solveLST(const float *x, int64_t n, float *scalars,
                             uint32_t *scratch) {
  const uint32_t *sorted = sortMagnitudes(x, n, scratch);
  double best = 0, m1 = 0;
  CarriedSum upper;
  for (int64_t n1 = 1; n1 <= n; ++n1) {
    upper.add(magnitudeOfBits(sorted[n - n1]));
    double sum = upper.value();
    double gain = sum * sum / double(n1);
    if (gain > best) {
      best = gain;
      m1 = sum / double(n1);
    }
  }
  scalars[0] = float(m1 / 2);
}
