//===- LS2.cpp - ls-2: two planes, least squares --------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The levels are +-(v1 - v2) and +-(v1 + v2), so each |x| goes to one of two
// levels m0 <= m1: one-dimensional 2-means of |x|. The optimum is a split of
// the sorted magnitudes with m0, m1 the means of its parts, v1 = (m1 + m0) / 2,
// v2 = (m1 - m0) / 2, and the threshold of the nearest level is v1 itself,
// which is what makes the optimum foldable.
//
// A split's error is sum x^2 - n0 m0^2 - n1 m1^2. As n0 m0 + n1 m1 does not
// depend on the split, the least error is the largest n0 n1 (m1 - m0)^2, which
// loses no digits where m0 and m1 are close.
//
//===----------------------------------------------------------------------===//

#include "Solvers.h"
#include "Sort.h"
#include "Split.h"

void bquant::quant::solveLS2(const SplitWindow &window, int64_t n,
                             float *scalars) {
  double best = 0;
  int64_t bestN0 = 0;
  CarriedSum lower = window.sumBelow, bestLower;
  for (int64_t i = 0; i <= window.size; ++i) {
    if (i > 0)
      lower.add(magnitudeOfBits(window.sorted[i - 1]));
    int64_t n0 = window.below + i;
    if (n0 == 0 || n0 == n)
      continue;
    double n1 = double(n - n0), upper = window.total.minus(lower);
    // n0 n1 (m1 - m0)^2 with one division.
    double cross = double(n0) * upper - n1 * lower.value();
    double gain = cross * cross / (double(n0) * n1);
    if (gain > best) {
      best = gain;
      bestN0 = n0;
      bestLower = lower;
    }
  }
  // Without a split (n = 1, or all equal) both levels are the mean.
  double m0 = window.total.value() / double(n), m1 = m0;
  if (bestN0 > 0) {
    m0 = bestLower.value() / double(bestN0);
    m1 = window.total.minus(bestLower) / double(n - bestN0);
  }
  scalars[0] = float((m1 + m0) / 2);
  scalars[1] = float((m1 - m0) / 2);
  spreadNaN(scalars, 2);
}
