//===- CountInScalars.cpp - A product of words without vectors ------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Strategy `scalar`: for each channel of the tile one sum a row, two words at a
// time in an i64, so that a CPU's scalar popcount does the work.
//
//   scf.for %o (channels) {
//     %sums = scf.for (taps) { scf.for (pairs of words) {
//       %p = math.ctpop (%x ^ %w) : i64
//     } }
//     tensor.insert %sums
//   }
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/TileableOps.h"
#include "TileVectorizer.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace bquant;

/// Bit logic on words, then counts added up.
static bool countsWords(linalg::GenericOp op) {
  if (!isTileable(op) || !isWordReduction(op))
    return false;
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (isa<math::CtPopOp>(inner))
      continue;
    bool sums = llvm::any_of(inner.getOperands(), [&](Value value) {
      return llvm::is_contained(op.getRegionOutputArgs(), value) ||
             value.getDefiningOp<math::CtPopOp>() ||
             value.getDefiningOp<arith::AddIOp>();
    });
    if (sums ? !isa<arith::AddIOp>(inner)
             : !isa<arith::XOrIOp, arith::AndIOp, arith::OrIOp>(inner))
      return false;
  }
  // The words of an operand lie side by side along the last loop.
  unsigned last = op.getNumLoops() - 1;
  bool single = op.getStaticLoopRanges().back() == 1;
  AffineExpr word = getAffineDimExpr(last, op.getContext());
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (!getElementTypeOrSelf(input->get().getType()).isInteger(32) ||
        map.getNumResults() == 0)
      return false;
    if (single)
      continue;
    if ((map.getResults().back() - word).isFunctionOfDim(last) ||
        !map.getResults().back().isFunctionOfDim(last))
      return false;
    for (AffineExpr expr : map.getResults().drop_back())
      if (expr.isFunctionOfDim(last))
        return false;
  }
  return true;
}

namespace {
class ScalarCounter {
public:
  ScalarCounter(RewriterBase &rewriter, linalg::GenericOp op)
      : rewriter(rewriter), op(op), loc(op.getLoc()),
        rank(getDomain(op).size()), ranges(op.getStaticLoopRanges()),
        indices(op.getNumLoops(), rewriter.getIndexAttr(0)) {}

  /// `inits`: what each result starts from. Returns the results.
  SmallVector<Value> run(ValueRange inits) {
    auto channels = createLoop(ranges[rank - 1], 1, inits);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(channels.getBody());
    indices[rank - 1] = channels.getInductionVar();
    SmallVector<int64_t> shape(ArrayRef(ranges).take_front(rank - 1));
    strides = computeStrides(shape);
    rowCount = computeProduct(shape);
    SmallVector<Value> tensors(channels.getRegionIterArgs().begin(),
                               channels.getRegionIterArgs().end());
    SmallVector<Value> sums;
    for (Value tensor : tensors)
      for (int64_t row = 0; row < rowCount; ++row)
        sums.push_back(
            tensor::ExtractOp::create(rewriter, loc, tensor, getResultAt(row)));
    sums = emitLoops(rank, sums);
    for (auto [i, tensor] : llvm::enumerate(tensors))
      for (int64_t row = 0; row < rowCount; ++row)
        tensor = tensor::InsertOp::create(
            rewriter, loc, sums[i * rowCount + row], tensor, getResultAt(row));
    scf::YieldOp::create(rewriter, loc, tensors);
    return channels.getResults();
  }

private:
  scf::ForOp createLoop(int64_t end, int64_t step, ValueRange carried) {
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(rewriter, loc, value);
    };
    return scf::ForOp::create(rewriter, loc, constant(0), constant(end),
                              constant(step), carried);
  }

  void enterRow(int64_t row) {
    for (auto [d, index] : llvm::enumerate(delinearize(row, strides)))
      indices[d] = rewriter.getIndexAttr(index);
  }

  SmallVector<Value> getResultAt(int64_t row) {
    enterRow(row);
    return getValueOrCreateConstantIndexOp(rewriter, loc,
                                           ArrayRef(indices).take_front(rank));
  }

  SmallVector<Value> emitLoops(unsigned dim, ArrayRef<Value> sums) {
    bool last = dim + 1 == ranges.size();
    int64_t step = last ? 2 : 1;
    int64_t end = ranges[dim] / step * step;
    SmallVector<Value> results(sums);
    if (end > 0) {
      auto loop = createLoop(end, step, sums);
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(loop.getBody());
      indices[dim] = loop.getInductionVar();
      SmallVector<Value> args(loop.getRegionIterArgs().begin(),
                              loop.getRegionIterArgs().end());
      args = last ? emitBody(args, /*pair=*/true) : emitLoops(dim + 1, args);
      scf::YieldOp::create(rewriter, loc, args);
      results = loop.getResults();
    }
    if (end != ranges[dim]) {
      indices[dim] = rewriter.getIndexAttr(end);
      results = emitBody(results, /*pair=*/false);
    }
    return results;
  }

  /// The word of `input` at the current indices; two of them where `pair`.
  Value readWords(OpOperand &input, bool pair) {
    AffineMap map = op.getMatchingIndexingMap(&input);
    auto read = [&](int64_t offset) -> Value {
      SmallVector<OpFoldResult> at;
      for (auto [i, expr] : llvm::enumerate(map.getResults()))
        at.push_back(affine::makeComposedFoldedAffineApply(
            rewriter, loc,
            AffineMap::get(map.getNumDims(), 0,
                           i + 1 == map.getNumResults() ? expr + offset : expr,
                           op.getContext()),
            indices));
      return tensor::ExtractOp::create(
          rewriter, loc, input.get(),
          getValueOrCreateConstantIndexOp(rewriter, loc, at));
    };
    return pair ? join(read(0), read(1)) : read(0);
  }

  /// Two words as one.
  Value join(Value low, Value high) {
    Type i64 = rewriter.getI64Type();
    low = arith::ExtUIOp::create(rewriter, loc, i64, low);
    high = arith::ExtUIOp::create(rewriter, loc, i64, high);
    Value shift = arith::ConstantIntOp::create(rewriter, loc, i64, kWordBits);
    high = arith::ShLIOp::create(rewriter, loc, high, shift);
    return arith::OrIOp::create(rewriter, loc, low, high);
  }

  /// What `value` of the body is here. A splat that was folded into the body
  /// comes from outside: both words of a pair are it.
  Value lookup(const IRMapping &map, Value value, bool isPair) {
    if (Value mapped = map.lookupOrNull(value))
      return mapped;
    return isPair ? join(value, value) : value;
  }

  SmallVector<Value> emitBody(ArrayRef<Value> sums, bool pair) {
    SmallVector<Value> next(sums.size());
    Type i32 = rewriter.getI32Type();
    for (int64_t row = 0; row < rowCount; ++row) {
      enterRow(row);
      IRMapping map;
      for (OpOperand *input : op.getDpsInputOperands())
        map.map(op.getMatchingBlockArgument(input), readWords(*input, pair));
      for (auto [i, arg] : llvm::enumerate(op.getRegionOutputArgs()))
        map.map(arg, sums[i * rowCount + row]);
      for (Operation &inner : op.getBody()->without_terminator()) {
        SmallVector<Value> operands;
        for (Value operand : inner.getOperands())
          operands.push_back(
              lookup(map, operand, pair && !isa<arith::AddIOp>(inner)));
        OperationState state(inner.getLoc(), inner.getName(), operands,
                             operands[0].getType(), inner.getAttrs());
        Value result = rewriter.create(state)->getResult(0);
        if (pair && isa<math::CtPopOp>(inner))
          result = arith::TruncIOp::create(rewriter, loc, i32, result);
        map.map(inner.getResult(0), result);
      }
      for (auto [i, value] :
           llvm::enumerate(op.getBody()->getTerminator()->getOperands()))
        next[i * rowCount + row] = lookup(map, value, /*isPair=*/false);
    }
    return next;
  }

  RewriterBase &rewriter;
  linalg::GenericOp op;
  Location loc;
  unsigned rank;
  SmallVector<int64_t> ranges;
  /// The current index of each loop.
  SmallVector<OpFoldResult> indices;
  SmallVector<int64_t> strides;
  int64_t rowCount = 0;
};
} // namespace

LogicalResult TileVectorizer::countInScalars(linalg::GenericOp op) {
  if (!countsWords(op))
    return failure();
  rewriter.replaceOp(op, ScalarCounter(rewriter, op).run(op.getDpsInits()));
  return success();
}
