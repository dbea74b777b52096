//===- TileVectorizer.cpp - One block's tiles to vectors ------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rows of tensors, and the ops that are not generics. Bits are never stored
// as vectors: a memref holds an i1 in a byte, a vector in a bit.
//
//===----------------------------------------------------------------------===//

#include "TileVectorizer.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Calls `fn` with the leading indices of each row.
static void forEachRow(RankedTensorType type, bool scalars,
                       function_ref<void(unsigned, ArrayRef<int64_t>)> fn) {
  ArrayRef<int64_t> shape = type.getShape();
  if (!scalars)
    shape = shape.drop_back();
  SmallVector<int64_t> strides = computeStrides(shape);
  int64_t count = computeProduct(shape);
  for (int64_t row = 0; row < count; ++row)
    fn(row, delinearize(row, strides));
}

SmallVector<Value> TileVectorizer::toValues(Location loc,
                                            ArrayRef<OpFoldResult> indices) {
  return getValueOrCreateConstantIndexOp(rewriter, loc, indices);
}

/// `rowWidth` elements from `indices` on; the element itself where `rowWidth`
/// is 0.
Value TileVectorizer::readRow(Location loc, Value tensor,
                              ArrayRef<OpFoldResult> indices,
                              int64_t rowWidth) {
  Type element = getElementTypeOrSelf(tensor.getType());
  SmallVector<Value> at = toValues(loc, indices);
  if (rowWidth == 0)
    return tensor::ExtractOp::create(rewriter, loc, tensor, at);
  auto type = VectorType::get(rowWidth, element);
  if (element.isInteger(1)) {
    SmallVector<Value> bits;
    for (int64_t column = 0; column < rowWidth; ++column) {
      SmallVector<Value> index = at;
      Value offset = arith::ConstantIndexOp::create(rewriter, loc, column);
      index.back() = arith::AddIOp::create(rewriter, loc, index.back(), offset);
      bits.push_back(tensor::ExtractOp::create(rewriter, loc, tensor, index));
    }
    return vector::FromElementsOp::create(rewriter, loc, type, bits);
  }
  return vector::TransferReadOp::create(rewriter, loc, type, tensor, at,
                                        std::nullopt, ArrayRef<bool>{true});
}

Value TileVectorizer::readBits(Location loc, Value words,
                               ArrayRef<OpFoldResult> indices,
                               int64_t rowWidth) {
  SmallVector<OpFoldResult> at(indices);
  AffineExpr s0 = rewriter.getAffineSymbolExpr(0);
  auto readWord = [&](AffineExpr word) {
    at.back() = affine::makeComposedFoldedAffineApply(rewriter, loc, word,
                                                      {indices.back()});
    return readRow(loc, words, at, 0);
  };
  if (rowWidth != 0) {
    SmallVector<Value> parts;
    int64_t count = llvm::divideCeil(rowWidth, kWordBits);
    for (int64_t i = 0; i < count; ++i)
      parts.push_back(readWord(s0.floorDiv(kWordBits) + i));
    return toBits(loc, parts, rowWidth);
  }
  Value word = readWord(s0.floorDiv(kWordBits));
  Value bit = getValueOrCreateConstantIndexOp(
      rewriter, loc,
      affine::makeComposedFoldedAffineApply(rewriter, loc, s0 % kWordBits,
                                            {indices.back()}));
  bit = arith::IndexCastOp::create(rewriter, loc, word.getType(), bit);
  word = arith::ShRUIOp::create(rewriter, loc, word, bit);
  return arith::TruncIOp::create(rewriter, loc, rewriter.getI1Type(), word);
}

Value TileVectorizer::toBits(Location loc, ValueRange words, int64_t rowWidth) {
  auto one = VectorType::get(1, rewriter.getI32Type());
  auto bits = VectorType::get(kWordBits, rewriter.getI1Type());
  Value row;
  int64_t width = 0;
  for (Value word : words) {
    word = vector::BroadcastOp::create(rewriter, loc, one, word);
    Value part = vector::BitCastOp::create(rewriter, loc, bits, word);
    // Behind what there is; the last word as far as it is used.
    int64_t next = std::min(rowWidth, width + kWordBits);
    if (!row && next == kWordBits)
      row = part;
    else
      row = vector::ShuffleOp::create(
          rewriter, loc, row ? row : part, part,
          llvm::to_vector(llvm::seq<int64_t>(0, next)));
    width = next;
  }
  return row;
}

TileVectorizer::Rows TileVectorizer::readAll(Value tensor, int64_t rowWidth) {
  Rows rows;
  rows.rowWidth = rowWidth;
  auto it = known.find(tensor);
  if (it != known.end() && it->second.rowWidth == rowWidth)
    return it->second;
  if (it != known.end() && rowWidth == 0) {
    for (Value row : it->second.values)
      for (int64_t column = 0; column < it->second.rowWidth; ++column)
        rows.values.push_back(
            vector::ExtractOp::create(rewriter, tensor.getLoc(), row, column));
    return rows;
  }
  if (it != known.end()) {
    auto type =
        VectorType::get(rowWidth, getElementTypeOrSelf(tensor.getType()));
    ArrayRef<Value> elements = it->second.values;
    for (; !elements.empty(); elements = elements.drop_front(rowWidth))
      rows.values.push_back(vector::FromElementsOp::create(
          rewriter, tensor.getLoc(), type, elements.take_front(rowWidth)));
    return rows;
  }
  forEachRow(cast<RankedTensorType>(tensor.getType()), rowWidth == 0,
             [&](unsigned, ArrayRef<int64_t> index) {
               SmallVector<OpFoldResult> at =
                   getAsIndexOpFoldResult(rewriter.getContext(), index);
               if (rowWidth != 0)
                 at.push_back(rewriter.getIndexAttr(0));
               rows.values.push_back(
                   readRow(tensor.getLoc(), tensor, at, rowWidth));
             });
  return rows;
}

Value TileVectorizer::writeAll(Location loc, const Rows &rows, Value dest) {
  auto type = cast<RankedTensorType>(dest.getType());
  bool bits = type.getElementType().isInteger(1);
  forEachRow(
      type, rows.rowWidth == 0, [&](unsigned row, ArrayRef<int64_t> index) {
        SmallVector<OpFoldResult> at =
            getAsIndexOpFoldResult(rewriter.getContext(), index);
        Value value = rows.values[row];
        if (rows.rowWidth == 0) {
          dest = tensor::InsertOp::create(rewriter, loc, value, dest,
                                          toValues(loc, at));
          return;
        }
        if (!bits) {
          at.push_back(rewriter.getIndexAttr(0));
          dest = vector::TransferWriteOp::create(rewriter, loc, value, dest,
                                                 toValues(loc, at),
                                                 ArrayRef<bool>{true})
                     .getResult();
          return;
        }
        for (int64_t column = 0; column < rows.rowWidth; ++column) {
          SmallVector<OpFoldResult> element = at;
          element.push_back(rewriter.getIndexAttr(column));
          Value bit = vector::ExtractOp::create(rewriter, loc, value, column);
          dest = tensor::InsertOp::create(rewriter, loc, bit, dest,
                                          toValues(loc, element));
        }
      });
  return dest;
}

Value TileVectorizer::getDest(Value init) {
  while (known.count(init))
    init = cast<DestinationStyleOpInterface>(init.getDefiningOp())
               .getTiedOpOperand(cast<OpResult>(init))
               ->get();
  return init;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult TileVectorizer::vectorize(Operation *op) {
  rewriter.setInsertionPoint(op);
  LogicalResult result = success();
  if (auto product = dyn_cast<ProductOpInterface>(op))
    return vectorizeProduct(product);
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    result = vectorizeGeneric(generic);
  else if (auto fill = dyn_cast<linalg::FillOp>(op))
    vectorizeFill(fill);
  else if (auto pack = dyn_cast<PackOp>(op))
    vectorizePack(pack);
  else if (auto unpack = dyn_cast<UnpackOp>(op))
    vectorizeUnpack(unpack);
  else
    return failure();
  if (succeeded(result))
    done.push_back(op);
  return result;
}

void TileVectorizer::vectorizeFill(linalg::FillOp op) {
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  Rows rows;
  rows.rowWidth = type.getShape().back();
  Value row = vector::BroadcastOp::create(
      rewriter, op.getLoc(),
      VectorType::get(rows.rowWidth, type.getElementType()), op.getInputs()[0]);
  rows.values.assign(type.getNumElements() / rows.rowWidth, row);
  known[op.getResult(0)] = rows;
}

/// The 32 bits from `from` on of a row; zeros behind its end.
static Value getWordBits(RewriterBase &b, Location loc, Value row,
                         int64_t from) {
  int64_t rowWidth = cast<VectorType>(row.getType()).getDimSize(0);
  int64_t count = std::min(kWordBits, rowWidth - from);
  if (count != rowWidth)
    row = vector::ExtractStridedSliceOp::create(b, loc, row, from, count, 1);
  if (count == kWordBits)
    return row;
  auto type = VectorType::get(kWordBits, b.getI1Type());
  Value zeros =
      arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, false));
  return vector::InsertStridedSliceOp::create(b, loc, row, zeros, 0, 1);
}

/// The nibbles of words: four channels n as 4 n, `count` of them. Word by word
/// in general registers: of words that become one vector LLVM takes the bits
/// apart again.
static Value emitNibbles(ImplicitLocOpBuilder &b, ValueRange words,
                         int64_t count) {
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
  nibbles = vector::BitCastOp::create(
      b, VectorType::get(8 * size, b.getI8Type()), nibbles);
  if (count < 8 * size)
    nibbles = vector::ExtractStridedSliceOp::create(b, nibbles, 0, count, 1);
  return nibbles;
}

/// Bits as bytes, with zeros up to `count`.
static Value emitBytes(ImplicitLocOpBuilder &b, Value bits, int64_t count) {
  int64_t width = cast<VectorType>(bits.getType()).getDimSize(0);
  Value bytes =
      arith::ExtUIOp::create(b, VectorType::get(width, b.getI8Type()), bits);
  if (width == count)
    return bytes;
  Value zeros = arith::ConstantOp::create(
      b, b.getZeroAttr(VectorType::get(count, b.getI8Type())));
  return vector::InsertStridedSliceOp::create(b, bytes, zeros, 0, 1);
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
  auto word = VectorType::get(1, rewriter.getI32Type());
  size_t planes = op.getInputs().size();
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    int64_t rowWidth =
        cast<RankedTensorType>(input.getType()).getShape().back();
    Rows rows = readAll(input, rowWidth);
    Rows words; // scalars
    for (Value row : rows.values)
      for (int64_t from = 0; from < rowWidth; from += kWordBits) {
        Value bits = getWordBits(rewriter, loc, row, from);
        Value cast = vector::BitCastOp::create(rewriter, loc, word, bits);
        words.values.push_back(
            vector::ExtractOp::create(rewriter, loc, cast, 0));
      }
    for (unsigned r = i; r < op.getNumResults(); r += planes) {
      Rows &packed = known[op.getResult(r)] = words;
      Layout layout = op.getLayoutOf(r);
      if (layout == Layout::words)
        continue;
      packed = Rows();
      if (layout != Layout::pairs)
        packed.rowWidth = countElements(layout, rowWidth);
      if (layout == Layout::bytes) {
        for (Value row : rows.values)
          packed.values.push_back(emitBytes(b, row, packed.rowWidth));
        continue;
      }
      int64_t perRow = llvm::divideCeil(rowWidth, kWordBits);
      for (ArrayRef<Value> left = words.values; !left.empty();
           left = left.drop_front(perRow))
        if (layout == Layout::pairs)
          emitPairs(b, left.take_front(perRow), packed.values);
        else
          packed.values.push_back(
              emitNibbles(b, left.take_front(perRow), packed.rowWidth));
    }
  }
}

void TileVectorizer::vectorizeUnpack(UnpackOp op) {
  for (auto [input, result] :
       llvm::zip_equal(op.getInputs(), op.getResults())) {
    Rows words = readAll(input, 0);
    Rows rows;
    rows.rowWidth = cast<RankedTensorType>(result.getType()).getShape().back();
    int64_t perRow = llvm::divideCeil(rows.rowWidth, kWordBits);
    for (ArrayRef<Value> left = words.values; !left.empty();
         left = left.drop_front(perRow))
      rows.values.push_back(
          toBits(op.getLoc(), left.take_front(perRow), rows.rowWidth));
    known[result] = rows;
  }
}

void TileVectorizer::finish() {
  for (Operation *op : llvm::reverse(done)) {
    rewriter.setInsertionPoint(op);
    for (OpResult result : op->getResults()) {
      if (result.use_empty())
        continue;
      Value init =
          cast<DestinationStyleOpInterface>(op).getTiedOpOperand(result)->get();
      Value dest = getDest(init);
      rewriter.replaceAllUsesWith(result,
                                  writeAll(op->getLoc(), known[result], dest));
    }
    // Its reads of other tiles end here; theirs are written only for others.
    for (OpResult result : op->getResults())
      known.erase(result);
    rewriter.eraseOp(op);
  }
}
