//===- FilterBlocks.h - Filters in blocks of channels -----------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to lib/Conversion: what lays out a filter that is known at run time.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CONVERSION_COMMON_FILTERBLOCKS_H
#define BQUANT_LIB_CONVERSION_COMMON_FILTERBLOCKS_H

#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace bquant {

/// The dimensions `first` and the next one of a tensor as one.
mlir::Value collapseTwo(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                        unsigned first);

/// `value`, its dimensions permuted; with `layout` as its encoding.
mlir::Value createTransposed(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                             mlir::ArrayRef<int64_t> perm,
                             mlir::Attribute layout = mlir::Attribute());

/// Dimension `outputs` of `value` as blocks, and what is in a block after all
/// others, in `lanes` lanes. The result has the layout if its elements are
/// those of the layout.
mlir::Value createBlocks(mlir::ImplicitLocOpBuilder &b,
                         packed::BlocksAttr layout, mlir::Value value,
                         unsigned outputs, int64_t lanes);

} // namespace bquant

#endif // BQUANT_LIB_CONVERSION_COMMON_FILTERBLOCKS_H
