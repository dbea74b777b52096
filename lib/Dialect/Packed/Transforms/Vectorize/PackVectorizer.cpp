//===- PackVectorizer.cpp - Tiles of packs and unpacks to vectors ---------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Packed/Layouts/RowPieces.h"
#include "TileVectorizer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

void TileVectorizer::vectorizePack(packed::PackOp op) {
  Location loc = op.getLoc();
  ImplicitLocOpBuilder b(loc, rewriter);
  size_t planes = op.getInputs().size();
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    int64_t rowWidth =
        cast<RankedTensorType>(input.getType()).getShape().back();
    size_t pieces = getPieces(rowWidth).size();
    int64_t perRow = llvm::divideCeil(rowWidth, kWordBits);
    Rows rows = readAll(input, rowWidth);
    SmallVector<Value> words;
    for (ArrayRef<Value> left = rows.values; !left.empty();
         left = left.drop_front(pieces))
      for (int64_t word = 0; word < perRow; ++word)
        words.push_back(
            getWord(b, loc, left.take_front(pieces), word * kWordBits));
    for (unsigned r = i; r < op.getNumResults(); r += planes) {
      LayoutAttrInterface layout = op.getLayoutOf(r);
      Rows &packed = known[op.getResult(r)];
      ArrayRef<Value> left = rows.values, leftWords = words;
      for (; !left.empty(); left = left.drop_front(pieces),
                            leftWords = leftWords.drop_front(perRow))
        packed.values.append(layout.packVectors(b, left.take_front(pieces),
                                                leftWords.take_front(perRow),
                                                rowWidth));
      if (isa<VectorType>(packed.values.front().getType()))
        packed.rowWidth = layout.countElements(rowWidth);
    }
  }
}

void TileVectorizer::vectorizeUnpack(packed::UnpackOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  LayoutAttrInterface layout = op.getLayout();
  for (auto [input, result] :
       llvm::zip_equal(op.getInputs(), op.getResults())) {
    Rows elements = readAll(input, 0);
    Rows &rows = known[result];
    rows.rowWidth = cast<RankedTensorType>(result.getType()).getShape().back();
    int64_t perRow = layout.countElements(rows.rowWidth);
    for (ArrayRef<Value> left = elements.values; !left.empty();
         left = left.drop_front(perRow))
      rows.values.append(
          layout.unpackVectors(b, left.take_front(perRow), rows.rowWidth));
  }
}
