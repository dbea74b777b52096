//===- OperandMaps.h - Operands of products, element by element -*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the decomposition of products.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CONVERSION_PACKEDTOLINALG_OPERANDMAPS_H
#define BQUANT_LIB_CONVERSION_PACKEDTOLINALG_OPERANDMAPS_H

#include "bquant/Dialect/BQuant/IR/BQuant.h"

namespace bquant {

/// The maps of all operands of `op`, its outs too. Of those in blocks of
/// channels they also find the lane where the kernel has the channel; fails
/// where it does not say.
llvm::FailureOr<llvm::SmallVector<mlir::AffineMap>>
getOperandMaps(ProductOpInterface op);

} // namespace bquant

#endif // BQUANT_LIB_CONVERSION_PACKEDTOLINALG_OPERANDMAPS_H
