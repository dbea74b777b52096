//===- SinkIntoRegions.h - Consumers onto the parts of a tensor -*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_PACKED_TRANSFORMS_TILE_SINKINTOREGIONS_H
#define BQUANT_LIB_PACKED_TRANSFORMS_TILE_SINKINTOREGIONS_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace bquant {

/// The inserts, first to last, by which the result of `end` is assembled, if
/// they are static and cover all of it once.
std::optional<llvm::SmallVector<mlir::tensor::InsertSliceOp>>
getInserts(mlir::Operation *end);

/// Clones elementwise generics and packs that read assembled tensors onto the
/// regions.
void sinkIntoRegions(mlir::RewriterBase &rewriter, mlir::Block &block);

} // namespace bquant

#endif // BQUANT_LIB_PACKED_TRANSFORMS_TILE_SINKINTOREGIONS_H
