//===- Arithmetic.h - What both lowerings compute alike ---------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to lib/Conversion: from numbers to bits, from bits to numbers, and
// from dot products to the result of a product.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CONVERSION_ARITHMETIC_H
#define BQUANT_LIB_CONVERSION_ARITHMETIC_H

#include "Boundary.h"
#include "Builders.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"

namespace bquant {

/// Makes what a lowering wants of the i1 bits of one element, plane 1 first.
using FinishBits = mlir::function_ref<mlir::SmallVector<mlir::Value>(
    mlir::OpBuilder &, mlir::Location, mlir::ArrayRef<mlir::Value>)>;

/// One elementwise generic that computes the planes of a `bquant.quantize` and
/// yields what `finish` makes of them. The values are those of the op's
/// operands; for a scheme what it has solved.
mlir::SmallVector<mlir::Value>
createQuantize(mlir::ImplicitLocOpBuilder &b, QuantizeOp op, mlir::Value input,
               mlir::Value thresholds, mlir::Value scalars,
               mlir::TypeRange elements, FinishBits finish);

/// Reads the planes of one element in a body: m, as an i32, of the sum
/// `m = sum_i m_i s_i` for ratio planes, or else one i1 a plane.
using ReadBits = mlir::function_ref<mlir::SmallVector<mlir::Value>(
    mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

/// One elementwise generic over the planes that `inputs` hold:
/// `c + sum_i v_i s_i`, or `c + v m` for ratio planes.
mlir::Value createDequantize(mlir::ImplicitLocOpBuilder &b, DequantizeOp op,
                             mlir::ArrayRef<mlir::OpFoldResult> sizes,
                             Inputs inputs, mlir::Value scalars,
                             mlir::Value offset, ReadBits read);

/// A tensor whose dimensions lie along some of the result's loops.
struct Along {
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
                        const Scalars &rhs, const Along *start = nullptr);

/// What an offset c of the lhs adds, the start of createScale:
/// `sum_j (c w_j) W_j`. `sums` are the W_j, i32, one for each scalar of the
/// rhs; they go along all loops of the rhs. A constant where all of it is.
Along createOffsetTerm(mlir::ImplicitLocOpBuilder &b,
                       mlir::ArrayRef<mlir::OpFoldResult> sizes,
                       mlir::ArrayRef<Along> sums, const Scalars &offset,
                       const Scalars &rhs);

/// The scalars of a product's operand, `rank` the result's; and the offset of
/// the lhs as a scalar.
Scalars getLhsScalars(const Parts &lhs);
Scalars getRhsScalars(const Parts &rhs, int64_t rank);
Scalars getLhsOffset(mlir::ImplicitLocOpBuilder &b, const Parts &lhs);

/// `bquant.sign` to a generic, the same on both routes.
void populateSignPatterns(const mlir::TypeConverter &converter,
                          mlir::RewritePatternSet &patterns);

} // namespace bquant

#endif // BQUANT_LIB_CONVERSION_ARITHMETIC_H
