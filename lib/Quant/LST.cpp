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
// best split has the largest n1 m1^2, of equal ones that of the smallest n1.
// The threshold of the nearest level is v.
//
//===----------------------------------------------------------------------===//

#include "Solvers.h"
#include "Sort.h"
#include "Split.h"

void bquant::quant::solveLST(const SplitWindow &window, int64_t n,
                             float *scalars) {
  double best = 0, m1 = window.total.value(); // NaN of bad data stays
  CarriedSum lower = window.sumBelow;
  for (int64_t i = 0; i <= window.size; ++i) {
    if (i > 0)
      lower.add(magnitudeOfBits(window.sorted[i - 1]));
    int64_t n1 = n - window.below - i;
    if (n1 == 0)
      continue;
    double upper = window.total.minus(lower);
    double gain = upper * upper / double(n1);
    if (gain >= best) {
      best = gain;
      m1 = upper / double(n1);
    }
  }
  scalars[0] = float(m1 / 2);
  spreadNaN(scalars, 1);
}
