//===- TileVectorizer.h - One block's tiles to vectors ----------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to --bquant-vectorize.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_TILEVECTORIZER_H
#define BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_TILEVECTORIZER_H

#include "Dialect/Packed/Layouts/RowPieces.h"
#include "NarrowVectors.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Target/TargetDescription.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace bquant {

class GenericVectorizer;

/// Turns the tiles of one block into vector code, in their order. What one tile
/// op makes the next one takes as vectors; it is written to a tensor only where
/// something else reads it.
class TileVectorizer {
public:
  TileVectorizer(mlir::RewriterBase &rewriter, const TargetDescription &target)
      : rewriter(rewriter), target(target) {}

  /// Vectorizes `op`, which stays until `finish`; fails where it cannot.
  mlir::LogicalResult vectorize(mlir::Operation *op);

  /// Writes what is still read from tensors and erases the ops of `block`.
  void finish(mlir::Block *block);

private:
  /// The elements of a tensor: a vector for each piece of each row of its last
  /// dimension, or (`rowWidth` 0) a scalar for each element. Rows of one piece
  /// may have another order: the element of each lane.
  struct Rows {
    llvm::SmallVector<mlir::Value> values;
    int64_t rowWidth = 0;
    llvm::SmallVector<int64_t> order;
  };

  mlir::LogicalResult vectorizeGeneric(mlir::linalg::GenericOp op);
  mlir::LogicalResult vectorizeProduct(ProductOp op);
  void vectorizeFill(mlir::linalg::FillOp op);
  void vectorizePack(packed::PackOp op);
  void vectorizeUnpack(packed::UnpackOp op);

  llvm::SmallVector<mlir::Value> getElements(mlir::Location loc,
                                             const Rows &rows);
  /// The elements of `row` in another order; none is their own.
  mlir::Value arrange(mlir::Location loc, mlir::Value row,
                      llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);
  Rows arrange(mlir::Location loc, const Rows &rows,
               llvm::ArrayRef<int64_t> order);
  /// The rows of all of `tensor`, in their own order.
  Rows readAll(mlir::Value tensor, int64_t rowWidth);
  mlir::Value readRow(mlir::Location loc, mlir::Value tensor,
                      llvm::ArrayRef<mlir::OpFoldResult> indices,
                      int64_t rowWidth);
  /// Bits of unpacked `words`, a piece of the row that starts with the word at
  /// `indices`; the bit there where the piece has no width.
  mlir::Value readBits(mlir::Location loc, mlir::Value words,
                       llvm::ArrayRef<mlir::OpFoldResult> indices, Piece piece);
  /// `dest` with `rows` in it: a write for each vector, one for all scalars,
  /// and an insertion for each bit.
  mlir::Value writeAll(mlir::Location loc, const Rows &rows, mlir::Value dest);
  /// The tensor that `init` overwrites, past tiles that are overwritten whole.
  mlir::Value getDest(mlir::Value init);
  llvm::SmallVector<mlir::Value>
  toValues(mlir::Location loc, llvm::ArrayRef<mlir::OpFoldResult> indices);

  friend class GenericVectorizer;
  mlir::RewriterBase &rewriter;
  const TargetDescription &target;
  llvm::DenseMap<mlir::Value, Rows> known;
  NarrowVectors narrow;
  llvm::SmallVector<mlir::Operation *> done;
  /// Whether a row is finished before the next one begins.
  bool finishesRows = false;
};

} // namespace bquant

#endif // BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_TILEVECTORIZER_H
