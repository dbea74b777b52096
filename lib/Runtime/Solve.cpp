//===- Solve.cpp - Online scalars -----------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The solvers of lib/Quant, compiled into this library once more (its
// CMakeLists.txt), for what a compiled network calls.
//
//===----------------------------------------------------------------------===//

#include "Quant/Solvers.h"
#include "bquant/Runtime/Runtime.h"

using namespace bquant::quant;

static SplitGain gainOf(int32_t planes) {
  return planes == 0 ? SplitGain::UpperLevel : SplitGain::TwoLevels;
}

/// One row. `scalars` and `thresholds` are its own.
static void solveRow(int32_t scheme, int32_t planes, const float *x, int64_t n,
                     float *scalars, float *thresholds, void *scratch) {
  switch (scheme) {
  case BQUANT_RT_LS: {
    if (planes == 1)
      return solveLS1(x, n, scalars);
    SplitSearch search(x, n, gainOf(planes), scratch);
    return solveWindow(gainOf(planes), search.run(), n, scalars);
  }
  case BQUANT_RT_GF:
    return solveGF(x, n, planes, scalars, static_cast<float *>(scratch));
  case BQUANT_RT_TWN:
    uint8_t codes[4]; // always in order
    return solveTWN(x, n, Solution{scalars, nullptr, thresholds, codes});
  }
}

void bquant_rt_solve(int32_t scheme, int32_t planes, const float *x,
                     int64_t groups, int64_t n, float *scalars,
                     float *thresholds, void *scratch) {
  int64_t numScalars = planes == 0 ? 1 : planes;
  for (int64_t g = 0; g < groups; ++g) {
    float v[Scheme::maxPlanes], t[3];
    solveRow(scheme, planes, x + g * n, n, v, t, scratch);
    for (int64_t i = 0; i < numScalars; ++i)
      scalars[i * groups + g] = v[i];
    for (int64_t i = 0; scheme == BQUANT_RT_TWN && i < 3; ++i)
      thresholds[i * groups + g] = t[i];
  }
}

void bquant_rt_solve_step(int32_t step, int32_t planes, const float *x,
                          int64_t n, int64_t part, float *scalars,
                          void *scratch) {
  SplitSearch search(x, n, gainOf(planes), scratch);
  switch (step) {
  case BQUANT_RT_BEGIN:
    return search.begin();
  case BQUANT_RT_COUNT:
    return search.count(part);
  case BQUANT_RT_CHOOSE:
    return search.choose();
  case BQUANT_RT_KEEP:
    return search.keep(part);
  case BQUANT_RT_FINISH:
    return solveWindow(gainOf(planes), search.finish(), n, scalars);
  }
}
