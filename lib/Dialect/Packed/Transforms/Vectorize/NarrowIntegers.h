//===- NarrowIntegers.h - Integers of 8 or 16 bits in vectors ---*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_NARROWINTEGERS_H
#define BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_NARROWINTEGERS_H

#include "mlir/IR/Builders.h"

namespace bquant {

/// A vector of i8 or i16, its elements from `min` to `max`.
struct NarrowVector {
  mlir::Value value;
  int64_t min, max;
};

/// One that is `factor`, a power of two or its negative, times another one, and
/// `offset`.
struct LinearVector : NarrowVector {
  NarrowVector base;
  int64_t factor = 1, offset = 0;
};

/// Vectors of i32 whose elements are known to need 8 or 16 bits: what follows
/// computes on four or two times as many in a register.
class NarrowIntegers {
public:
  /// The i32 that `vector` stands for.
  mlir::Value widen(mlir::OpBuilder &b, NarrowVector vector);

  /// `op`, of the body of a generic, on rows, where these are enough: its
  /// result as i32, or of a comparison its bits. Null where they are not.
  mlir::Value emit(mlir::OpBuilder &b, mlir::Operation *op,
                   mlir::ValueRange operands);

private:
  mlir::Value emitArithmetic(mlir::OpBuilder &b, mlir::Operation *op,
                             mlir::ValueRange operands);
  mlir::Value emitComparison(mlir::OpBuilder &b, mlir::Operation *op,
                             mlir::ValueRange operands);

  mlir::Value add(mlir::OpBuilder &b, const LinearVector &vector);

  llvm::DenseMap<mlir::Value, LinearVector> vectors;
};

} // namespace bquant

#endif // BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_NARROWINTEGERS_H
