//===- TableProducts.h - Floats by tables of their sums ---------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For kernels that sum several channels at a time:
//
//   %t = linalg.generic ins(%x : tensor<4x30xf32>)  // -> tensor<4x10x8xf32>
//   %y = bquant_packed.product ins(%t) filters(%indices) outs(%zeros)
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CONVERSION_BQUANTTOPACKED_TABLEPRODUCTS_H
#define BQUANT_LIB_CONVERSION_BQUANTTOPACKED_TABLEPRODUCTS_H

#include "Conversion/Common/LoweredValue.h"

namespace bquant {

/// The last dimension, channels, as tables of the kernel: entry e has the sum
/// of `terms` channels by signs, the first one's bit 0 of e, 1 for +1. 0 stands
/// for channels behind, up to whole words of the filter.
mlir::Value createTables(mlir::ImplicitLocOpBuilder &b,
                         KernelAttrInterface kernel, mlir::Value input);

/// The planes of a constant filter as indices of tables, `outputs` the
/// dimension of the output channels.
mlir::SmallVector<mlir::Value> createTableFilters(mlir::ImplicitLocOpBuilder &b,
                                                  KernelAttrInterface kernel,
                                                  const LoweredValue &filter,
                                                  unsigned outputs);

/// One sum for each scalar of a filter of `type`.
mlir::SmallVector<mlir::Value>
createTableDots(mlir::ImplicitLocOpBuilder &b, KernelAttrInterface kernel,
                mlir::ArrayRef<mlir::OpFoldResult> sizes, mlir::Value tables,
                mlir::AffineMap lhs, SBTensorType type,
                mlir::ArrayRef<mlir::Value> filters, mlir::AffineMap rhs);

} // namespace bquant

#endif // BQUANT_LIB_CONVERSION_BQUANTTOPACKED_TABLEPRODUCTS_H
