//===- NormalizeGenerics.cpp - One form for the generics of layers --------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/Elementwise.h"
#include "Dialect/BQuant/Analysis/TileableOps.h"
#include "GenericForms.h"
#include "bquant/Dialect/Packed/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace bquant {
#define GEN_PASS_DEF_NORMALIZEGENERICS
#include "bquant/Dialect/Packed/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

/// Makes a generic's loops the dimensions of its results in their order, then
/// the reductions in theirs.
static void orderLoops(RewriterBase &rewriter, linalg::GenericOp op) {
  if (op.getNumDpsInits() == 0)
    return; // It has no result whose dimensions its loops could be.
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!map.isProjectedPermutation())
    return;
  SmallVector<unsigned> order;
  for (AffineExpr expr : map.getResults())
    order.push_back(cast<AffineDimExpr>(expr).getPosition());
  for (unsigned d = 0; d < op.getNumLoops(); ++d)
    if (!llvm::is_contained(order, d))
      order.push_back(d);
  if (!llvm::is_sorted(order))
    (void)linalg::interchangeGenericOp(rewriter, op, order);
}

/// Lets an input end with the dimension along which it is read. Those of one
/// element after it are in the way of its vectors:
///
///   linalg.generic (d0, d1, d2) -> (d2, 0, 0) ins(%a : tensor<32x1x1xf32>)
///   ->
///   %b = tensor.collapse_shape %a [[0, 1, 2]]
///   linalg.generic (d0, d1, d2) -> (d2) ins(%b : tensor<32xf32>)
static void dropLastUnits(RewriterBase &rewriter, linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap &map = maps[input->getOperandNumber()];
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    unsigned end = map.getNumResults();
    while (type && end > 0 && type.getDimSize(end - 1) == 1 &&
           map.getResult(end - 1) == rewriter.getAffineConstantExpr(0))
      --end;
    if (!type || end == map.getNumResults() || end == 0 ||
        !isa<AffineDimExpr>(map.getResult(end - 1)))
      continue;
    SmallVector<ReassociationIndices> groups;
    for (unsigned dim = 0; dim < map.getNumResults(); ++dim)
      if (dim < end)
        groups.push_back({dim});
      else
        groups.back().push_back(dim);
    input->set(tensor::CollapseShapeOp::create(rewriter, op.getLoc(),
                                               input->get(), groups));
    map = map.getMajorSubMap(end);
  }
  op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
}

static void normalize(RewriterBase &rewriter, Block &block) {
  SmallVector<linalg::LinalgOp> named(block.getOps<linalg::LinalgOp>());
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    if (!isa<linalg::FillOp, linalg::GenericOp>(op) &&
        op.hasPureTensorSemantics())
      (void)linalg::generalizeNamedOp(rewriter, op);
  }
  SmallVector<linalg::GenericOp> ops(block.getOps<linalg::GenericOp>());
  for (linalg::GenericOp op : ops) {
    rewriter.setInsertionPoint(op);
    orderLoops(rewriter, op);
    dropLastUnits(rewriter, op);
  }
}

/// What has no element to compute gives what it starts from: where that is a
/// buffer without elements, none is left for a function of a layer to take.
static void dropEmptyLoops(RewriterBase &rewriter, Block &block) {
  for (linalg::LinalgOp op :
       SmallVector<linalg::LinalgOp>(block.getOps<linalg::LinalgOp>()))
    if (op.hasPureTensorSemantics() &&
        llvm::is_contained(op.getStaticLoopRanges(), 0))
      rewriter.replaceOp(op, op.getDpsInits());
}

/// Whether an op writes a number, or constants for each channel.
static bool isFill(linalg::LinalgOp op) {
  if (op->getNumResults() != 1)
    return false;
  if (isa<linalg::FillOp>(op.getOperation()))
    return true;
  return isa<linalg::GenericOp>(op.getOperation()) &&
         op.getNumReductionLoops() == 0 &&
         llvm::hasSingleElement(*op.getBlock()) &&
         llvm::all_of(op.getDpsInputs(), [](Value value) {
           return matchPattern(value, m_Constant());
         });
}

/// Gives each reader of a fill one of its own, so that it can go where they go.
static void splitFills(RewriterBase &rewriter, Block &block) {
  SmallVector<linalg::LinalgOp> fills(block.getOps<linalg::LinalgOp>());
  for (linalg::LinalgOp fill : fills) {
    rewriter.setInsertionPoint(fill);
    if (isFill(fill))
      while (!fill->use_empty() && !fill->hasOneUse())
        fill->use_begin()->set(rewriter.clone(*fill)->getResult(0));
  }
}

/// Whether the elementwise producer of an operand can go into its only reader,
/// another one that reads each element once.
static bool isFusable(OpOperand *operand) {
  Operation *producer = operand->get().getDefiningOp();
  return producer && producer->hasOneUse() && isTileable(producer) &&
         isTileable(operand->getOwner()) && !isReduction(producer) &&
         !isReduction(operand->getOwner()) && isIdentityUse(*operand);
}

void bquant::populateLayerFusionPatterns(RewritePatternSet &patterns) {
  linalg::populateElementwiseOpsFusionPatterns(patterns, isFusable);
}

/// Makes one loop of an elementwise op on few channels that is a layer of its
/// own, so that its vectors are long.
static void joinLoops(RewriterBase &rewriter, linalg::GenericOp op) {
  constexpr int64_t kFewChannels = 8;
  if (op.getNumLoops() < 2 || !isPointwise(op) || !isTileable(op) ||
      getDomain(op).back() >= kFewChannels ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }))
    return;
  auto isShared = [](OpOperand &operand) {
    Operation *producer = operand.get().getDefiningOp();
    return producer && isTileable(producer) && isTileable(operand.getOwner());
  };
  auto hasLayout = [](Type type) {
    return cast<RankedTensorType>(type).getEncoding() != nullptr;
  };
  // What is returned has its shape, and is written where the caller wants it.
  auto isReturn = [](Operation *user) {
    return user->hasTrait<OpTrait::IsTerminator>();
  };
  if (llvm::any_of(op->getOpOperands(), isShared) ||
      llvm::any_of(op->getUses(), isShared) ||
      llvm::any_of(op->getUsers(), isReturn) ||
      llvm::any_of(op->getOperandTypes(), hasLayout))
    return;
  ReassociationIndices all =
      llvm::to_vector<2>(llvm::seq<int64_t>(0, op.getNumLoops()));
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::CollapseResult> joined =
      linalg::collapseOpIterationDims(op, all, rewriter);
  if (succeeded(joined))
    rewriter.replaceOp(op, joined->results);
}

namespace {
struct NormalizeGenerics
    : bquant::impl::NormalizeGenericsBase<NormalizeGenerics> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateLayerFusionPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    auto normalizeBlocks = [&] {
      for (Block &block : getOperation().getFunctionBody()) {
        dropEmptyLoops(rewriter, block);
        normalize(rewriter, block);
        splitFills(rewriter, block);
      }
    };
    normalizeBlocks();
    if (failed(applyPatternsGreedily(getOperation(), patterns)))
      return signalPassFailure();
    normalizeBlocks(); // What was fused, and its fills.
    for (Block &block : getOperation().getFunctionBody())
      for (linalg::GenericOp op :
           SmallVector<linalg::GenericOp>(block.getOps<linalg::GenericOp>()))
        joinLoops(rewriter, op);
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
