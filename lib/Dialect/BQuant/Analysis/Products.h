//===- Products.h - What a product is to its kernel -------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_DIALECT_BQUANT_ANALYSIS_PRODUCTS_H
#define BQUANT_LIB_DIALECT_BQUANT_ANALYSIS_PRODUCTS_H

#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include <optional>

namespace bquant {

/// The shape of a `bquant.conv_2d`, `bquant.matmul` or a
/// `bquant_packed.product` of floats; none of other ops, and of a float product
/// that no kernel can compute.
std::optional<ProductShape> getProductShape(mlir::Operation *op);

/// The same of a float product with these maps, of input and filter, from loops
/// of `sizes`, the leading `parallel` ones those of the result.
std::optional<ProductShape>
getFloatProductShape(llvm::ArrayRef<mlir::AffineMap> maps,
                     llvm::ArrayRef<int64_t> sizes, unsigned parallel);

/// The kernel of a product; null without one, or where nothing implements it.
KernelAttrInterface getKernel(mlir::Operation *op);
mlir::Attribute getKernelAttr(mlir::Operation *op);

/// The largest code of a value whose scalars are all multiples of one; else 0.
int64_t getLevels(SBTensorType type);

/// Whether each result of a product sums its window: one plane of signs, all of
/// them +1, is the filter.
bool sumsWindows(mlir::Operation *op);

/// Whether the kernels of all products in `root` fit them and the target that
/// the IR names; an error at the first that does not.
llvm::LogicalResult verifyKernels(mlir::Operation *root);

} // namespace bquant

#endif // BQUANT_LIB_DIALECT_BQUANT_ANALYSIS_PRODUCTS_H
