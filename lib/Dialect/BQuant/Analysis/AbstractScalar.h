//===- AbstractScalar.h - What is known of a scalar -----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_ANALYSIS_ABSTRACTSCALAR_H
#define BQUANT_LIB_ANALYSIS_ABSTRACTSCALAR_H

#include "SwitchPoints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace bquant {

/// What is known of a float: one number, perhaps NaN, or a range. Truth values
/// and small integers are written as floats.
struct AbstractScalar {
  /// Of a number that is NaN: all.
  chains::FloatRange range;
  std::optional<float> number;

  static AbstractScalar of(float number);
  static AbstractScalar of(chains::FloatRange range) {
    return {range, std::nullopt};
  }
};

/// Evaluates an elementwise expression by the very operations of the program,
/// with one value of it given and everything that is not known left open.
class AbstractEvaluator {
public:
  /// `x` (resolved, or null) is `sample`. `exactResidues`: take (s - c) + c for
  /// s whatever c is.
  AbstractEvaluator(mlir::Value x, AbstractScalar sample,
                    bool exactResidues = false)
      : x(x), sample(sample), exactResidues(exactResidues) {}

  /// Takes another value (resolved) for given.
  void assume(mlir::Value given, AbstractScalar is) { known[given] = is; }

  /// Whether the last value asked for depends on x is the caller's to know.
  AbstractScalar evaluate(mlir::Value value);

private:
  AbstractScalar compute(mlir::Value value);
  AbstractScalar compare(mlir::arith::CmpFOp op);
  AbstractScalar select(mlir::arith::SelectOp op);
  AbstractScalar copySign(mlir::Value magnitude, mlir::Value sign);
  std::optional<AbstractScalar> residue(mlir::Operation *op);
  /// Conversions and arithmetic of integers.
  std::optional<AbstractScalar> convert(mlir::Operation *op);
  AbstractScalar chainOp(mlir::Operation *op);
  /// `value` where `op` holds, or where it does not.
  AbstractScalar refine(mlir::Value value, mlir::arith::CmpFOp op, bool holds);

  mlir::Value x;
  AbstractScalar sample;
  bool exactResidues;
  llvm::DenseMap<mlir::Value, AbstractScalar> known;
};

/// (s - c) + c in either order, or c - (c - s): the s and the c, no number.
std::optional<std::pair<mlir::Value, mlir::Value>>
getResidue(mlir::Value resolved);

} // namespace bquant

#endif // BQUANT_LIB_ANALYSIS_ABSTRACTSCALAR_H
