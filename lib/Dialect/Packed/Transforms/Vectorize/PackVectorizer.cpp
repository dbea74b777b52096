//===- PackVectorizer.cpp - Tiles of packs and unpacks to vectors ---------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowPieces.h"
#include "TileVectorizer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

/// Four bits n as the byte 4 n, side by side: as bytes 4, 8, 16 and 32 of one
/// i32, then in one byte. No words are on the way, which have to leave the
/// vectors and come back.
static SmallVector<Value> toNibbles(ImplicitLocOpBuilder &b, ValueRange bits,
                                    int64_t count) {
  constexpr int64_t each = 4;
  SmallVector<Value> nibbles;
  for (auto [offset, width] : getPieces(count)) {
    auto bytes = VectorType::get(width * each, b.getI8Type()),
         fields = VectorType::get(width, b.getI32Type());
    SmallVector<int8_t> places;
    for (int64_t i = 0; i < width * each; ++i)
      places.push_back(4 << i % each);
    Value masks = arith::ExtSIOp::create(
        b, bytes, slice(b, b.getLoc(), bits, {offset * each, width * each}));
    masks = arith::AndIOp::create(
        b, masks,
        arith::ConstantOp::create(
            b, DenseElementsAttr::get(bytes, ArrayRef<int8_t>(places))));
    Value field = vector::BitCastOp::create(b, fields, masks);
    for (int32_t by : {16, 8}) {
      Value shift =
          arith::ConstantOp::create(b, DenseElementsAttr::get(fields, by));
      field = arith::OrIOp::create(b, field,
                                   arith::ShRUIOp::create(b, field, shift));
    }
    nibbles.push_back(arith::TruncIOp::create(
        b, VectorType::get(width, b.getI8Type()), field));
  }
  return nibbles;
}

/// Eight bits as a byte.
static SmallVector<Value> toOctets(ImplicitLocOpBuilder &b, ValueRange bits,
                                   int64_t count) {
  constexpr int64_t each = 8;
  SmallVector<Value> octets;
  for (auto [offset, width] : getPieces(count))
    octets.push_back(vector::BitCastOp::create(
        b, VectorType::get(width, b.getI8Type()),
        slice(b, b.getLoc(), bits, {offset * each, width * each})));
  return octets;
}

/// Bits as bytes.
static SmallVector<Value> toBytes(ImplicitLocOpBuilder &b, ValueRange bits) {
  return llvm::map_to_vector(bits, [&](Value part) -> Value {
    auto type = cast<VectorType>(part.getType()).clone(b.getI8Type());
    return arith::ExtUIOp::create(b, type, part);
  });
}

/// Each first word of two, then its difference from the second; a missing one
/// is 0.
static void emitPairs(ImplicitLocOpBuilder &b, ValueRange words,
                      SmallVectorImpl<Value> &pairs) {
  for (size_t i = 0; i < words.size(); i += 2) {
    Value first = words[i];
    pairs.push_back(first);
    pairs.push_back(i + 1 < words.size()
                        ? arith::XOrIOp::create(b, first, words[i + 1])
                        : first);
  }
}

void TileVectorizer::vectorizePack(PackOp op) {
  Location loc = op.getLoc();
  ImplicitLocOpBuilder b(loc, rewriter);
  size_t planes = op.getInputs().size();
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    int64_t rowWidth =
        cast<RankedTensorType>(input.getType()).getShape().back();
    size_t pieces = getPieces(rowWidth).size();
    int64_t perRow = llvm::divideCeil(rowWidth, kWordBits);
    Rows rows = readAll(input, rowWidth);
    Rows words; // scalars
    for (ArrayRef<Value> left = rows.values; !left.empty();
         left = left.drop_front(pieces))
      for (int64_t word = 0; word < perRow; ++word)
        words.values.push_back(
            getWord(b, loc, left.take_front(pieces), word * kWordBits));
    for (unsigned r = i; r < op.getNumResults(); r += planes) {
      Rows &packed = known[op.getResult(r)] = words;
      Layout layout = op.getLayoutOf(r);
      if (layout == Layout::words)
        continue;
      packed = Rows();
      if (layout == Layout::pairs) {
        for (ArrayRef<Value> left = words.values; !left.empty();
             left = left.drop_front(perRow))
          emitPairs(b, left.take_front(perRow), packed.values);
        continue;
      }
      packed.rowWidth = countElements(layout, rowWidth);
      for (ArrayRef<Value> left = rows.values; !left.empty();
           left = left.drop_front(pieces)) {
        ArrayRef<Value> row = left.take_front(pieces);
        if (layout == Layout::bytes)
          packed.values.append(cut(b, loc, toBytes(b, row), packed.rowWidth));
        else if (layout == Layout::octets)
          packed.values.append(toOctets(b, row, packed.rowWidth));
        else
          packed.values.append(toNibbles(b, row, packed.rowWidth));
      }
    }
  }
}

void TileVectorizer::vectorizeUnpack(UnpackOp op) {
  Location loc = op.getLoc();
  for (auto [input, result] :
       llvm::zip_equal(op.getInputs(), op.getResults())) {
    Rows words = readAll(input, 0);
    Rows rows;
    rows.rowWidth = cast<RankedTensorType>(result.getType()).getShape().back();
    int64_t perRow = llvm::divideCeil(rows.rowWidth, kWordBits);
    SmallVector<Value> bits = llvm::map_to_vector(
        words.values, [&](Value word) { return toBits(loc, word); });
    for (ArrayRef<Value> left = bits; !left.empty();
         left = left.drop_front(perRow))
      rows.values.append(
          cut(rewriter, loc, left.take_front(perRow), rows.rowWidth));
    known[result] = rows;
  }
}
