//===- RunningMaximum.h - Maxima of many values, NaN kept -------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to --bquant-vectorize.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_RUNNINGMAXIMUM_H
#define BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_RUNNINGMAXIMUM_H

#include "mlir/IR/Builders.h"

namespace bquant {

/// What a loop carries for a maximum of f32 vectors that is NaN where one of
/// the values is, and -0 only where all that are 0 are -0: arith.maximumf, on a
/// machine that has no instruction for it. A step is three instructions.
struct RunningMaximum {
  /// The largest so far, NaN and the sign of a 0 left out of account.
  mlir::Value largest;
  /// The and of all bits (i32).
  mlir::Value signs;
  /// All bits set in the lanes that met a NaN (f32).
  mlir::Value unordered;

  static constexpr unsigned kValues = 3;

  static RunningMaximum start(mlir::OpBuilder &b, mlir::Location loc,
                              mlir::Value first);
  RunningMaximum step(mlir::OpBuilder &b, mlir::Location loc,
                      mlir::Value next) const;
  mlir::Value finish(mlir::OpBuilder &b, mlir::Location loc) const;
};

} // namespace bquant

#endif // BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_RUNNINGMAXIMUM_H
