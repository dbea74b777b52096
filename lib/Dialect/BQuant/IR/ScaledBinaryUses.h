//===- ScaledBinaryUses.h - Who may have scaled-binary values ---*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scaled-binary values go from bquant ops to bquant ops only. Each stage that
// relies on it, or has to bring it about, asks here.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_IR_SCALEDBINARYUSES_H
#define BQUANT_LIB_IR_SCALEDBINARYUSES_H

#include "bquant/Dialect/BQuant/IR/BQuant.h"

namespace bquant {

/// Whether `type` is a scaled-binary tensor or nests one, as
/// tensor<4x!bquant.tensor<..>> does.
bool isScaledBinary(mlir::Type type);

/// Whether `op` has a scaled-binary operand or result that it must not have: it
/// is no bquant op, and no cast. Casts stand where a program speaks words at
/// its border, or where a conversion was partial.
bool misusesScaledBinary(mlir::Operation *op);

/// The scaled-binary block arguments in the regions of `op`.
llvm::SmallVector<mlir::BlockArgument>
getScaledBinaryArguments(mlir::Operation *op);

} // namespace bquant

#endif // BQUANT_LIB_IR_SCALEDBINARYUSES_H
