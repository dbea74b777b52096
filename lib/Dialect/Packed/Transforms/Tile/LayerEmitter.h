//===- LayerEmitter.h - The loop nest of a layer ----------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to --bquant-tile-and-fuse. LayerEmitter.cpp has the scf.foralls and
// puts them in the place of the ops, TileLoops.cpp the loops inside of them.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_PACKED_TRANSFORMS_TILE_LAYEREMITTER_H
#define BQUANT_LIB_PACKED_TRANSFORMS_TILE_LAYEREMITTER_H

#include "TileBody.h"

namespace bquant {

class LayerEmitter {
public:
  LayerEmitter(mlir::RewriterBase &rewriter, Layer &layer,
               const TileOptions &options, TilePlan plan, mlir::Location loc);
  virtual ~LayerEmitter() = default;

  /// The scf.foralls in the place of the layer's ops: the new dests.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> run();

  //===--------------------------------------------------------------------===//
  // Of a layer inside of loops that are there
  //===--------------------------------------------------------------------===//

  /// Dimensions of loops that are around, and of those to come.
  void setLoops(llvm::SmallVector<unsigned> around,
                llvm::SmallVector<unsigned> inside);
  /// Where the tile lies along `dim`, of which there are loops around.
  void enter(unsigned dim, int64_t size, mlir::OpFoldResult offset);
  /// The blocks of filters that are computed in each iteration of the loops
  /// over `dims`.
  mlir::LogicalResult emitFilters(llvm::ArrayRef<unsigned> regions,
                                  llvm::ArrayRef<unsigned> dims);
  /// The loops of `regions` over the inner dimensions; updates `slices`, what
  /// the tile has of the dests.
  mlir::LogicalResult emitRegions(llvm::ArrayRef<unsigned> regions,
                                  llvm::SmallVector<mlir::Value> &slices);
  /// Erases the ops of the layer, which nothing reads any more.
  void eraseOps();

protected:
  /// What one iteration of a scf.forall over `segments` of the outer dimensions
  /// does; updates `slices`.
  virtual mlir::LogicalResult
  emitInside(llvm::ArrayRef<unsigned> regions, llvm::ArrayRef<Segment> segments,
             llvm::SmallVector<mlir::Value> &slices);

  /// Of the outer dimensions those that have more than one tile.
  llvm::SmallVector<unsigned> getLooped(llvm::ArrayRef<Segment> segments) const;

  /// What one iteration of the loops over the outer dimensions writes of a
  /// dest, in regions that lie as `region` along them.
  Box getOuterBox(const TileRegion &region, unsigned dest);

  using EmitInLoop = llvm::function_ref<mlir::LogicalResult(
      mlir::Value, llvm::SmallVector<mlir::Value> &)>;
  /// A loop over `segment` that carries `values`; updates them.
  mlir::LogicalResult emitLoop(const Segment &segment,
                               llvm::SmallVector<mlir::Value> &values,
                               EmitInLoop fn);

  mlir::RewriterBase &rewriter;
  Layer &layer;
  const TileOptions &options;
  TilePlan plan;
  mlir::Location loc;
  unsigned rank;
  TileBody body;

  /// Dimensions of the scf.foralls, and of the loops inside, as of TilePlan.
  llvm::SmallVector<unsigned> outer, inner;
  /// The current tile in the domain of the region, complete inside all loops.
  Box tile;

private:
  // LayerEmitter.cpp
  mlir::LogicalResult emitForalls(llvm::ArrayRef<unsigned> regions,
                                  llvm::SmallVector<mlir::Value> &dests);
  bool isWhole(llvm::ArrayRef<unsigned> regions,
               llvm::ArrayRef<Segment> segments);
  mlir::LogicalResult emitForall(llvm::ArrayRef<unsigned> regions,
                                 llvm::ArrayRef<Segment> segments,
                                 llvm::SmallVector<mlir::Value> &dests);
  void replace(mlir::ValueRange results);

  // TileLoops.cpp
  mlir::LogicalResult emitFor(unsigned p, llvm::ArrayRef<Segment> segments,
                              unsigned i,
                              llvm::SmallVector<mlir::Value> &slices);
  mlir::LogicalResult emitLoop(unsigned p, const Segment &segment,
                               llvm::SmallVector<mlir::Value> &slices,
                               EmitInLoop fn);
  LayoutAttrInterface getLayout(unsigned dest);
  void moveBy(Box &box, unsigned dim, int64_t offset);
  Box getTileBox(const TileRegion &region, unsigned dest);
  mlir::LogicalResult emitRows(unsigned p,
                               llvm::SmallVector<mlir::Value> &slices);
  mlir::LogicalResult emitTile(unsigned p,
                               llvm::SmallVector<mlir::Value> &slices,
                               const TileBody::Tiles &known);

  /// Where a tile's rows are in a loop: their dimension, and the current one.
  std::optional<std::pair<unsigned, mlir::Value>> rolled;
};

/// Calls `fn` with one segment for each of `dims`, all combinations, up to the
/// first that fails.
mlir::LogicalResult forEachCombination(
    llvm::ArrayRef<unsigned> dims,
    llvm::ArrayRef<llvm::SmallVector<Segment>> segments,
    llvm::function_ref<mlir::LogicalResult(llvm::ArrayRef<Segment>)> fn);

inline bool isOneTile(const Segment &segment) {
  return segment.end - segment.start == segment.tile;
}

} // namespace bquant

#endif // BQUANT_LIB_PACKED_TRANSFORMS_TILE_LAYEREMITTER_H
