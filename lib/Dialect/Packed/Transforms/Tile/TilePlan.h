//===- TilePlan.h - Loops and tile sizes of a layer -------------*- C++ -*-===//
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

#ifndef BQUANT_LIB_PACKED_TRANSFORMS_TILE_TILEPLAN_H
#define BQUANT_LIB_PACKED_TRANSFORMS_TILE_TILEPLAN_H

#include "TileLayers.h"

namespace bquant {

/// Tiles for each thread: few enough that a tile is worth being claimed, and
/// enough that none waits long for the last.
inline constexpr int64_t kTilesOfThread = 8;

/// A range of one dimension, in steps of the size of a tile.
struct Segment {
  int64_t start, end, tile;
};

struct TilePlan {
  /// Dimensions of the scf.forall, outermost first: those that all regions have
  /// whole.
  llvm::SmallVector<unsigned> outer;
  /// Dimensions of the scf.for loops inside, outermost first.
  llvm::SmallVector<unsigned> inner;
  /// For each region and dimension: the segments.
  llvm::SmallVector<llvm::SmallVector<llvm::SmallVector<Segment>>> segments;
};

TilePlan planTiles(const Layer &layer, const TileOptions &options);

/// Whether what follows the counts of a tile is a loop over its rows: they do
/// not fit into registers, and more than bits is made of them.
bool rollsRows(const TileRegion &region, int64_t rows, int64_t channels,
               const TileOptions &options);

} // namespace bquant

#endif // BQUANT_LIB_PACKED_TRANSFORMS_TILE_TILEPLAN_H
