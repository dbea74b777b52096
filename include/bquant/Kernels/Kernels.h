//===- Kernels.h - The kernels that come with bquant ------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_KERNELS_KERNELS_H
#define BQUANT_KERNELS_KERNELS_H

#include "bquant/Dialect/BQuant/IR/BQuant.h"

namespace bquant {

/// Implements the interface that the dialect promises for its kernels.
void registerKernelModels(mlir::DialectRegistry &registry);

/// The kernels that can compute a product on a target, each with the tile that
/// fits it; none for a product of bf16 that the target has no dot products for.
llvm::SmallVector<KernelAttrInterface>
getKernels(mlir::MLIRContext *context, const ProductShape &shape,
           const TargetDescription &target);

/// The names of kernels that can be asked for, and `auto` and `reference`.
llvm::ArrayRef<llvm::StringRef> getStrategies();
bool isStrategy(llvm::StringRef name);

/// The name under which a kernel is asked for: `popcount`.
llvm::StringRef getStrategy(mlir::Attribute kernel);

/// Why the kernels of that name cannot compute a product on a target, as what
/// follows "expected".
std::string getReasonUnserved(mlir::MLIRContext *context,
                              llvm::StringRef strategy,
                              const ProductShape &shape,
                              const TargetDescription &target);

} // namespace bquant

#endif // BQUANT_KERNELS_KERNELS_H
