//===- TileableOps.h - What may be a part of a layer's tile -----*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_ANALYSIS_TILEABLEOPS_H
#define BQUANT_LIB_ANALYSIS_TILEABLEOPS_H

#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace bquant {

/// The shape of the elements that a tileable op makes: the iteration space of
/// its layer. For pack and unpack the bits, not the words.
llvm::ArrayRef<int64_t> getDomain(mlir::Operation *op);

/// Whether all that `op` reads and writes is of numbers that vectors hold, and
/// of no layout of its own.
bool hasVectorElements(mlir::Operation *op);

/// Whether `op` can be in a layer: static shapes on tensors, no effects; for a
/// generic the loops are those of the results in their order, then reductions.
bool isTileable(mlir::Operation *op);

/// Whether `op` is a product, or a generic with reduction loops.
bool isReduction(mlir::Operation *op);

/// Whether it is a product whose results are counts.
bool countsBits(mlir::Operation *op);

/// The argument of the body whose maximum the f32 result of a reduction is
/// (arith.maximumf), as of a max-pool, and may be NaN or a zero of either sign;
/// null elsewhere.
mlir::Value getMaximized(mlir::Operation *op);

/// Whether `operand` is read with the indices of the domain, unchanged.
bool isIdentityUse(mlir::OpOperand &operand);

/// How many consecutive values of `dim` give `map` the same result, where it
/// depends on `dim floordiv N` only: N; 0 where it does not depend on it at
/// all. std::nullopt elsewhere.
std::optional<int64_t> getBlock(mlir::AffineMap map, unsigned dim);

/// Whether consecutive values of `dim` read elements side by side.
bool readsLanes(mlir::AffineMap map, unsigned dim);

/// The channels of a block, as above, that read the same element of one of the
/// operands: the words of a group; of a product those that its kernel has in a
/// tile. std::nullopt where none does.
std::optional<int64_t> getChannelBlock(mlir::Operation *op);

/// The channels that are packed or unpacked together by any of `ops`, of which
/// a tile has a multiple; 1 without such an op.
int64_t getPackedChannels(llvm::ArrayRef<mlir::Operation *> ops);

/// Whether a tile of `tileChannels` channels consists of whole blocks, or the
/// other way round.
inline bool fitsBlocks(int64_t block, int64_t tileChannels) {
  return block % tileChannels == 0 || tileChannels % block == 0;
}

/// Whether all operands have unit stride along the last dimension
/// of the domain, or are the same for blocks of it or all of it.
bool hasChannelVectors(mlir::Operation *op);

} // namespace bquant

#endif // BQUANT_LIB_ANALYSIS_TILEABLEOPS_H
