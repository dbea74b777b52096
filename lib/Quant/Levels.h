//===- Levels.h - Thresholds between levels ---------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_QUANT_LEVELS_H
#define BQUANT_LIB_QUANT_LEVELS_H

#include "Namespace.h"
#include "bquant/Quant/Solve.h"

#include <cmath>

namespace bquant::quant {
inline namespace BQUANT_SOLVERS {

/// The f32 t such that for every f32 x, x >= t is x >= bound.
inline float leastAtOrAbove(double bound) {
  float t = float(bound);
  return double(t) < bound ? std::nextafter(t, INFINITY) : t;
}

/// The f32 t such that for every f32 x, x >= t is x > bound.
inline float leastAbove(double bound) {
  float t = float(bound);
  return double(t) <= bound ? std::nextafter(t, INFINITY) : t;
}

/// Codes of levels whose order is that of their codes.
inline void codesInOrder(const Solution &solution, int64_t planes) {
  for (int code = 0; solution.codes && code < 1 << planes; ++code)
    solution.codes[code] = uint8_t(code);
}

} // namespace BQUANT_SOLVERS
} // namespace bquant::quant

#endif // BQUANT_LIB_QUANT_LEVELS_H
