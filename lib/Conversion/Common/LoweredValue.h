//===- LoweredValue.h - Where converted values meet others ------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to lib/Conversion.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CONVERSION_COMMON_LOWEREDVALUE_H
#define BQUANT_LIB_CONVERSION_COMMON_LOWEREDVALUE_H

#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Transforms/DialectConversion.h"

namespace bquant {

/// What a scaled-binary value is converted to, 1:N, in this order.
struct LoweredValue {
  SBTensorType type;
  mlir::SmallVector<mlir::Value> planes;
  mlir::Value scalars;
  mlir::Value offset; // Null where the type has none.
};
LoweredValue getLoweredValue(SBTensorType type, mlir::ValueRange values);
mlir::SmallVector<mlir::Value> flatten(const LoweredValue &lowered);

/// Fails, with an error at the op, unless scaled-binary values go from bquant
/// ops to bquant ops only. `constraint` numbers the message.
llvm::LogicalResult checkUses(mlir::Operation *root,
                              llvm::StringRef constraint);

/// Casts where an op stays unconverted.
void addLoweredValueMaterializations(mlir::TypeConverter &converter);

/// `getPlaneType` of a value's type for each plane, then scalars and offset;
/// casts where an op stays unconverted.
void addLoweredValueConversion(
    mlir::TypeConverter &converter,
    std::function<mlir::Type(SBTensorType)> getPlaneType);

/// Converts the bquant ops below `root` that neither `verifySolvable` nor
/// `verify`, where there is one, refuses, and remarks on the others.
llvm::LogicalResult convertBQuantOps(
    mlir::Operation *root, const mlir::TypeConverter &converter,
    mlir::RewritePatternSet &&patterns,
    llvm::function_ref<llvm::LogicalResult(mlir::Operation *, ExplainFn)>
        verify = {},
    mlir::ConversionConfig config = {});

} // namespace bquant

#endif // BQUANT_LIB_CONVERSION_COMMON_LOWEREDVALUE_H
