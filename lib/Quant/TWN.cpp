//===- TWN.cpp - twn: ternary weight networks -----------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Li, Zhang and Liu's rule: with D = 0.7 mean |x|, values of at most D in
// magnitude go to 0, the others to +-2v, 2v the mean of their magnitudes. So D
// is the threshold, not the nearest level's v.
//
// The codes are those of a ternary cascade, whose first plane is sign x: 00 for
// -2v, 01 and 10 for 0, 11 for 2v.
//
//===----------------------------------------------------------------------===//

#include "Levels.h"
#include "Solvers.h"
#include "Sums.h"

void bquant::quant::solveTWN(const float *x, int64_t n,
                             const Solution &solution) {
  double threshold = 0.7 * meanMagnitude(x, n);
  int64_t count = 0;
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    double magnitude = std::fabs(double(x[i]));
    bool isOver = magnitude > threshold;
    count += isOver;
    sum += isOver ? magnitude : 0;
  }
  if (solution.scalars)
    solution.scalars[0] = count ? float(sum / double(count) / 2) : 0;
  if (solution.thresholds) {
    solution.thresholds[0] = leastAtOrAbove(-threshold);
    solution.thresholds[1] = 0;
    solution.thresholds[2] = leastAbove(threshold);
  }
  codesInOrder(solution, 2);
}
