//===- FloatBounds.h - What floats of a body can be -------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_ANALYSIS_FLOATBOUNDS_H
#define BQUANT_LIB_ANALYSIS_FLOATBOUNDS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace bquant {

/// Finite floats. Zeros of both signs are one.
struct FloatBounds {
  float low, high;

  /// None of floats that may be NaN or infinite.
  static std::optional<FloatBounds> of(std::initializer_list<float> ends);
};

/// Finds what f32 of the body of a generic can be that are computed of integers
/// by constants; nothing of what may be NaN or infinite.
class FloatBoundsFinder {
public:
  std::optional<FloatBounds> find(mlir::Value value);

private:
  std::optional<FloatBounds> compute(mlir::Value value);
  std::optional<FloatBounds> combine(mlir::Operation *op,
                                     float (*function)(float, float));
  std::optional<FloatBounds> round(mlir::Operation *op,
                                   float (*function)(float));

  llvm::DenseMap<mlir::Value, std::optional<FloatBounds>> known;
};

} // namespace bquant

#endif // BQUANT_LIB_ANALYSIS_FLOATBOUNDS_H
