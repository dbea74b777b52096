//===- SelectKernels.h - What computes a product ----------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The patterns of --bquant-select-kernels, for compilers that want one of them
// alone.

#ifndef BQUANT_DIALECT_PACKED_TRANSFORMS_SELECTKERNELS_H
#define BQUANT_DIALECT_PACKED_TRANSFORMS_SELECTKERNELS_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace bquant {

/// Linalg's named convolutions and matrix products of f32 tensors become
/// `bquant_packed.product`, `fused` or not.
void populateFloatProductPatterns(mlir::RewritePatternSet &patterns,
                                  bool fused);

} // namespace bquant

#endif // BQUANT_DIALECT_PACKED_TRANSFORMS_SELECTKERNELS_H
