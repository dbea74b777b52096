//===- NarrowVectors.h - Vectors of integers of 8 or 16 bits ----*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_NARROWVECTORS_H
#define BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_NARROWVECTORS_H

#include "NarrowIntegers.h"
#include "mlir/IR/Builders.h"

namespace bquant {

/// A vector of i8 or i16, and the one that it is computed of.
struct NarrowVector {
  mlir::Value value, base;
  LinearIntegers numbers;
};

/// Vectors of i32 whose elements are known to need 8 or 16 bits: what follows
/// computes on four or two times as many in a register.
class NarrowVectors {
public:
  /// The i32 that `vector`, of numbers of `range`, stands for.
  mlir::Value widen(mlir::OpBuilder &b, mlir::Value vector, IntegerRange range);

  /// `op`, of the body of a generic, on rows, where these are enough: its
  /// result as i32, or of a comparison its bits. Null where they are not.
  mlir::Value emit(mlir::OpBuilder &b, mlir::Operation *op,
                   mlir::ValueRange operands);

private:
  mlir::Value emitArithmetic(mlir::OpBuilder &b, mlir::Operation *op,
                             mlir::ValueRange operands);
  mlir::Value emitComparison(mlir::OpBuilder &b, mlir::Operation *op,
                             mlir::ValueRange operands);

  mlir::Value add(mlir::OpBuilder &b, const NarrowVector &vector);

  llvm::DenseMap<mlir::Value, NarrowVector> vectors;
};

} // namespace bquant

#endif // BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_NARROWVECTORS_H
