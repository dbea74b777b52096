//===- GenericVectorizer.cpp - One generic's tile to vectors --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/TileableOps.h"
#include "RolledLoop.h"
#include "RunningMaximum.h"
#include "TileVectorizer.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace bquant;

/// More scalars than that are not worth their code.
static constexpr int64_t kMaxScalars = 256;

/// Nor more vectors, which only what has no tiles comes to: upstream's analysis
/// of as many writes takes the third power of their number.
static constexpr int64_t kMaxVectors = 64;

static bool isVectorizableBody(linalg::GenericOp op) {
  for (Operation &inner : op.getBody()->without_terminator())
    if (!isa<arith::ConstantOp, linalg::IndexOp>(inner) &&
        !OpTrait::hasElementwiseMappableTraits(&inner))
      return false;
  return true;
}

namespace bquant {
class GenericVectorizer {
public:
  GenericVectorizer(TileVectorizer &tiles, linalg::GenericOp op)
      : tiles(tiles), rewriter(tiles.rewriter), op(op), loc(op.getLoc()) {}

  LogicalResult run() {
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    shape.assign(type.getShape().begin(), type.getShape().end());
    rank = shape.size();
    if (!isPossible())
      return failure();
    rowWidth = useRows() ? shape.back() : 0;
    if (rowWidth == 0 && type.getNumElements() > kMaxScalars)
      return failure();
    if (rowWidth != 0)
      shape.pop_back();
    pieces = getPieces(rowWidth);
    order = findOrder();
    vectorCount = computeProduct(shape) * int64_t(pieces.size());
    if (rowWidth != 0 && vectorCount > kMaxVectors)
      return failure();

    SmallVector<int64_t> ranges(op.getStaticLoopRanges());
    // A loop over a reduction carries what it starts from, also where its body
    // does not read it.
    bool carried = llvm::any_of(ArrayRef(ranges).drop_front(rank),
                                [](int64_t size) { return size != 1; });
    SmallVector<Value> sums; // result by result, row by row
    for (OpOperand &init : op.getDpsInitsMutable()) {
      bool used = carried || op.payloadUsesValueFromOperand(&init);
      TileVectorizer::Rows rows;
      if (used)
        rows = tiles.arrange(loc, tiles.readAll(init.get(), rowWidth), order);
      else
        rows.values.assign(vectorCount, nullptr);
      sums.append(rows.values);
    }
    indices.assign(op.getNumLoops(), nullptr);
    if (rowWidth != 0 && !tiles.target.maximumKeepsNaN)
      maximized = getMaximized(op);
    if (maximized)
      startMaxima(sums);
    SmallVector<Value> results = emitLoops(ranges, rank, sums);
    if (maximized)
      finishMaxima(results);
    for (auto [i, result] : llvm::enumerate(op.getResults())) {
      TileVectorizer::Rows rows;
      rows.rowWidth = rowWidth;
      rows.order = order;
      rows.values.assign(results.begin() + i * vectorCount,
                         results.begin() + (i + 1) * vectorCount);
      tiles.known[result] = rows;
    }
    return success();
  }

private:
  /// That of the first input which is not in its own.
  SmallVector<int64_t> findOrder() {
    for (Value input : op.getDpsInputs())
      if (auto it = tiles.known.find(input); it != tiles.known.end() &&
                                             it->second.rowWidth == rowWidth &&
                                             !it->second.order.empty())
        return it->second.order;
    return {};
  }

  bool isPossible() {
    AffineMap identity =
        AffineMap::getMultiDimIdentityMap(op.getNumLoops(), op.getContext())
            .getMajorSubMap(rank);
    for (auto [i, type] : llvm::enumerate(op.getIteratorTypesArray()))
      if ((i < rank) != (type == utils::IteratorType::parallel))
        return false;
    for (OpOperand &init : op.getDpsInitsMutable())
      if (op.getMatchingIndexingMap(&init) != identity)
        return false;
    return isVectorizableBody(op);
  }

  bool useRows() {
    if (shape.back() == 1)
      return false;
    for (OpOperand *input : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(input);
      if (isa<RankedTensorType>(input->get().getType()) &&
          !getBlock(map, rank - 1) && !readsLanes(map, rank - 1))
        return false;
    }
    return true;
  }

  /// Loops over the reductions from `dim` on, which carry `sums`.
  SmallVector<Value> emitLoops(ArrayRef<int64_t> ranges, unsigned dim,
                               ArrayRef<Value> sums) {
    if (dim == ranges.size())
      return emitBody(sums);
    if (ranges[dim] == 1) {
      indices[dim] = rewriter.getIndexAttr(0);
      return emitLoops(ranges, dim + 1, sums);
    }
    scf::ForOp loop = createRolledLoop(rewriter, loc, ranges[dim], 1, sums);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    indices[dim] = loop.getInductionVar();
    SmallVector<Value> args(loop.getRegionIterArgs().begin(),
                            loop.getRegionIterArgs().end());
    SmallVector<Value> yielded = emitLoops(ranges, dim + 1, args);
    scf::YieldOp::create(rewriter, loc, yielded);
    return loop.getResults();
  }

  //===--------------------------------------------------------------------===//
  // Maxima, whose state takes several vectors
  //===--------------------------------------------------------------------===//

  void startMaxima(SmallVector<Value> &vectors) {
    SmallVector<Value> states;
    for (Value vector : vectors)
      append(states, RunningMaximum::start(rewriter, loc, vector));
    vectors = states;
  }

  void finishMaxima(SmallVector<Value> &states) {
    SmallVector<Value> vectors;
    for (int64_t v = 0; v < vectorCount; ++v)
      vectors.push_back(getMaximum(states, v).finish(rewriter, loc));
    states = vectors;
  }

  static void append(SmallVector<Value> &states, const RunningMaximum &state) {
    states.append({state.largest, state.signs, state.unordered});
  }

  static RunningMaximum getMaximum(ArrayRef<Value> states, int64_t v) {
    states = states.slice(v * RunningMaximum::kValues, RunningMaximum::kValues);
    return {states[0], states[1], states[2]};
  }

  //===--------------------------------------------------------------------===//
  // The body
  //===--------------------------------------------------------------------===//

  SmallVector<Value> emitBody(ArrayRef<Value> sums) {
    shared.assign(op.getNumDpsInputs() * pieces.size(), nullptr);
    unsigned results = op.getNumResults();
    SmallVector<Value> next(results * vectorCount), states;
    SmallVector<int64_t> strides = computeStrides(shape);
    auto count = int64_t(pieces.size());
    for (int64_t v = 0; v < vectorCount; ++v) {
      for (auto [d, index] : llvm::enumerate(delinearize(v / count, strides)))
        indices[d] = rewriter.getIndexAttr(index);
      pieceNumber = v % count;
      width = pieces[pieceNumber].width;
      if (rowWidth != 0)
        indices[rank - 1] = rewriter.getIndexAttr(pieces[pieceNumber].offset);
      IRMapping map;
      for (OpOperand *input : op.getDpsInputOperands())
        map.map(op.getMatchingBlockArgument(input), getInput(*input, v));
      if (maximized) {
        Value value = toRow(map.lookup(maximized));
        append(states, getMaximum(sums, v).step(rewriter, loc, value));
        continue;
      }
      for (unsigned r = 0; r < results; ++r)
        if (Value sum = sums[r * vectorCount + v])
          map.map(op.getRegionOutputArgs()[r], sum);
      for (Operation &inner : op.getBody()->without_terminator())
        emitInner(inner, map);
      Operation *yield = op.getBody()->getTerminator();
      for (unsigned r = 0; r < results; ++r)
        next[r * vectorCount + v] =
            toRow(map.lookupOrDefault(yield->getOperand(r)));
    }
    return maximized ? states : next;
  }

  /// A scalar in all of a piece.
  Value toRow(Value value) {
    if (rowWidth == 0 || isa<VectorType>(value.getType()))
      return value;
    return vector::BroadcastOp::create(
        rewriter, loc, VectorType::get(width, value.getType()), value);
  }

  /// Of vector `v`.
  Value getInput(OpOperand &input, int64_t v) {
    if (!isa<RankedTensorType>(input.get().getType()))
      return toRow(input.get());
    AffineMap map = op.getMatchingIndexingMap(&input);
    // What does not depend on the row is read once for all.
    bool perRow = false;
    for (unsigned d = 0; d < shape.size(); ++d)
      perRow |= map.isFunctionOfDim(d);
    Value &known =
        shared[input.getOperandNumber() * pieces.size() + pieceNumber];
    if (!perRow && known)
      return known;
    Value value = readInput(input, map, v);
    if (!perRow)
      known = value;
    return value;
  }

  Value readInput(OpOperand &input, AffineMap map, int64_t v) {
    Value tensor = input.get();
    auto it = tiles.known.find(tensor);
    AffineMap identity =
        AffineMap::getMultiDimIdentityMap(map.getNumDims(), op.getContext())
            .getMajorSubMap(rank);
    if (it != tiles.known.end() && it->second.rowWidth == rowWidth &&
        map == identity)
      return tiles.arrange(loc, it->second.values[v], it->second.order, order);
    Value row = readRow(input, map);
    return order.empty() ? row : tiles.arrange(loc, row, {}, order);
  }

  /// In its own order.
  Value readRow(OpOperand &input, AffineMap map) {
    Value tensor = input.get();
    auto getPoint = [&] {
      return llvm::map_to_vector(
          map.getResults(), [&](AffineExpr expr) -> OpFoldResult {
            return affine::makeComposedFoldedAffineApply(
                rewriter, loc,
                AffineMap::get(map.getNumDims(), 0, expr, op.getContext()),
                getIndices());
          });
    };
    // Bits are never in memory: a word is read, and taken apart.
    auto unpack = tensor.getDefiningOp<packed::UnpackOp>();
    auto readBits = [&](Piece piece) {
      return tiles.readBits(
          loc, unpack.getInputs()[cast<OpResult>(tensor).getResultNumber()],
          getPoint(), piece);
    };
    auto readScalar = [&] {
      return unpack && rowWidth == 0
                 ? readBits({0, 0})
                 : tiles.readRow(loc, tensor, getPoint(), 0);
    };
    std::optional<int64_t> block = rowWidth == 0 ? 0 : getBlock(map, rank - 1);
    auto [offset, count] = pieces[pieceNumber];
    if (!block) {
      if (!unpack)
        return tiles.readRow(loc, tensor, getPoint(), count);
      indices[rank - 1] = rewriter.getIndexAttr(0);
      Value bits = readBits({offset, count});
      indices[rank - 1] = rewriter.getIndexAttr(offset);
      return bits;
    }
    if (*block == 0 || offset / *block == (offset + count - 1) / *block)
      return toRow(readScalar());
    // A scalar for each block of the piece.
    Value joined = toRow(arith::ConstantOp::create(
        rewriter, loc,
        rewriter.getZeroAttr(getElementTypeOrSelf(tensor.getType()))));
    for (int64_t column = offset; column < offset + count;) {
      int64_t next = std::min((column / *block + 1) * *block, offset + count);
      indices[rank - 1] = rewriter.getIndexAttr(column);
      Value scalar = readScalar();
      Value part = vector::BroadcastOp::create(
          rewriter, loc, VectorType::get(next - column, scalar.getType()),
          scalar);
      joined = vector::InsertStridedSliceOp::create(rewriter, loc, part, joined,
                                                    column - offset, 1);
      column = next;
    }
    indices[rank - 1] = rewriter.getIndexAttr(offset);
    return joined;
  }

  SmallVector<OpFoldResult> getIndices() {
    SmallVector<OpFoldResult> all(indices);
    for (OpFoldResult &index : all)
      if (!index)
        index = rewriter.getIndexAttr(0);
    return all;
  }

  void emitInner(Operation &inner, IRMapping &map) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      Value value = getValueOrCreateConstantIndexOp(
          rewriter, loc, getIndices()[index.getDim()]);
      value = toRow(value);
      if (rowWidth != 0 && index.getDim() == rank - 1) {
        Value steps = vector::StepOp::create(
            rewriter, loc, VectorType::get(width, rewriter.getIndexType()));
        value = arith::AddIOp::create(rewriter, loc, value, steps);
        value = tiles.arrange(loc, value, {}, order);
      }
      map.map(inner.getResult(0), value);
      return;
    }
    SmallVector<Value> operands;
    for (Value operand : inner.getOperands())
      operands.push_back(toRow(map.lookupOrDefault(operand)));
    if (isa<arith::ConstantOp>(inner) || rowWidth == 0) {
      for (auto [from, to] : llvm::zip_equal(inner.getOperands(), operands))
        map.map(from, to);
      rewriter.clone(inner, map);
      return;
    }
    if (Value result = tiles.narrow.emit(rewriter, &inner, operands)) {
      map.map(inner.getResult(0), result);
      return;
    }
    OperationState state(inner.getLoc(), inner.getName());
    state.addOperands(operands);
    state.addAttributes(inner.getAttrs());
    for (Type type : inner.getResultTypes())
      state.addTypes(VectorType::get(width, type));
    Operation *made = rewriter.create(state);
    map.map(inner.getResults(), made->getResults());
  }

  TileVectorizer &tiles;
  RewriterBase &rewriter;
  linalg::GenericOp op;
  Location loc;
  /// Of the loops over rows; with the columns where these are scalars.
  SmallVector<int64_t> shape;
  unsigned rank = 0;
  int64_t rowWidth = 0;
  SmallVector<Piece> pieces;
  /// Of the elements of a row.
  SmallVector<int64_t> order;
  /// Of a result: the pieces of all rows.
  int64_t vectorCount = 0;
  /// Of the current vector.
  int64_t pieceNumber = 0, width = 0;
  /// What the generic is the maximum of, where RunningMaximum computes it.
  Value maximized;
  /// The current index of each loop; null where the loop is not entered yet.
  SmallVector<OpFoldResult> indices;
  /// Inputs of the current step that all rows share, piece by piece.
  SmallVector<Value> shared;
};
} // namespace bquant

LogicalResult TileVectorizer::vectorizeGeneric(linalg::GenericOp op) {
  return GenericVectorizer(*this, op).run();
}
