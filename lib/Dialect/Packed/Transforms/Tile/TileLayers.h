//===- TileLayers.h - The layers of a block, and loops over their tiles -*- C++
//-*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_PACKED_TRANSFORMS_TILE_TILELAYERS_H
#define BQUANT_LIB_PACKED_TRANSFORMS_TILE_TILELAYERS_H

#include "TilePlan.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/Packed/IR/Packed.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace bquant {

/// A tensor that a layer writes.
struct Dest {
  /// What the layer's result replaces: the end of a chain of inserts, or the
  /// result of an op.
  mlir::Value value;
  /// Where the first insert of a chain, or an op that changes a tensor, has
  /// what it is written into; null: a new tensor.
  mlir::OpOperand *init = nullptr;
};

/// Ops of one domain, which lies at `offsets` in the domain of the layer.
struct TileRegion {
  llvm::SmallVector<mlir::Operation *> ops; // in the order of the block
  llvm::SmallVector<int64_t> offsets;
  /// Results that leave the region, and the dests that they go to.
  llvm::SmallVector<std::pair<mlir::OpResult, unsigned>> liveOuts;
};

struct Layer {
  /// The last op of it; what reads its results comes later.
  mlir::Operation *anchor = nullptr;
  llvm::SmallVector<TileRegion> regions;
  llvm::SmallVector<Dest> dests;
  /// The inserts of the chains that the layer takes the place of.
  llvm::SmallVector<mlir::tensor::InsertSliceOp> inserts;
};

/// What is in the operation of a layer, last to first: the layer itself, and
/// what it alone reads.
std::vector<Layer> readLayers(packed::LayerOp op);

/// Whether passes can plan for that many; an error if not.
mlir::LogicalResult verifyThreads(mlir::MLIRContext *context, int64_t threads);

/// Those of the target of the module that `op` is in, which has to have one.
mlir::FailureOr<TileOptions> getTileOptions(mlir::Operation *op,
                                            int64_t threads);

/// What planning is told of `layer`.
LayerShape getLayerShape(const Layer &layer);

/// The counts of an element of `region` that may go through memory: more than
/// bits is made of them, row by row.
int64_t countRollable(const TileRegion &region);

/// The location of the product, by which a user knows the layer, or else of the
/// last op.
mlir::Location getLocation(const Layer &layer);

/// Replaces the ops of `layer` by loops over tiles, and returns what takes the
/// place of each dest; an error at an op that cannot be tiled so.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
emitLayer(mlir::RewriterBase &rewriter, Layer &layer,
          const TileOptions &options);

} // namespace bquant

#endif // BQUANT_LIB_PACKED_TRANSFORMS_TILE_TILELAYERS_H
