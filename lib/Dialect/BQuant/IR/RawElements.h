//===- RawElements.h - The elements of constants ----------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one reader of constants, dense or resource. A resource is no
// DenseElementsAttr, so that folders and matchers do not see it, and its blob
// may be missing or of a wrong size: nobody else looks into one.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_IR_RAWELEMENTS_H
#define BQUANT_LIB_IR_RAWELEMENTS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"
#include <optional>

namespace bquant {

/// A splat says in 4 bytes what no memory holds: it is expanded up to here.
inline constexpr int64_t kMostValues = int64_t(1) << 31;

/// The raw bytes that a dense attribute or resource holds; std::nullopt if a
/// resource is missing, has another size than its type says or is not aligned
/// to its element. A splat of dense elements has the bytes of one element.
std::optional<llvm::ArrayRef<char>> getRawBytes(mlir::ElementsAttr attr);

/// The bits of all elements, which have 32 each, a splat expanded; std::nullopt
/// if there are none to read.
std::optional<llvm::SmallVector<uint32_t>> getBits(mlir::ElementsAttr attr);

/// The same of elements of bf16.
std::optional<llvm::SmallVector<uint16_t>> getBF16Bits(mlir::ElementsAttr attr);

/// All values of a dense attribute or resource of f32, a splat expanded; empty
/// if there are none to read.
llvm::SmallVector<float> getFloatValues(mlir::ElementsAttr attr);

/// The dense or resource constant that a tensor is by `arith.constant`, or
/// null.
mlir::ElementsAttr getConstantTensor(mlir::Value tensor);

/// `getBits` of such a constant.
std::optional<llvm::SmallVector<uint32_t>> getConstantBits(mlir::Value tensor);

} // namespace bquant

#endif // BQUANT_LIB_IR_RAWELEMENTS_H
