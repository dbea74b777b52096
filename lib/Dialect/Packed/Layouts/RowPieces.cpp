//===- RowPieces.cpp - Rows in vectors of whole registers -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowPieces.h"
#include "bquant/Dialect/Packed/IR/Packed.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace bquant;

SmallVector<Piece> bquant::getPieces(int64_t rowWidth) {
  if (rowWidth == 0)
    return {{0, 0}};
  SmallVector<Piece> pieces;
  for (int64_t offset = 0; offset < rowWidth;) {
    auto width = int64_t(llvm::bit_floor(uint64_t(rowWidth - offset)));
    pieces.push_back({offset, width});
    offset += width;
  }
  return pieces;
}

static int64_t getWidth(Value vector) {
  return cast<VectorType>(vector.getType()).getDimSize(0);
}

/// Calls `fn` with what each of `parts` has of `piece`, and where in that it
/// lies.
static void forEachOverlap(OpBuilder &b, Location loc, ValueRange parts,
                           Piece piece, function_ref<void(Value, int64_t)> fn) {
  int64_t start = 0, end = piece.offset + piece.width;
  for (Value part : parts) {
    int64_t width = getWidth(part), next = start + width;
    int64_t from = std::max(start, piece.offset), to = std::min(next, end);
    if (from < to) {
      if (to - from != width)
        part = vector::ExtractStridedSliceOp::create(b, loc, part, from - start,
                                                     to - from, 1);
      fn(part, from - piece.offset);
    }
    start = next;
  }
}

Value bquant::slice(OpBuilder &b, Location loc, ValueRange parts, Piece piece) {
  Value joined;
  forEachOverlap(b, loc, parts, piece, [&](Value part, int64_t at) {
    if (getWidth(part) == piece.width) {
      joined = part;
      return;
    }
    auto type = VectorType::get(piece.width, getElementTypeOrSelf(part));
    if (!joined)
      joined = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
    joined = vector::InsertStridedSliceOp::create(b, loc, part, joined, at, 1);
  });
  if (joined)
    return joined;
  auto type = VectorType::get(piece.width, getElementTypeOrSelf(parts.front()));
  return arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
}

SmallVector<Value> bquant::cut(OpBuilder &b, Location loc, ValueRange parts,
                               int64_t rowWidth) {
  return llvm::map_to_vector(getPieces(rowWidth), [&](Piece piece) {
    return slice(b, loc, parts, piece);
  });
}

Value bquant::getWord(OpBuilder &b, Location loc, ValueRange parts,
                      int64_t from) {
  Value word;
  forEachOverlap(b, loc, parts, {from, kWordBits}, [&](Value part, int64_t at) {
    Type integer = b.getIntegerType(getWidth(part)), i32 = b.getI32Type();
    Value bits =
        vector::BitCastOp::create(b, loc, VectorType::get(1, integer), part);
    bits = vector::ExtractOp::create(b, loc, bits, 0);
    if (integer != i32)
      bits = arith::ExtUIOp::create(b, loc, i32, bits);
    if (at != 0)
      bits = arith::ShLIOp::create(
          b, loc, bits,
          arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(at)));
    word = word ? arith::OrIOp::create(b, loc, word, bits).getResult() : bits;
  });
  return word;
}

Value bquant::toBits(OpBuilder &b, Location loc, Value word) {
  Value one = vector::BroadcastOp::create(
      b, loc, VectorType::get(1, b.getI32Type()), word);
  return vector::BitCastOp::create(
      b, loc, VectorType::get(kWordBits, b.getI1Type()), one);
}
