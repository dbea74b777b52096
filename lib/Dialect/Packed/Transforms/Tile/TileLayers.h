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

#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/Packed/IR/Packed.h"
#include "bquant/Target/KernelCosts.h"
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

/// Whether passes can plan for that many; an error if not.
mlir::LogicalResult verifyThreads(mlir::MLIRContext *context, int64_t threads);

/// Those of the target of the module that `op` is in, which has to have one.
mlir::FailureOr<TileOptions> getTileOptions(mlir::Operation *op,
                                            int64_t threads);

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
