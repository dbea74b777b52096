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

/// The nibbles of words: four channels n as 4 n, a byte each. Word by word
/// in general registers: of words that become one vector LLVM takes the bits
/// apart again.
static Value emitNibbles(ImplicitLocOpBuilder &b, ValueRange words) {
  Type i64 = b.getI64Type();
  auto constant = [&](uint64_t value) -> Value {
    return arith::ConstantOp::create(b, b.getI64IntegerAttr(int64_t(value)));
  };
  // Halves of fields into fields of their own.
  auto spread = [&](Value bits, int64_t shift, uint64_t mask) -> Value {
    Value shifted = arith::ShLIOp::create(b, bits, constant(shift));
    bits = arith::OrIOp::create(b, bits, shifted);
    return arith::AndIOp::create(b, bits, constant(mask));
  };
  SmallVector<Value> joined;
  for (Value word : words) {
    Value bits = arith::ExtUIOp::create(b, i64, word);
    bits = spread(bits, 16, 0x0000ffff0000ffff);
    bits = spread(bits, 8, 0x00ff00ff00ff00ff);
    bits = spread(bits, 4, 0x0f0f0f0f0f0f0f0f);
    joined.push_back(arith::ShLIOp::create(b, bits, constant(2)));
  }
  int64_t size = words.size();
  Value nibbles =
      vector::FromElementsOp::create(b, VectorType::get(size, i64), joined);
  return vector::BitCastOp::create(b, VectorType::get(8 * size, b.getI8Type()),
                                   nibbles);
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
      if (layout != Layout::pairs)
        packed.rowWidth = countElements(layout, rowWidth);
      if (layout == Layout::bytes) {
        for (ArrayRef<Value> left = rows.values; !left.empty();
             left = left.drop_front(pieces))
          packed.values.append(cut(b, loc, toBytes(b, left.take_front(pieces)),
                                   packed.rowWidth));
        continue;
      }
      for (ArrayRef<Value> left = words.values; !left.empty();
           left = left.drop_front(perRow))
        if (layout == Layout::pairs)
          emitPairs(b, left.take_front(perRow), packed.values);
        else
          packed.values.append(cut(b, loc,
                                   emitNibbles(b, left.take_front(perRow)),
                                   packed.rowWidth));
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
