//===- Solve.cpp - The scalars of one set of values -----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Quant/Solve.h"

#include "Solvers.h"

#include <cassert>

using namespace bquant::quant;

size_t bquant::quant::solveScratchBytes(const Scheme &scheme, int64_t n) {
  switch (scheme.rule) {
  case Scheme::Rule::LeastSquares:
    return scheme.planes.count == 1 ? 0 : 2 * size_t(n) * sizeof(uint32_t);
  case Scheme::Rule::Greedy:
    return scheme.planes.count == 1 ? 0 : size_t(n) * sizeof(float);
  case Scheme::Rule::Given:
    return 0;
  }
  return 0;
}

void bquant::quant::solve(const Scheme &scheme, const float *x, int64_t n,
                          float *scalars, void *scratch) {
  assert(n >= 1 && "expected at least one value");
  assert(scheme.rule != Scheme::Rule::Given && "nothing to solve");
  if (scheme.rule == Scheme::Rule::Greedy)
    return solveGF(x, n, scheme.planes.count, scalars,
                   static_cast<float *>(scratch));
  auto *words = static_cast<uint32_t *>(scratch);
  if (scheme.isTernary())
    return solveLST(x, n, scalars, words);
  if (scheme.planes.count == 2)
    return solveLS2(x, n, scalars, words);
  solveLS1(x, n, scalars);
}
