//===- FilterBlocks.h - Filters computed a block at a time ------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to --bquant-tile-and-fuse. A filter that a generic computes of
// constants, as of codes of few bits, is computed by the loops of its product:
// for each block of channels the block of the filter, in front of the pixels.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_PACKED_TRANSFORMS_TILE_FILTERBLOCKS_H
#define BQUANT_LIB_PACKED_TRANSFORMS_TILE_FILTERBLOCKS_H

#include "TileBody.h"

namespace bquant {

/// A filter of a product that a generic computes of constants alone.
struct ComputedFilter {
  mlir::Value operand;
  mlir::linalg::GenericOp generic;
  /// Reshapes and slices of the result up to the operand, that last.
  llvm::SmallVector<mlir::Operation *> path;
  /// The indices of a block by the product's loops: those of the first
  /// dimensions, which the path leaves alone.
  llvm::SmallVector<mlir::AffineExpr> block;

  bool dependsOn(unsigned loop) const;
};

llvm::SmallVector<ComputedFilter> getComputedFilters(const TileRegion &region);

/// The blocks of the filters of `regions` that the tile's loops visit once, by
/// the filters: `loops` are those loops that are some, and `tile` is where they
/// are; null: where is not known yet.
mlir::FailureOr<TileBody::Tiles>
emitFilterBlocks(mlir::RewriterBase &rewriter, mlir::Location loc,
                 llvm::ArrayRef<TileRegion *> regions,
                 llvm::ArrayRef<unsigned> loops, const Box &tile,
                 TileOptions options);

/// Erases the paths of filters that nothing reads any more.
void erasePaths(mlir::RewriterBase &rewriter,
                llvm::ArrayRef<ComputedFilter> filters);

} // namespace bquant

#endif // BQUANT_LIB_PACKED_TRANSFORMS_TILE_FILTERBLOCKS_H
