//===- QuantizeLowering.h - From numbers to bits and back -------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to lib/Conversion: what both lowerings compute alike. The scalars of
// products are in Scale.h.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CONVERSION_COMMON_QUANTIZELOWERING_H
#define BQUANT_LIB_CONVERSION_COMMON_QUANTIZELOWERING_H

#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "LoweredValue.h"
#include "OnlineScalars.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"

namespace bquant {

/// Makes what a lowering wants of the i1 bits of one element, plane 1 first.
using FinishBits = mlir::function_ref<mlir::SmallVector<mlir::Value>(
    mlir::OpBuilder &, mlir::Location, mlir::ArrayRef<mlir::Value>)>;

/// One elementwise generic that computes the planes of a `bquant.quantize` and
/// yields what `finish` makes of them. The values are those of the op's
/// operands; for a scheme what it has solved.
/// The scalars and thresholds of an op without a scheme.
Solved
getGiven(QuantizeOp::GenericAdaptor<mlir::ArrayRef<mlir::ValueRange>> adaptor);

mlir::SmallVector<mlir::Value> createQuantize(mlir::ImplicitLocOpBuilder &b,
                                              QuantizeOp op, mlir::Value input,
                                              const Solved &solved,
                                              mlir::TypeRange elements,
                                              FinishBits finish);

/// Reads the planes of one element in a body: m, as an i32, of the sum
/// `m = sum_i m_i s_i` for ratio planes, or else one i1 a plane.
using ReadBits = mlir::function_ref<mlir::SmallVector<mlir::Value>(
    mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

/// One elementwise generic over the planes that `inputs` hold:
/// `c + sum_i v_i s_i`, or `c + v m` for ratio planes.
/// `read` makes bits, or of planes with ratios a multiple of v, of the elements
/// of all planes.
mlir::Value createDequantize(mlir::ImplicitLocOpBuilder &b,
                             const LoweredValue &input, ReadBits read);

/// `bquant.sign` to a generic, the same on both routes.
void populateSignPatterns(const mlir::TypeConverter &converter,
                          mlir::RewritePatternSet &patterns);

} // namespace bquant

#endif // BQUANT_LIB_CONVERSION_COMMON_QUANTIZELOWERING_H
