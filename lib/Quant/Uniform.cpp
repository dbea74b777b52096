//===- Uniform.cpp - dorefa-k, hwgq-k: uniform levels ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 2^k levels c + (2j - n) v for j = 0 .. n, n = 2^k - 1, as ratio planes
// [.., 4, 2, 1]: the sum of the planes of code j is 2j - n.
//
//===----------------------------------------------------------------------===//

#include "Levels.h"
#include "Solvers.h"
#include "Sums.h"

using namespace bquant::quant;

static void setScalar(const Solution &solution, double scalar, double offset) {
  if (solution.scalars)
    solution.scalars[0] = float(scalar);
  if (solution.offset)
    *solution.offset = float(offset);
}

// Levels j / n: c = 1/2, v = 1/(2n). The clip to [0, 1] is that of the levels.
void bquant::quant::solveDoReFa(int64_t planes, const Solution &solution) {
  int64_t n = (int64_t(1) << planes) - 1;
  setScalar(solution, 0.5 / double(n), 0.5);
  for (int64_t j = 1; solution.thresholds && j <= n; ++j)
    solution.thresholds[j - 1] = leastAtOrAbove((double(j) - 0.5) / double(n));
  codesInOrder(solution, planes);
}

// Levels (2j - n) / n. tanh x / (2M) + 1/2 with M = max |tanh x| = tanh max |x|
// is (j - 1/2) / n at tanh x = M (2j - 1 - n) / n.
void bquant::quant::solveDoReFaWeights(const float *x, int64_t n,
                                       int64_t planes,
                                       const Solution &solution) {
  codesInOrder(solution, planes);
  if (planes == 1) {
    setScalar(solution, meanMagnitude(x, n), 0);
    if (solution.thresholds)
      solution.thresholds[0] = 0;
    return;
  }
  double largest = 0;
  for (int64_t i = 0; i < n; ++i)
    largest = std::fmax(largest, std::fabs(double(x[i])));
  double range = std::tanh(largest);
  int64_t steps = (int64_t(1) << planes) - 1;
  setScalar(solution, largest > 0 ? 1 / double(steps) : 0, 0);
  for (int64_t j = 1; solution.thresholds && j <= steps; ++j)
    solution.thresholds[j - 1] = leastAtOrAbove(
        std::atanh(range * (double(2 * j - 1 - steps) / double(steps))));
}

// Levels jD: c = nD/2, v = D/2. The positive values of N(0, 1) go to the levels
// D .. nD; the D of least error for them, by numerical integration:
static constexpr double halfWaveSteps[Scheme::maxPlanes] = {
    0.79788456080286536,  0.53881192339968999, 0.32172890906777224,
    0.18424334276319249,  0.10298401030600301, 0.056584343982660193,
    0.030691373889406671, 0.01648178410569411};

void bquant::quant::solveHWGQ(int64_t planes, const Solution &solution) {
  double n = double((int64_t(1) << planes) - 1);
  double step = halfWaveSteps[planes - 1];
  setScalar(solution, step / 2, n * step / 2);
  for (int64_t j = 1; solution.thresholds && double(j) <= n; ++j)
    solution.thresholds[j - 1] =
        leastAbove(j == 1 ? 0 : (double(j) - 0.5) * step);
  codesInOrder(solution, planes);
}
