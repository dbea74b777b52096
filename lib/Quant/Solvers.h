//===- Solvers.h - One function for each solver -----------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal: what Solve.cpp dispatches to. All take n >= 1 values and write f32
// scalars; those of schemes that are not foldable write a whole Solution, where
// null members are left out. A new scheme adds a file, a function here and a
// line in Solve.cpp and Scheme.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_QUANT_SOLVERS_H
#define BQUANT_LIB_QUANT_SOLVERS_H

#include "Namespace.h"
#include "Split.h"
#include "bquant/Quant/Solve.h"

namespace bquant::quant {
inline namespace BQUANT_SOLVERS {

void solveLS1(const float *x, int64_t n, float *scalars);

/// ls-2 and ls-T, of the run that holds the best splits of n values by the gain
/// of each.
void solveLS2(const SplitWindow &window, int64_t n, float *scalars);
void solveLST(const SplitWindow &window, int64_t n, float *scalars);

inline void solveWindow(SplitGain gain, const SplitWindow &window, int64_t n,
                        float *scalars) {
  if (gain == SplitGain::TwoLevels)
    solveLS2(window, n, scalars);
  else
    solveLST(window, n, scalars);
}

/// `residual`: n floats.
void solveGF(const float *x, int64_t n, int64_t planes, float *scalars,
             float *residual);

/// ls-k for 3 or more planes. `scratch`: scratchBytesLSK(n) bytes.
size_t scratchBytesLSK(int64_t n);
void solveLSK(const float *x, int64_t n, int64_t planes, float *scalars,
              void *scratch);

void solveTWN(const float *x, int64_t n, const Solution &solution);

void solveDoReFa(int64_t planes, const Solution &solution);
void solveDoReFaWeights(const float *x, int64_t n, int64_t planes,
                        const Solution &solution);
void solveHWGQ(int64_t planes, const Solution &solution);

} // namespace BQUANT_SOLVERS
} // namespace bquant::quant

#endif // BQUANT_LIB_QUANT_SOLVERS_H
