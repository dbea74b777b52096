//===- TilePlan.h - Loops and tile sizes of a layer -------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to --bquant-tile-and-fuse. A plan follows from numbers alone, which
// TileLayers.h reads from operations.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_PACKED_TRANSFORMS_TILE_TILEPLAN_H
#define BQUANT_LIB_PACKED_TRANSFORMS_TILE_TILEPLAN_H

#include "bquant/Target/KernelCosts.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace bquant {

/// Tiles for each thread: few enough that a tile is worth being claimed, and
/// enough that none waits long for the last.
inline constexpr int64_t kTilesOfThread = 8;

struct TileOptions {
  int64_t tileChannels = 32;
  /// The target's vector registers, and the 32-bit lanes of one.
  int64_t registers = 32, registerLanes = 16;
  OtherCosts costs;
  /// What one core may fill of the cache behind its first one.
  int64_t l2Bytes = 256 << 10;
  /// The most that a call may use.
  int64_t threads = 1;
  /// Of what is computed inside of another layer's loop: no scf.forall.
  bool inside = false;
  /// The pixels of a tile are of one row of the image, however short it is.
  bool imageRows = false;
};

/// What a plan follows from of one region of a layer.
struct RegionShape {
  /// Its place in the domain of the layer, channels last.
  llvm::SmallVector<int64_t> offsets, sizes;
  /// The tile of its product's kernel; 0 without a product.
  int64_t kernelRows = 0, kernelChannels = 0;
  /// The pixels of a tile are of one row of the image, as they share what the
  /// kernel makes of a column.
  bool sharesColumns = false;
  /// What loops over reductions carry of an element, products' included.
  int64_t sums = 0;
  /// Channels that are packed or unpacked together; 1 without such.
  int64_t packedChannels = 1;
  /// Whether all ops have vectors along channels.
  bool hasChannelVectors = true;
  /// Channels that read the same element of an operand, for each such op.
  llvm::SmallVector<int64_t> channelBlocks;
  /// For each filter that the loops compute, whether its blocks depend on each
  /// dimension.
  llvm::SmallVector<llvm::SmallVector<bool>> computedFilters;
};

struct LayerShape {
  std::vector<RegionShape> regions;
  /// Of the filters of the first region's product, and of all that the layer
  /// writes; 0 without a product.
  int64_t filterBytes = 0, writtenBytes = 0;
};

/// A range of one dimension, in steps of the size of a tile.
struct Segment {
  int64_t start, end, tile;
};

int64_t countTiles(llvm::ArrayRef<Segment> segments);

struct TilePlan {
  /// Dimensions of the scf.forall, outermost first: those that all regions have
  /// whole.
  llvm::SmallVector<unsigned> outer;
  /// Dimensions of the scf.for loops inside, outermost first.
  llvm::SmallVector<unsigned> inner;
  /// For each region and dimension: the segments.
  llvm::SmallVector<llvm::SmallVector<llvm::SmallVector<Segment>>> segments;

  /// How many of the inner loops of a region, outermost first, become parallel,
  /// too, for tiles enough for the threads.
  unsigned countParallelInner(unsigned region, int64_t threads) const;
};

TilePlan planTiles(const LayerShape &layer, const TileOptions &options);

/// Whether what follows the `counts` of each element of a tile is a loop over
/// its rows: they do not fit into registers.
bool rollsRows(int64_t counts, int64_t rows, int64_t channels,
               const TileOptions &options);

} // namespace bquant

#endif // BQUANT_LIB_PACKED_TRANSFORMS_TILE_TILEPLAN_H
