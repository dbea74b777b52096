//===- DecomposeProducts.h - Products as linalg.generic ---------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to --bquant-decompose-packed. `maps` are those of all operands, the
// inits too, to each of their dimensions.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CONVERSION_PACKEDTOLINALG_DECOMPOSEPRODUCTS_H
#define BQUANT_LIB_CONVERSION_PACKEDTOLINALG_DECOMPOSEPRODUCTS_H

#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/IR/PatternMatch.h"

namespace bquant {

/// Counts, by what the kernel says that a step means. Fails where an operand's
/// elements are no whole steps.
llvm::LogicalResult decomposeCounts(mlir::RewriterBase &rewriter, ProductOp op,
                                    llvm::ArrayRef<mlir::AffineMap> maps);
/// Sums; of words, with `bquant_packed.unpack` before them.
void decomposeSums(mlir::RewriterBase &rewriter, ProductOp op,
                   llvm::ArrayRef<mlir::AffineMap> maps);
/// Sums in tables.
void decomposeTables(mlir::RewriterBase &rewriter, ProductOp op,
                     llvm::ArrayRef<mlir::AffineMap> maps);

/// Fails for each relayout under `root` that no pattern has lowered.
llvm::LogicalResult verifyNoRelayouts(mlir::Operation *root);

} // namespace bquant

#endif // BQUANT_LIB_CONVERSION_PACKEDTOLINALG_DECOMPOSEPRODUCTS_H
