//===- Scale.h - From dot products to a product -----------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to lib/Conversion: the scalars and the offset of a product.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CONVERSION_COMMON_SCALE_H
#define BQUANT_LIB_CONVERSION_COMMON_SCALE_H

#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "LoweredValue.h"

namespace bquant {

/// A tensor whose dimensions lie along some of the result's loops.
struct BroadcastTensor {
  mlir::Value value;
  mlir::SmallVector<int64_t> loops;
};

/// Scalars of one side of a product, `count` x the sizes of the loops that they
/// go along.
struct Scalars {
  int64_t count;
  mlir::Value values;
  mlir::SmallVector<int64_t> loops;
};

/// The result of a product in f32: a dot of i32 for each pair of scalars, lhs
/// outer; or, for a float lhs (no `lhs`), one of f32 for each scalar of the
/// rhs. The terms are added to `start`, if there is one.
mlir::Value createScale(mlir::ImplicitLocOpBuilder &b,
                        mlir::ArrayRef<mlir::OpFoldResult> sizes,
                        mlir::ArrayRef<mlir::Value> dots, const Scalars *lhs,
                        const Scalars &rhs,
                        const BroadcastTensor *start = nullptr);

/// What an offset c of the lhs adds, the start of createScale:
/// `sum_j (c w_j) W_j`. `sums` are the W_j, i32, one for each scalar of the
/// rhs; they go along all loops of the rhs. A constant where all of it is.
BroadcastTensor createOffsetTerm(mlir::ImplicitLocOpBuilder &b,
                                 mlir::ArrayRef<mlir::OpFoldResult> sizes,
                                 mlir::ArrayRef<BroadcastTensor> sums,
                                 const Scalars &offset, const Scalars &rhs);

/// The scalars of a product's operand, `rank` the result's; and the offset of
/// the lhs as a scalar.
Scalars getLhsScalars(const LoweredValue &lhs);
Scalars getRhsScalars(const LoweredValue &rhs, int64_t rank);
Scalars getLhsOffset(mlir::ImplicitLocOpBuilder &b, const LoweredValue &lhs);

} // namespace bquant

#endif // BQUANT_LIB_CONVERSION_COMMON_SCALE_H
