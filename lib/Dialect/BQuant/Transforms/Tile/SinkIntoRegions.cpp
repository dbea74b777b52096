//===- SinkIntoRegions.cpp - Consumers of an assembled tensor onto its pieces
//===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %t0 = tensor.insert_slice %a into %e [0, 0] [1, 8] [1, 1]
//   %t1 = tensor.insert_slice %b into %t0 [1, 0] [3, 8] [1, 1]
//   %y = linalg.generic {elementwise} ins(%t1)
//
// becomes
//
//   %c = linalg.generic {elementwise} ins(%a)
//   %d = linalg.generic {elementwise} ins(%b)
//   %u0 = tensor.insert_slice %c into %f [0, 0] [1, 8] [1, 1]
//   %y = tensor.insert_slice %d into %u0 [1, 0] [3, 8] [1, 1]

#include "SinkIntoRegions.h"
#include "Dialect/BQuant/Analysis/TileableOps.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace bquant;

using Pieces = SmallVector<tensor::InsertSliceOp>;

static bool overlap(tensor::InsertSliceOp a, tensor::InsertSliceOp b) {
  for (auto [ao, as, bo, bs] :
       llvm::zip_equal(a.getStaticOffsets(), a.getStaticSizes(),
                       b.getStaticOffsets(), b.getStaticSizes()))
    if (ao + as <= bo || bo + bs <= ao)
      return false;
  return true;
}

std::optional<Pieces> bquant::getPieces(Operation *end) {
  Pieces pieces;
  int64_t covered = 0;
  for (auto insert = dyn_cast_or_null<tensor::InsertSliceOp>(end); insert;
       insert = insert.getDest().getDefiningOp<tensor::InsertSliceOp>()) {
    auto isStatic = [](ArrayRef<int64_t> values) {
      return llvm::none_of(values, ShapedType::isDynamic);
    };
    if (insert != end && !insert->hasOneUse())
      break;
    if (!isStatic(insert.getStaticOffsets()) ||
        !isStatic(insert.getStaticSizes()) ||
        !llvm::all_of(insert.getStaticStrides(),
                      [](int64_t stride) { return stride == 1; }) ||
        insert.getSourceType().getRank() != insert.getType().getRank())
      return std::nullopt;
    covered += insert.getSourceType().getNumElements();
    pieces.push_back(insert);
  }
  if (pieces.empty() || covered != pieces[0].getType().getNumElements())
    return std::nullopt;
  for (unsigned i = 0; i < pieces.size(); ++i)
    for (unsigned j = 0; j < i; ++j)
      if (overlap(pieces[i], pieces[j]))
        return std::nullopt;
  std::reverse(pieces.begin(), pieces.end());
  return pieces;
}

static bool samePartition(const Pieces &a, const Pieces &b) {
  if (a.size() != b.size())
    return false;
  for (auto [x, y] : llvm::zip_equal(Pieces(a), Pieces(b)))
    if (x.getStaticOffsets() != y.getStaticOffsets() ||
        x.getStaticSizes() != y.getStaticSizes())
      return false;
  return true;
}

/// The pieces of the operand of `op` that was assembled last, if `op` can be
/// done piece by piece. One piece alone is assembled by nothing.
static std::optional<Pieces> getSinkPieces(Operation *op) {
  if (!isTileable(op) || !isa<linalg::GenericOp, PackOp>(op) || isProduct(op))
    return std::nullopt;
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    for (OpOperand &operand : op->getOpOperands())
      if (isa<RankedTensorType>(operand.get().getType()) &&
          !generic.getMatchingIndexingMap(&operand).isProjectedPermutation(
              /*allowZeroInResults=*/true))
        return std::nullopt;
  std::optional<Pieces> last;
  for (OpOperand &operand : op->getOpOperands()) {
    Operation *end = operand.get().getDefiningOp();
    if (!end || end->getBlock() != op->getBlock() || !isIdentityUse(operand))
      continue;
    std::optional<Pieces> pieces = getPieces(end);
    if (pieces && (!last || last->back()->isBeforeInBlock(end)))
      last = pieces;
  }
  // A pack's pieces hold whole rows of words.
  if (last && isa<PackOp>(op) &&
      llvm::any_of(*last, [&](tensor::InsertSliceOp piece) {
        return piece.getStaticSizes().back() != getDomain(op).back();
      }))
    return std::nullopt;
  return last;
}

namespace {
/// `op` done piece by piece.
class Sinker {
public:
  Sinker(RewriterBase &rewriter, Operation *op, Pieces pieces)
      : rewriter(rewriter), op(op), pieces(std::move(pieces)) {}

  void run() {
    SmallVector<Value> results;
    for (OpOperand &init :
         cast<DestinationStyleOpInterface>(op).getDpsInitsMutable())
      results.push_back(init.get());
    for (unsigned i = 0; i < pieces.size(); ++i) {
      SmallVector<Value> operands;
      SmallVector<Type> types;
      for (OpOperand &operand : op->getOpOperands()) {
        operands.push_back(getOperand(operand, i));
        if (cast<DestinationStyleOpInterface>(op).isDpsInit(&operand))
          types.push_back(operands.back().getType());
      }
      Operation *piece = clone(rewriter, op, types, operands);
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(piece))
        linalg::offsetIndices(
            rewriter, linalgOp,
            getAsIndexOpFoldResult(op->getContext(),
                                   pieces[i].getStaticOffsets()));
      for (auto [result, whole] : llvm::zip_equal(piece->getResults(), results))
        whole = insert(result, whole, i);
    }
    rewriter.replaceOp(op, results);
  }

private:
  Value insert(Value result, Value whole, unsigned i) {
    SmallVector<int64_t> offsets(pieces[i].getStaticOffsets());
    auto type = cast<RankedTensorType>(result.getType());
    return tensor::InsertSliceOp::create(
        rewriter, op->getLoc(), result, whole,
        getAsIndexOpFoldResult(op->getContext(), offsets),
        getAsIndexOpFoldResult(op->getContext(), type.getShape()),
        SmallVector<OpFoldResult>(offsets.size(), rewriter.getIndexAttr(1)));
  }

  Value getOperand(OpOperand &operand, unsigned i) {
    Value value = operand.get();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return value;
    if (isIdentityUse(operand))
      if (std::optional<Pieces> same = getPieces(value.getDefiningOp()))
        if (samePartition(pieces, *same))
          return (*same)[i].getSource();
    SmallVector<int64_t> offsets(pieces[i].getStaticOffsets());
    SmallVector<int64_t> sizes(pieces[i].getStaticSizes());
    if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      AffineMap map = generic.getMatchingIndexingMap(&operand);
      SmallVector<int64_t> o, s;
      for (AffineExpr expr : map.getResults()) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        o.push_back(dim ? offsets[dim.getPosition()] : 0);
        s.push_back(dim ? sizes[dim.getPosition()] : 1);
      }
      offsets = o;
      sizes = s;
    } else if (cast<PackOp>(op).isDpsInit(&operand)) {
      sizes.back() = type.getShape().back();
    }
    if (ArrayRef(sizes) == type.getShape())
      return value;
    if (value.getDefiningOp<tensor::EmptyOp>())
      return tensor::EmptyOp::create(rewriter, op->getLoc(), sizes,
                                     type.getElementType());
    return tensor::ExtractSliceOp::create(
        rewriter, op->getLoc(), value,
        getAsIndexOpFoldResult(op->getContext(), offsets),
        getAsIndexOpFoldResult(op->getContext(), sizes),
        SmallVector<OpFoldResult>(offsets.size(), rewriter.getIndexAttr(1)));
  }

  RewriterBase &rewriter;
  Operation *op;
  Pieces pieces;
};
} // namespace

void bquant::sinkIntoPieces(RewriterBase &rewriter, Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    std::optional<Pieces> pieces = getSinkPieces(&op);
    if (!pieces || pieces->size() < 2)
      continue;
    rewriter.setInsertionPoint(&op);
    Sinker(rewriter, &op, *pieces).run();
  }
  // Chains that nothing reads any more.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      rewriter.eraseOp(&op);
}
