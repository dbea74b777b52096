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
  double count = sumInPartials(x, n, [&](float value) {
    return std::fabs(double(value)) > threshold ? 1.0 : 0.0;
  });
  double sum = sumInPartials(x, n, [&](float value) {
    double magnitude = std::fabs(double(value));
    return magnitude > threshold ? magnitude : 0.0;
  });
  if (solution.scalars) {
    solution.scalars[0] = count > 0 ? float(sum / count / 2) : 0;
    if (std::isnan(threshold)) // and nothing is over it
      solution.scalars[0] = float(threshold);
    spreadNaN(solution.scalars, 1);
  }
  if (solution.thresholds) {
    solution.thresholds[0] = leastAtOrAbove(-threshold);
    solution.thresholds[1] = 0;
    solution.thresholds[2] = leastAbove(threshold);
  }
  codesInOrder(solution, 2);
}
