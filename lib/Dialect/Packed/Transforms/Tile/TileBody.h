//===- TileBody.h - The ops of one tile -------------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to --bquant-tile-and-fuse.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_PACKED_TRANSFORMS_TILE_TILEBODY_H
#define BQUANT_LIB_PACKED_TRANSFORMS_TILE_TILEBODY_H

#include "TileLayers.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace bquant {

/// A rectangle of static size.
struct Box {
  llvm::SmallVector<mlir::OpFoldResult> offsets, sizes;

  /// Those of its slice, all 1.
  llvm::SmallVector<mlir::OpFoldResult> getStrides(mlir::Builder &b) const;
  mlir::Value extract(mlir::OpBuilder &b, mlir::Location loc,
                      mlir::Value source) const;
  /// From channels along the last dimension to the elements that pack them.
  void toPacked(mlir::OpBuilder &b, mlir::Location loc,
                LayoutAttrInterface layout);
};

/// Clones the ops of a region for a tile of it.
class TileBody {
public:
  TileBody(mlir::RewriterBase &rewriter, mlir::Location loc)
      : rewriter(rewriter), loc(loc) {}

  /// Tiles by the values that they are of.
  using Tiles = llvm::DenseMap<mlir::Value, mlir::Value>;

  /// The tiles of the results that leave the region, written into `inits`;
  /// what has a tile in `known` is not computed again. `tile` lies in the
  /// domain of the region. An error at the op whose tiling refuses.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> emit(TileRegion &region,
                                                       const Box &tile,
                                                       mlir::ValueRange inits,
                                                       const Tiles &known);

  /// The tiles of the region's products, and of what they start from, in
  /// memory of their own.
  mlir::FailureOr<Tiles> emitProducts(TileRegion &region, const Box &tile);

  /// Values of which the tiles from now on read one block: that.
  void setBlocks(Tiles blocks) { this->blocks = std::move(blocks); }

private:
  mlir::Value sliceBlock(mlir::Value block, mlir::Value slice);
  mlir::FailureOr<mlir::TilingResult> getTiled(mlir::Operation *op);
  mlir::LogicalResult
  emitOp(mlir::Operation *op,
         const llvm::DenseMap<mlir::Value, mlir::Value> &inits);

  mlir::RewriterBase &rewriter;
  mlir::Location loc;

  // Of the current tile.
  Box tile;
  /// What it has of the results of the region's ops.
  Tiles tiles;
  Tiles blocks;
};

} // namespace bquant

#endif // BQUANT_LIB_PACKED_TRANSFORMS_TILE_TILEBODY_H
