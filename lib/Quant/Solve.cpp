//===- Solve.cpp - The scalars of one set of values -----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Quant/Solve.h"

#include "Solvers.h"

#include <algorithm>
#include <cassert>

using namespace bquant::quant;

size_t bquant::quant::solveScratchBytes(const Scheme &scheme, int64_t n) {
  int64_t planes = scheme.planes.count;
  switch (scheme.rule) {
  case Scheme::Rule::LeastSquares:
    if (planes > 2)
      return scratchBytesLSK(n);
    return planes == 1 ? 0 : SplitSearch::scratchBytes(n);
  case Scheme::Rule::Greedy:
    return planes == 1 ? 0 : size_t(n) * sizeof(float);
  case Scheme::Rule::TernaryWeights:
  case Scheme::Rule::DoReFa:
  case Scheme::Rule::DoReFaWeights:
  case Scheme::Rule::HalfWaveGaussian:
  case Scheme::Rule::Given:
    return 0;
  }
  return 0;
}

static void solveLeastSquares(const Planes &planes, const float *x, int64_t n,
                              const Solution &solution, void *scratch) {
  // Thresholds follow from scalars, so these are needed in any case.
  float scalars[Scheme::maxPlanes];
  if (planes.count == 1) {
    solveLS1(x, n, scalars);
  } else if (planes.count == 2) {
    SplitGain gain = planes == Planes::ternary() ? SplitGain::UpperLevel
                                                 : SplitGain::TwoLevels;
    SplitSearch search(x, n, gain, scratch);
    solveWindow(gain, search.run(), n, scalars);
  } else {
    solveLSK(x, n, planes.count, scalars, scratch);
  }
  if (solution.scalars)
    std::copy_n(scalars, planes.numScalars(), solution.scalars);
  if (solution.thresholds)
    nearestLevels(scalars, planes.count, solution.thresholds, solution.codes);
}

void bquant::quant::solve(const Scheme &scheme, const float *x, int64_t n,
                          const Solution &solution, void *scratch) {
  assert(n >= 1 && "expected at least one value");
  assert(bool(solution.thresholds) == bool(solution.codes) &&
         "expected thresholds and codes together");
  assert(!(solution.thresholds && scheme.isFoldable()) &&
         "expected no thresholds for a cascade");
  int64_t planes = scheme.planes.count;
  if (solution.offset)
    *solution.offset = 0;
  switch (scheme.rule) {
  case Scheme::Rule::LeastSquares:
    return solveLeastSquares(scheme.planes, x, n, solution, scratch);
  case Scheme::Rule::Greedy:
    if (solution.scalars)
      solveGF(x, n, planes, solution.scalars, static_cast<float *>(scratch));
    return;
  case Scheme::Rule::TernaryWeights:
    return solveTWN(x, n, solution);
  case Scheme::Rule::DoReFa:
    return solveDoReFa(planes, solution);
  case Scheme::Rule::DoReFaWeights:
    return solveDoReFaWeights(x, n, planes, solution);
  case Scheme::Rule::HalfWaveGaussian:
    return solveHWGQ(planes, solution);
  case Scheme::Rule::Given:
    assert(false && "nothing to solve");
  }
}
