//===- TileAndFuse.cpp - --bquant-tile-and-fuse ---------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass, and the form that generics get before layers are looked for.
//
// Upstream's scf::tileConsumerAndFuseProducersUsingSCF tiles one consumer and
// pulls in the producers of its tile. It does not do for a layer: a layer has
// several consumers (a float shortcut and packed words), the border classes of
// a convolution are several regions in one scf.forall, and what the tile size
// leaves over has to be a static tile of its own. Upstream's tail is an
// affine.min, a tile of dynamic size that nothing vectorizes. To use it would
// cost a split of every region before, and a call for each consumer with what
// it fused shared again. What is one tile of one op is done by upstream's
// TilingInterface.
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/TileableOps.h"
#include "SinkIntoRegions.h"
#include "Support/Remarks.h"
#include "Support/Transpositions.h"
#include "TileLayers.h"
#include "WindowLayers.h"
#include "bquant/Dialect/Packed/Transforms/Passes.h"
#include "bquant/Target/ModuleTarget.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace bquant {
#define GEN_PASS_DEF_TILEANDFUSE
#include "bquant/Dialect/Packed/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

//===----------------------------------------------------------------------===//
// Generics of one form
//===----------------------------------------------------------------------===//

/// Makes a generic's loops the dimensions of its results in their order, then
/// the reductions in theirs.
static void orderLoops(RewriterBase &rewriter, linalg::GenericOp op) {
  if (op.getNumDpsInits() == 0)
    return; // Its loops are nobody's dimensions.
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
  // A fill for each of its readers, so that it can go where they go.
  SmallVector<linalg::FillOp> fills(block.getOps<linalg::FillOp>());
  for (linalg::FillOp fill : fills) {
    rewriter.setInsertionPoint(fill);
    if (fill.getNumResults() == 1)
      while (!fill->use_empty() && !fill->hasOneUse())
        fill->use_begin()->set(rewriter.clone(*fill)->getResult(0));
  }
}

/// Fuses an elementwise generic into its only reader, another one that reads
/// each element once.
static bool isFusable(OpOperand *operand) {
  Operation *producer = operand->get().getDefiningOp();
  return producer && producer->hasOneUse() && isTileable(producer) &&
         isTileable(operand->getOwner()) && !isReduction(producer) &&
         !isReduction(operand->getOwner()) && isIdentityUse(*operand);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct TileAndFuse : bquant::impl::TileAndFuseBase<TileAndFuse> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    if (threads < 1)
      return emitError(UnknownLoc::get(context),
                       "expected at least 1 thread, but got ")
             << threads.getValue();
    RewritePatternSet set(context);
    linalg::populateElementwiseOpsFusionPatterns(set, isFusable);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    FailureOr<TileOptions> options = getOptions();
    if (failed(options))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    for (Block &block : func.getBody())
      normalize(rewriter, block);
    if (failed(applyPatternsGreedily(func, patterns)))
      return signalPassFailure();

    for (Block &block : func.getBody()) {
      normalize(rewriter, block); // the fills again
      sinkIntoRegions(rewriter, block);
      if (failed(applyPatternsGreedily(func, patterns)))
        return signalPassFailure();
      std::vector<Layer> layers = findLayers(block);
      DenseSet<Operation *> tiled;
      for (const Layer &layer : layers)
        for (const TileRegion &region : layer.regions)
          tiled.insert(region.ops.begin(), region.ops.end());
      for (Operation &op : block)
        if (isa<linalg::LinalgOp, ProductOpInterface>(op) &&
            !isa<linalg::FillOp>(op) && !tiled.contains(&op) &&
            !isTransposition(&op))
          remarks::missed(op.getLoc(), "tile-and-fuse")
              << "not tiled: expected static shapes, results indexed by the "
                 "outer loops, and of a product a kernel";
      std::vector<WindowLayers> joined = findWindowLayers(layers, *options);
      for (Layer &layer : layers) {
        if (llvm::any_of(joined, [&](const WindowLayers &pair) {
              return pair.producer == &layer;
            }))
          continue; // By its consumer, which comes before it here.
        auto pair = llvm::find_if(joined, [&](const WindowLayers &pair) {
          return pair.consumer == &layer;
        });
        if (pair != joined.end()) {
          if (failed(emitWindowLayers(rewriter, *pair, *options)))
            return signalPassFailure();
          continue;
        }
        // A filter that the loops of its product compute by now.
        if (layer.anchor->use_empty() &&
            layer.regions.front().ops.size() == 1) {
          rewriter.eraseOp(layer.anchor);
          continue;
        }
        if (failed(emitLayer(rewriter, layer, *options)))
          return signalPassFailure();
      }
    }
  }

private:
  FailureOr<TileOptions> getOptions() {
    FailureOr<TargetDescription> target = getModuleDescription(getOperation());
    if (failed(target))
      return failure();
    TileOptions options;
    options.registers = target->vectorRegisters;
    options.registerLanes = target->getLanes(32);
    options.l2Bytes = target->l2Bytes;
    options.threads = threads;
    return options;
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
