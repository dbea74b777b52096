//===- TileVectorizer.cpp - One block's tiles to vectors ------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rows of tensors, and which op is vectorized by what. Bits are never
// stored as vectors: a memref holds an i1 in a byte, a vector in a bit.
//
//===----------------------------------------------------------------------===//

#include "TileVectorizer.h"
#include "Dialect/Packed/Layouts/RowPieces.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Calls `fn` with the indices and the width of each piece of each row.
static void
forEachPiece(RankedTensorType type, int64_t rowWidth,
             function_ref<void(ArrayRef<OpFoldResult>, int64_t)> fn) {
  ArrayRef<int64_t> shape = type.getShape();
  if (rowWidth != 0)
    shape = shape.drop_back();
  SmallVector<int64_t> strides = computeStrides(shape);
  int64_t count = computeProduct(shape);
  Builder b(type.getContext());
  for (int64_t row = 0; row < count; ++row)
    for (Piece piece : getPieces(rowWidth)) {
      SmallVector<OpFoldResult> at =
          getAsIndexOpFoldResult(type.getContext(), delinearize(row, strides));
      if (rowWidth != 0)
        at.push_back(b.getIndexAttr(piece.offset));
      fn(at, piece.width);
    }
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
                               ArrayRef<OpFoldResult> indices, Piece piece) {
  SmallVector<OpFoldResult> at(indices);
  AffineExpr s0 = rewriter.getAffineSymbolExpr(0);
  auto readWord = [&](AffineExpr word) {
    at.back() = affine::makeComposedFoldedAffineApply(rewriter, loc, word,
                                                      {indices.back()});
    return readRow(loc, words, at, 0);
  };
  if (piece.width != 0) {
    int64_t first = piece.offset / kWordBits,
            end = llvm::divideCeil(piece.offset + piece.width, kWordBits);
    SmallVector<Value> parts;
    for (int64_t i = first; i < end; ++i)
      parts.push_back(
          toBits(rewriter, loc, readWord(s0.floorDiv(kWordBits) + i)));
    return slice(rewriter, loc, parts,
                 {piece.offset - first * kWordBits, piece.width});
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

SmallVector<Value> TileVectorizer::getElements(Location loc, const Rows &rows) {
  if (rows.rowWidth == 0)
    return rows.values;
  SmallVector<Value> elements;
  for (Value piece : rows.values)
    for (int64_t column = 0;
         column < cast<VectorType>(piece.getType()).getDimSize(0); ++column)
      elements.push_back(
          vector::ExtractOp::create(rewriter, loc, piece, column));
  return elements;
}

Value TileVectorizer::arrange(Location loc, Value row, ArrayRef<int64_t> from,
                              ArrayRef<int64_t> to) {
  bool isScalar = row.getDefiningOp<vector::BroadcastOp>() ||
                  matchPattern(row, m_Constant<SplatElementsAttr>(nullptr));
  if (from == to || isScalar)
    return row;
  SmallVector<int64_t> lanes(std::max(from.size(), to.size()));
  for (size_t lane = 0; lane < lanes.size(); ++lane)
    lanes[from.empty() ? lane : from[lane]] = lane;
  SmallVector<int64_t> places;
  for (size_t lane = 0; lane < lanes.size(); ++lane)
    places.push_back(lanes[to.empty() ? lane : to[lane]]);
  return vector::ShuffleOp::create(rewriter, loc, row, row, places);
}

TileVectorizer::Rows TileVectorizer::arrange(Location loc, const Rows &rows,
                                             ArrayRef<int64_t> order) {
  Rows arranged{{}, rows.rowWidth, SmallVector<int64_t>(order)};
  for (Value row : rows.values)
    arranged.values.push_back(arrange(loc, row, rows.order, order));
  return arranged;
}

TileVectorizer::Rows TileVectorizer::readAll(Value tensor, int64_t rowWidth) {
  Location loc = tensor.getLoc();
  Rows rows;
  rows.rowWidth = rowWidth;
  std::optional<Rows> vectors;
  if (auto it = known.find(tensor); it != known.end())
    vectors = arrange(loc, it->second, /*order=*/{});
  if (vectors && vectors->rowWidth == rowWidth)
    return *vectors;
  if (vectors && rowWidth == 0) {
    rows.values = getElements(loc, *vectors);
    return rows;
  }
  auto type = cast<RankedTensorType>(tensor.getType());
  if (vectors) {
    ArrayRef<Value> elements = vectors->values;
    for (; !elements.empty(); elements = elements.drop_front(rowWidth))
      for (auto [offset, width] : getPieces(rowWidth))
        rows.values.push_back(vector::FromElementsOp::create(
            rewriter, loc, VectorType::get(width, type.getElementType()),
            elements.slice(offset, width)));
    return rows;
  }
  forEachPiece(type, rowWidth, [&](ArrayRef<OpFoldResult> at, int64_t width) {
    rows.values.push_back(readRow(loc, tensor, at, width));
  });
  return rows;
}

Value TileVectorizer::writeAll(Location loc, const Rows &rows, Value dest) {
  auto type = cast<RankedTensorType>(dest.getType());
  Type element = type.getElementType();
  auto write = [&](Value vector, ArrayRef<OpFoldResult> at) {
    SmallVector<bool> inBounds(cast<VectorType>(vector.getType()).getRank(),
                               true);
    dest = vector::TransferWriteOp::create(rewriter, loc, vector, dest,
                                           toValues(loc, at), inBounds)
               .getResult();
  };
  bool bits = element.isInteger(1);
  if (!bits && rows.rowWidth > 1) {
    ArrayRef<Value> left = rows.values;
    forEachPiece(type, rows.rowWidth, [&](ArrayRef<OpFoldResult> at, int64_t) {
      write(left.consume_front(), at);
    });
    return dest;
  }
  SmallVector<Value> elements = getElements(loc, rows);
  // One write: the analyses of tensors compare each write with each other one.
  if (!bits && elements.size() > 1) {
    write(
        vector::FromElementsOp::create(
            rewriter, loc, VectorType::get(type.getShape(), element), elements),
        SmallVector<OpFoldResult>(type.getRank(), rewriter.getIndexAttr(0)));
    return dest;
  }
  ArrayRef<Value> left = elements;
  forEachPiece(type, 0, [&](ArrayRef<OpFoldResult> at, int64_t) {
    dest = tensor::InsertOp::create(rewriter, loc, left.consume_front(), dest,
                                    toValues(loc, at));
  });
  return dest;
}

Value TileVectorizer::getDest(Value init) {
  auto isWritten = [&](Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      return !llvm::is_contained(done, user);
    });
  };
  while (known.count(init)) {
    // What is written itself keeps its place. A tensor.empty might end there,
    // too.
    if (!init.getDefiningOp<linalg::FillOp>() && isWritten(init))
      return bufferization::AllocTensorOp::create(
          rewriter, init.getLoc(), cast<RankedTensorType>(init.getType()),
          ValueRange());
    init = cast<DestinationStyleOpInterface>(init.getDefiningOp())
               .getTiedOpOperand(cast<OpResult>(init))
               ->get();
  }
  return init;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult TileVectorizer::vectorize(Operation *op) {
  rewriter.setInsertionPoint(op);
  LogicalResult result = success();
  if (auto product = dyn_cast<ProductOp>(op))
    return vectorizeProduct(product);
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    result = vectorizeGeneric(generic);
  else if (auto fill = dyn_cast<linalg::FillOp>(op))
    vectorizeFill(fill);
  else if (auto pack = dyn_cast<packed::PackOp>(op))
    vectorizePack(pack);
  else if (auto unpack = dyn_cast<packed::UnpackOp>(op))
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
  SmallVector<Value> row =
      llvm::map_to_vector(getPieces(rows.rowWidth), [&](Piece piece) -> Value {
        return vector::BroadcastOp::create(
            rewriter, op.getLoc(),
            VectorType::get(piece.width, type.getElementType()),
            op.getInputs()[0]);
      });
  for (int64_t i = 0; i < type.getNumElements() / rows.rowWidth; ++i)
    rows.values.append(row);
  known[op.getResult(0)] = rows;
}

/// Moves each operation to where it is first used, the writes of a tensor one
/// after the other. Only where nothing has effects: intrinsics of kernels
/// compute with registers.
static void orderByUse(RewriterBase &rewriter, Block *block) {
  if (!llvm::all_of(block->without_terminator(), [](Operation &op) {
        return isMemoryEffectFree(&op) || isa<LLVM::CallIntrinsicOp>(op);
      }))
    return;
  Operation *end = block->getTerminator();
  llvm::SetVector<Operation *> ordered;
  auto visit = [&](auto &visit, Operation *op) -> void {
    if (ordered.contains(op))
      return;
    SetVector<Value> operands;
    // What is written to comes first: its own writes are earlier rows.
    if (auto write = dyn_cast<vector::TransferWriteOp>(op))
      operands.insert(write.getBase());
    operands.insert_range(op->getOperands());
    getUsedValuesDefinedAbove(op->getRegions(), operands);
    for (Value operand : operands)
      if (Operation *producer = operand.getDefiningOp())
        if (producer->getBlock() == block)
          visit(visit, producer);
    ordered.insert(op);
  };
  visit(visit, end);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block)))
    if (!ordered.contains(&op))
      rewriter.eraseOp(&op);
  for (Operation *op : ordered.getArrayRef().drop_back())
    rewriter.moveOpBefore(op, end);
}

void TileVectorizer::finish(Block *block) {
  for (Operation *op : llvm::reverse(done)) {
    rewriter.setInsertionPoint(op);
    for (OpResult result : op->getResults()) {
      if (result.use_empty())
        continue;
      Value init =
          cast<DestinationStyleOpInterface>(op).getTiedOpOperand(result)->get();
      Value dest = getDest(init);
      Rows rows = arrange(op->getLoc(), known[result], /*order=*/{});
      rewriter.replaceAllUsesWith(result, writeAll(op->getLoc(), rows, dest));
    }
    // Its reads of other tiles end here; theirs are written only for others.
    for (OpResult result : op->getResults())
      known.erase(result);
    rewriter.eraseOp(op);
  }
  if (finishesRows)
    orderByUse(rewriter, block);
}
