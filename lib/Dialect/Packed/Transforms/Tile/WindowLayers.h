//===- WindowLayers.h - Layers that windows of rows join --------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to --bquant-tile-and-fuse. A pool behind a product reads each of its
// rows soon after it was computed, and nothing else reads them: both are one
// loop over rows, and of the image in between there are as many rows as a
// window has.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_PACKED_TRANSFORMS_TILE_WINDOWLAYERS_H
#define BQUANT_LIB_PACKED_TRANSFORMS_TILE_WINDOWLAYERS_H

#include "TileLayers.h"

namespace bquant {

/// Dimensions of the domain of both: images, channels last.
enum : unsigned { kBatch, kRow, kColumn, kChannel, kRank };

/// Two layers in one: how the second reads the rows of the first.
struct WindowLayers {
  Layer *producer, *consumer;
  /// What the consumer reads: the producer's dest, or that padded.
  mlir::Value image;
  mlir::tensor::PadOp pad; // null: none
  /// What it is padded with, and by how much in front of rows and columns.
  mlir::Value padding;
  int64_t top = 0, left = 0;
  /// Of a window: the rows that it spans, and by how many it moves.
  int64_t span, stride;

  TilePlan producerPlan;
  /// Its outer loops go over batch, channels and blocks of rows.
  TilePlan consumerPlan;

  /// Rows that a window has in common with the next one.
  int64_t getKept() const { return std::max<int64_t>(0, span - stride); }
  /// The regions of the producer that have a row of it; none have those of the
  /// padding.
  llvm::SmallVector<unsigned> getRegionsOfRow(int64_t row) const;
  /// The regions of the rows that `window` is the first to have.
  llvm::SmallVector<llvm::SmallVector<unsigned>>
  getFreshRegions(int64_t window) const;
  /// The row of the producer that a window begins with; below 0 in the padding.
  int64_t getFirstRow(int64_t window) const { return window * stride - top; }
};

/// The layers among `layers` that are better computed in one; each is in at
/// most one of them.
std::vector<WindowLayers> findWindowLayers(llvm::MutableArrayRef<Layer> layers,
                                           const TileOptions &options);

/// Replaces the ops of both by loops over tiles; an error at an op that cannot
/// be tiled so.
mlir::LogicalResult emitWindowLayers(mlir::RewriterBase &rewriter,
                                     const WindowLayers &layers,
                                     TileOptions options);

} // namespace bquant

#endif // BQUANT_LIB_PACKED_TRANSFORMS_TILE_WINDOWLAYERS_H
