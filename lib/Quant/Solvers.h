//===- Solvers.h - One function for each solver -----------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal: what Solve.cpp dispatches to, one source file each. All take n >= 1
// values and write f32 scalars. A new scheme adds a file, a function here and a
// line in Solve.cpp and Scheme.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_QUANT_SOLVERS_H
#define BQUANT_LIB_QUANT_SOLVERS_H

#include <cstdint>

namespace bquant::quant {

void solveLS1(const float *x, int64_t n, float *scalars);

/// `scratch`: 2 n words.
void solveLS2(const float *x, int64_t n, float *scalars, uint32_t *scratch);

/// `scratch`: 2 n words.
void solveLST(const float *x, int64_t n, float *scalars, uint32_t *scratch);

/// `residual`: n floats.
void solveGF(const float *x, int64_t n, int64_t planes, float *scalars,
             float *residual);

} // namespace bquant::quant

#endif // BQUANT_LIB_QUANT_SOLVERS_H
