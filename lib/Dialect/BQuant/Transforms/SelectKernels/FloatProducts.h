//===- FloatProducts.h - Linalg's products of floats ------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to --bquant-select-kernels.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TRANSFORMS_SELECTKERNELS_FLOATPRODUCTS_H
#define BQUANT_LIB_TRANSFORMS_SELECTKERNELS_FLOATPRODUCTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace bquant {

/// What becomes of a linalg op as `bquant.float_product`.
struct FloatProductLoops {
  /// Input and filter.
  llvm::SmallVector<mlir::Value> operands;
  llvm::SmallVector<mlir::AffineMap> maps;
  /// Of the loops, the leading `parallel` ones those of the result.
  llvm::SmallVector<int64_t> sizes;
  unsigned parallel = 0;
};

/// Fails, and says why, for what is no product of f32 tensors.
mlir::FailureOr<FloatProductLoops>
getFloatProductLoops(mlir::linalg::LinalgOp op,
                     llvm::function_ref<void(const llvm::Twine &)> explain);

} // namespace bquant

#endif // BQUANT_LIB_TRANSFORMS_SELECTKERNELS_FLOATPRODUCTS_H
