//===- Packed.h - The bquant_packed dialect ---------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_PACKED_IR_PACKED_H
#define BQUANT_DIALECT_PACKED_IR_PACKED_H

#include "bquant/Dialect/Packed/IR/Product.h"
#include "bquant/Dialect/Packed/Layouts/Layout.h"
#include "bquant/Support/Explain.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

#include "bquant/Dialect/Packed/IR/PackedDialect.h.inc"
#include "bquant/Dialect/Packed/IR/PackedEnums.h.inc"

namespace bquant {
struct TargetDescription;
} // namespace bquant

namespace bquant::packed {
/// What a layout does.
const LayoutModel &getLayoutModel(Layout layout);

/// Constraints 1 and 2 of kernels: the tile, and the bits of a register, one of
/// `allowed`.
llvm::LogicalResult
verifyKernelTile(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                 int64_t rows, int64_t channels, int64_t bits,
                 llvm::ArrayRef<int64_t> allowed);
} // namespace bquant::packed

#include "bquant/Dialect/Packed/IR/KernelInterface.h.inc"
#define GET_ATTRDEF_CLASSES
#include "bquant/Dialect/Packed/IR/PackedAttrs.h.inc"
#define GET_OP_CLASSES
#include "bquant/Dialect/Packed/IR/PackedOps.h.inc"

namespace bquant::packed {

/// The tensor of a plane of `shape` in a layout.
mlir::RankedTensorType getPackedType(mlir::MLIRContext *context, Layout layout,
                                     mlir::ArrayRef<int64_t> shape);

/// The layout of a packed tensor, which `type` may be.
std::optional<Layout> getLayoutOf(mlir::Type type);

/// The level, a number or a vector of them, whose number has these bits, the
/// first one the highest; the last level for numbers beyond it.
mlir::Value createLevel(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::ValueRange bits, mlir::ValueRange levels);

} // namespace bquant::packed

#endif // BQUANT_DIALECT_PACKED_IR_PACKED_H
