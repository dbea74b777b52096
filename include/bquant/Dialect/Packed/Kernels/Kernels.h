//===- Kernels.h - The kernels that come with bquant ------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_PACKED_KERNELS_KERNELS_H
#define BQUANT_DIALECT_PACKED_KERNELS_KERNELS_H

#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Support/Options.h"

namespace bquant {

/// Implements the interface that the dialect promises for its kernels.
void registerKernelModels(mlir::DialectRegistry &registry);

/// The kernels that can compute a product on a target, each with the tile that
/// fits it; none for a product of bf16 that the target has no dot products for.
llvm::SmallVector<KernelAttrInterface>
getKernels(mlir::MLIRContext *context, const ProductShape &shape,
           const TargetDescription &target);

/// The name of a kernel, by which some are asked for: `popcount`.
llvm::StringRef getKernelName(mlir::Attribute kernel);

/// Fails if the kernels of a strategy cannot compute a product on a target.
llvm::LogicalResult verifyStrategy(mlir::MLIRContext *context,
                                   Strategy strategy, const ProductShape &shape,
                                   const TargetDescription &target,
                                   ExplainFn explain);

} // namespace bquant

#endif // BQUANT_DIALECT_PACKED_KERNELS_KERNELS_H
