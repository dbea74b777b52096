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
#include "bquant/Support/Explain.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

#include "bquant/Dialect/Packed/IR/PackedDialect.h.inc"

namespace bquant {
struct TargetDescription;

/// Channels in a word.
inline constexpr int64_t kWordBits = 32;
inline constexpr int64_t kByteBits = 8;
/// Codes in a word.
inline constexpr int64_t kWordBytes = kWordBits / kByteBits;
} // namespace bquant

namespace bquant::packed {
class LayoutAttrInterface;

/// What a layout does by default: an element has the bits of its channels side
/// by side, as they come.
uint32_t encodeBits(LayoutAttrInterface layout, llvm::ArrayRef<uint32_t> words,
                    int64_t index);
mlir::Value packBits(LayoutAttrInterface layout, mlir::ImplicitLocOpBuilder &b,
                     mlir::Value bits, mlir::Value init);
mlir::Value emitBits(LayoutAttrInterface layout, mlir::OpBuilder &b,
                     mlir::Location loc, mlir::Value word, mlir::Value first);

/// Fails unless a tensor with a layout, whose elements are `expected`, has
/// them.
llvm::LogicalResult
verifyElementType(mlir::Type expected, mlir::Type elementType,
                  llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace bquant::packed

#include "bquant/Dialect/Packed/IR/LayoutInterface.h.inc"

namespace bquant::packed {
/// Constraints 1 and 2 of kernels: the tile, and the bits of a register, one of
/// `allowed`.
llvm::LogicalResult
verifyKernelTile(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                 int64_t rows, int64_t channels, int64_t bits,
                 llvm::ArrayRef<int64_t> allowed);

/// More words than this sum far beyond 16 bits.
inline constexpr int64_t kMostWordsOfGroup = 256;

/// Codes up to `levels` that a byte of a filter holds, in fields of 1, 2 or 4
/// bits; 1 for 0, where a byte is a code. Nothing for other fields.
std::optional<int64_t> countCodesOfByte(int64_t levels);
} // namespace bquant::packed

#define GET_ATTRDEF_CLASSES
#include "bquant/Dialect/Packed/IR/PackedAttrs.h.inc"

#include "bquant/Dialect/Packed/IR/KernelInterface.h.inc"
#define GET_OP_CLASSES
#include "bquant/Dialect/Packed/IR/PackedOps.h.inc"

namespace bquant::packed {

/// The tensor of a plane of `shape` in a layout.
mlir::RankedTensorType getPackedType(LayoutAttrInterface layout,
                                     mlir::ArrayRef<int64_t> shape);

/// The layout of a packed tensor, which `type` may be; null of others.
LayoutAttrInterface getLayoutOf(mlir::Type type);

/// Whether an encoding is a layout, of planes or of a filter.
inline bool isLayout(mlir::Attribute encoding) {
  return llvm::isa<LayoutAttrInterface, FilterLayoutAttrInterface>(encoding);
}

/// The level, a number or a vector of them, whose number has these bits, the
/// first one the highest; the last level for numbers beyond it.
mlir::Value createLevel(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::ValueRange bits, mlir::ValueRange levels);

} // namespace bquant::packed

#endif // BQUANT_DIALECT_PACKED_IR_PACKED_H
