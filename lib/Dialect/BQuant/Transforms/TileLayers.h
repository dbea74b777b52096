//===- TileLayers.h - Layers: ops that share one loop nest ------*- C++ -*-===//
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

#ifndef BQUANT_LIB_TRANSFORMS_TILELAYERS_H
#define BQUANT_LIB_TRANSFORMS_TILELAYERS_H

#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace bquant {

//===----------------------------------------------------------------------===//
// Single ops (TileOps.cpp)
//===----------------------------------------------------------------------===//

/// The shape of the elements that a tileable op makes: the iteration space of
/// its layer. For pack and unpack the bits, not the words.
llvm::ArrayRef<int64_t> getDomain(mlir::Operation *op);

/// Whether `op` can be in a layer: static shapes on tensors; for a generic the
/// loops are those of the results in their order, then reductions.
bool isTileable(mlir::Operation *op);

/// Whether `op` is a generic with reduction loops.
bool isProduct(mlir::Operation *op);

/// Whether `operand` is read with the indices of the domain, unchanged.
bool isIdentityUse(mlir::OpOperand &operand);

/// An operand whose leading dimension is the channel of the result and whose
/// others are reductions: a filter, to be laid out with the channels last. An
/// operand that is summed by itself is none.
bool isFilter(mlir::OpOperand &operand);

/// An operand of a product that is unpacked from words along the channels of
/// the result: the tile unpacks it itself, word by word.
bool isBitFilter(mlir::OpOperand &operand);

/// Whether `op` only unpacks such operands.
bool isBitFilter(mlir::Operation *op);

/// Whether `op` is a product that counts bits.
bool isWordProduct(mlir::Operation *op);

/// Whether `op` is a product whose sums are floats.
bool isFloatProduct(mlir::Operation *op);

/// How many consecutive values of `dim` give `map` the same result, where it
/// depends on `dim floordiv N` only: N; 0 where it does not depend on it at
/// all. std::nullopt elsewhere.
std::optional<int64_t> getBlock(mlir::AffineMap map, unsigned dim);

/// The channels of a block, as above, that read the same element of one of the
/// operands: the words of a group. std::nullopt where none does.
std::optional<int64_t> getChannelBlock(mlir::Operation *op);

/// Whether a tile of `lanes` channels consists of whole blocks, or the other
/// way round.
inline bool fitsLanes(int64_t block, int64_t lanes) {
  return block % lanes == 0 || lanes % block == 0;
}

/// Whether all operands but filters have unit stride along the last dimension
/// of the domain, or are the same for blocks of it or all of it.
bool hasLanes(mlir::Operation *op);

//===----------------------------------------------------------------------===//
// Pieces (TileSink.cpp)
//===----------------------------------------------------------------------===//

/// The inserts, first to last, by which the result of `end` is assembled, if
/// they are static and cover all of it once.
std::optional<llvm::SmallVector<mlir::tensor::InsertSliceOp>>
getPieces(mlir::Operation *end);

/// Clones elementwise generics and packs that read assembled tensors onto the
/// pieces.
void sinkIntoPieces(mlir::RewriterBase &rewriter, mlir::Block &block);

//===----------------------------------------------------------------------===//
// Layers (TileLayers.cpp)
//===----------------------------------------------------------------------===//

/// A tensor that a layer writes.
struct Dest {
  /// What the layer's result replaces: the end of a chain of inserts, or the
  /// result of an op.
  mlir::Value value;
  /// What it is written into; null: a new tensor.empty.
  mlir::Value init;
};

/// Ops of one domain, which lies at `offsets` in the domain of the layer.
struct Piece {
  llvm::SmallVector<mlir::Operation *> ops; // in the order of the block
  llvm::SmallVector<int64_t> offsets;
  /// Results that leave the piece, and the dests that they go to.
  llvm::SmallVector<std::pair<mlir::OpResult, unsigned>> escapes;
};

struct Layer {
  /// The last op of it; what reads its results comes later.
  mlir::Operation *anchor = nullptr;
  llvm::SmallVector<Piece> pieces;
  llvm::SmallVector<Dest> dests;
  /// The inserts of the chains that the layer takes the place of.
  llvm::SmallVector<mlir::tensor::InsertSliceOp> inserts;
};

/// The layers of a block, last to first.
std::vector<Layer> findLayers(mlir::Block &block);

//===----------------------------------------------------------------------===//
// Loops (TileLoops.cpp, TileBody.cpp) and filters (TileFilters.cpp)
//===----------------------------------------------------------------------===//

struct TileOptions {
  int64_t lanes = 32;
  int64_t accumulators = 14;
  /// The target's vector registers, and the 32-bit lanes of one.
  int64_t registers = 32, registerLanes = 16;
  /// Words are counted one filter at a time: their filters stay as they are.
  bool scalarWords = false;
};

/// Filters laid out by channels, made once for each constant.
class FilterPacker {
public:
  FilterPacker(mlir::RewriterBase &rewriter, mlir::Block &block)
      : rewriter(rewriter), block(block) {}
  /// The indices [start, start + blocks * lanes) of dimension `dim` of `filter`
  /// as [blocks][other dimensions][lanes].
  mlir::Value get(mlir::Location loc, mlir::Value filter, int64_t dim,
                  int64_t start, int64_t blocks, int64_t lanes);

private:
  mlir::RewriterBase &rewriter;
  mlir::Block &block;
  llvm::DenseMap<
      std::pair<mlir::Value, std::tuple<int64_t, int64_t, int64_t, int64_t>>,
      mlir::Value>
      packed;
};

/// Replaces the ops of `layer` by loops over tiles; an error at one of them
/// that cannot be tiled so.
mlir::LogicalResult emitLayer(mlir::RewriterBase &rewriter, Layer &layer,
                              const TileOptions &options,
                              FilterPacker &filters);

} // namespace bquant

#endif // BQUANT_LIB_TRANSFORMS_TILELAYERS_H
