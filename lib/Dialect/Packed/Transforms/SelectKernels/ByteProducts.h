//===- ByteProducts.h - Linalg's products of bytes --------------*- C++ -*-===//
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

#ifndef BQUANT_LIB_PACKED_TRANSFORMS_SELECTKERNELS_BYTEPRODUCTS_H
#define BQUANT_LIB_PACKED_TRANSFORMS_SELECTKERNELS_BYTEPRODUCTS_H

#include "Dialect/BQuant/Analysis/LinalgProducts.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Target/TargetDescription.h"

namespace bquant {

/// How a product of bytes is computed: by a kernel of codes, by one of floats,
/// or, with neither, by plain loops.
struct ByteProductChoice {
  LinalgProduct product;
  std::optional<ProductShape> shape;
  /// The kernel of codes.
  KernelAttrInterface kernel;
  /// Whether floats compute it, and what is asked of their kernel, if one can.
  bool inFloats = false;
  std::optional<ProductShape> floats;
  /// Whether sums may be larger than i32 holds.
  bool wraps = false;

  /// The kernel of codes that takes the fewest cycles; fails if none takes it.
  mlir::FailureOr<KernelAttrInterface>
  chooseKernel(const TargetDescription &target,
               ExplainFn explain = silently) const;
};

using ByteProductChoices =
    llvm::MapVector<mlir::Operation *, ByteProductChoice>;

/// For all products of bytes in `root`.
ByteProductChoices chooseByteProducts(mlir::Operation *root,
                                      const TargetDescription &target);

/// Writes the kernels into the products, and says what is left to loops.
void applyByteProducts(const ByteProductChoices &choices,
                       const TargetDescription &target);

} // namespace bquant

#endif // BQUANT_LIB_PACKED_TRANSFORMS_SELECTKERNELS_BYTEPRODUCTS_H
