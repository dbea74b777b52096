//===- BQuant.h - The bquant dialect ----------------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_BQUANT_IR_BQUANT_H
#define BQUANT_DIALECT_BQUANT_IR_BQUANT_H

#include "bquant/Dialect/Packed/IR/Packed.h"
#include "bquant/Quant/Scheme.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

#include "bquant/Dialect/BQuant/IR/BQuantDialect.h.inc"
#include "bquant/Dialect/BQuant/IR/BQuantEnums.h.inc"

namespace bquant {
using packed::FilterLayoutAttrInterface, packed::LayoutAttrInterface,
    packed::WordsLayoutAttr, packed::CodesLayoutAttr, packed::getLayoutOf,
    packed::getPackedType;
using packed::KernelAttrInterface, packed::ProductForm, packed::ProductOp,
    packed::ProductShape;
} // namespace bquant

#define GET_ATTRDEF_CLASSES
#include "bquant/Dialect/BQuant/IR/BQuantAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "bquant/Dialect/BQuant/IR/BQuantTypes.h.inc"
#define GET_OP_CLASSES
#include "bquant/Dialect/BQuant/IR/BQuantOps.h.inc"

namespace bquant {
/// The output size of a window of `taps` positions along one dimension, or
/// std::nullopt if it does not fit the padded size `size + low + high` or
/// overflows.
std::optional<int64_t> getWindowedSize(int64_t size, int64_t taps,
                                       int64_t stride, int64_t dilation,
                                       int64_t low, int64_t high);
} // namespace bquant

#endif // BQUANT_DIALECT_BQUANT_IR_BQUANT_H
