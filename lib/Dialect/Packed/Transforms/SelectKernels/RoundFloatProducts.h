//===- RoundFloatProducts.h - Products of floats in bf16 --------*- C++ -*-===//
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

#ifndef BQUANT_LIB_PACKED_TRANSFORMS_SELECTKERNELS_ROUNDFLOATPRODUCTS_H
#define BQUANT_LIB_PACKED_TRANSFORMS_SELECTKERNELS_ROUNDFLOATPRODUCTS_H

#include "Dialect/BQuant/Analysis/LinalgProducts.h"

namespace bquant {

/// Elements of bf16 that one step of a kernel takes.
inline constexpr int64_t kPairOfBF16 = 2;

/// Fails if the operands of a product of f32 cannot be rounded.
llvm::LogicalResult verifyRounding(const LinalgProduct &loops,
                                   ExplainFn explain = silently);

/// Rounds the operands of the products of f32 below `root` to bf16; `emulated`
/// as numbers of f32, on which any machine computes the products.
void roundFloatProducts(mlir::Operation *root, bool emulated);

} // namespace bquant

#endif // BQUANT_LIB_PACKED_TRANSFORMS_SELECTKERNELS_ROUNDFLOATPRODUCTS_H
