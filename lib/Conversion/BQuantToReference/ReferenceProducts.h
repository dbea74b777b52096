//===- ReferenceProducts.h - Scaled-binary values as i8 signs ---*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to lib/Conversion: the products and the pooling of the reference
// lowering.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CONVERSION_BQUANTTOREFERENCE_REFERENCEPRODUCTS_H
#define BQUANT_LIB_CONVERSION_BQUANTTOREFERENCE_REFERENCEPRODUCTS_H

#include "Conversion/Common/LoweredValue.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace bquant {

// Values are one tensor of i8 signs, +1 and -1, a plane.

/// The signs of packed words: bit 1 is +1, bit 0 is -1.
mlir::Value createSigns(mlir::ImplicitLocOpBuilder &b,
                        mlir::RankedTensorType type,
                        mlir::ArrayRef<uint32_t> words);

/// The products in plain loops, plane pair by plane pair. `floats` is the input
/// where it is of f32, else `signs` is.
mlir::Value createConv2D(mlir::ImplicitLocOpBuilder &b, Conv2DOp op,
                         mlir::Value floats, const LoweredValue *signs,
                         const LoweredValue &filter);
mlir::Value createMatmul(mlir::ImplicitLocOpBuilder &b, MatmulOp op,
                         mlir::Value floats, const LoweredValue *signs,
                         const LoweredValue &rhs);

/// The maximum of codes in plain loops.
LoweredValue createMaxPool2D(mlir::ImplicitLocOpBuilder &b, MaxPool2DOp op,
                             const LoweredValue &input);

/// The product by the planes of `rhs`, as `create` makes it, and what its
/// offset adds: `product + d S`.
mlir::Value
addFilterOffset(mlir::ImplicitLocOpBuilder &b, const LoweredValue &rhs,
                llvm::function_ref<mlir::Value(const LoweredValue &)> create);

} // namespace bquant

#endif // BQUANT_LIB_CONVERSION_BQUANTTOREFERENCE_REFERENCEPRODUCTS_H
