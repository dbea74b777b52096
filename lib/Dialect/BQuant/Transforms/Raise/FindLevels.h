//===- FindLevels.h - The values of a step function -------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TRANSFORMS_RAISE_FINDLEVELS_H
#define BQUANT_LIB_TRANSFORMS_RAISE_FINDLEVELS_H

#include "mlir/IR/Value.h"
#include <vector>

namespace bquant {

/// All values of an expression, finite and rising strictly; zeros count as
/// one.
struct Levels {
  std::vector<float> values;
  /// Whether it can be NaN, too.
  bool nan = false;
};

/// The one operand of a scalar op that is not constant, or null.
mlir::Value getOnlyVariable(mlir::Operation *op);

/// The levels of a resolved value that is computed, by operations of one
/// variable and constants, from an integer with bounds (a rounded value), up to
/// 256; empty if it is not.
Levels findLevelsOfIntegers(mlir::Value resolved);

/// The levels of a resolved value that is a step function of a float, up to 16:
/// the floats are halved until the expression has one value on each part. Empty
/// if it is none, or for an expression of constants.
Levels findLevelsOfSteps(mlir::Value resolved);

/// The levels of a resolved value that comparisons and signs alone decide, up
/// to 16: one for each of their outcomes. Of comparisons of one value with
/// limits that are in one order at every index, these are those that occur; of
/// others all, whether they can occur together or not. Empty if there is more
/// to it.
Levels findLevelsOfChoices(mlir::Value resolved);

} // namespace bquant

#endif // BQUANT_LIB_TRANSFORMS_RAISE_FINDLEVELS_H
