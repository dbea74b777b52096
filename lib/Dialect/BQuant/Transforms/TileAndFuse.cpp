//===- TileAndFuse.cpp - --bquant-tile-and-fuse ---------------------------===//

#include "TileLayers.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace bquant {
#define GEN_PASS_DEF_BQUANTTILEANDFUSE
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

//===----------------------------------------------------------------------===//
// Generics of one form
//===----------------------------------------------------------------------===//

/// `acc + a * b` of floats, as the body of a named product has it, to an fma:
/// that is how a float product is defined.
static void useFma(RewriterBase &rewriter, linalg::GenericOp op) {
  auto yield = cast<linalg::YieldOp>(op.getBody()->getTerminator());
  auto add = yield.getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!add || op.getNumResults() != 1)
    return;
  BlockArgument acc = op.getRegionOutputArgs()[0];
  Value other = add.getLhs() == acc ? add.getRhs() : add.getLhs();
  auto mul = other.getDefiningOp<arith::MulFOp>();
  if (!mul || (add.getLhs() != acc && add.getRhs() != acc))
    return;
  rewriter.setInsertionPoint(add);
  rewriter.replaceOpWithNewOp<math::FmaOp>(add, mul.getLhs(), mul.getRhs(),
                                           acc);
  rewriter.eraseOp(mul);
}

/// Makes a generic's loops the dimensions of its results in their order, then
/// the reductions in theirs.
static void orderLoops(RewriterBase &rewriter, linalg::GenericOp op) {
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

static void normalize(RewriterBase &rewriter, Block &block) {
  SmallVector<linalg::LinalgOp> ops(block.getOps<linalg::LinalgOp>());
  for (linalg::LinalgOp op : ops) {
    rewriter.setInsertionPoint(op);
    if (isa<linalg::FillOp>(op) || !op.hasPureTensorSemantics())
      continue;
    bool named = !isa<linalg::GenericOp>(op);
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (named) {
      FailureOr<linalg::GenericOp> made =
          linalg::generalizeNamedOp(rewriter, op);
      if (failed(made))
        continue;
      generic = *made;
      if (generic.getNumReductionLoops() > 0)
        useFma(rewriter, generic);
    }
    orderLoops(rewriter, generic);
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
         isTileable(operand->getOwner()) && !isProduct(producer) &&
         !isProduct(operand->getOwner()) && isIdentityUse(*operand);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct TileAndFuse : bquant::impl::BQuantTileAndFuseBase<TileAndFuse> {
  using BQuantTileAndFuseBase::BQuantTileAndFuseBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (strategy != "vpopcnt" && strategy != "scalar")
      return emitError(UnknownLoc::get(context))
             << "expected strategy vpopcnt or scalar, but got " << strategy;
    if (lanes < kWordBits || lanes % kWordBits != 0)
      return emitError(UnknownLoc::get(context))
             << "expected lanes a multiple of 32, but got " << lanes.getValue();
    RewritePatternSet set(context);
    linalg::populateElementwiseOpsFusionPatterns(set, isFusable);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    IRRewriter rewriter(&getContext());
    for (Block &block : func.getBody())
      normalize(rewriter, block);
    if (failed(applyPatternsGreedily(func, patterns)))
      return signalPassFailure();

    TileOptions options;
    options.lanes = lanes;
    options.accumulators = accumulators;
    options.packFilters = strategy != "scalar";
    for (Block &block : func.getBody()) {
      normalize(rewriter, block); // the fills again
      sinkIntoPieces(rewriter, block);
      if (failed(applyPatternsGreedily(func, patterns)))
        return signalPassFailure();
      FilterPacker filters(rewriter, block);
      std::vector<Layer> layers = findLayers(block);
      for (Layer &layer : layers)
        emitLayer(rewriter, layer, options, filters);
      for (auto op : block.getOps<linalg::LinalgOp>())
        if (!isa<linalg::FillOp>(op))
          remark::missed(
              op.getLoc(),
              remark::RemarkOpts::name("tile-and-fuse").category("bquant"))
              << "not tiled: expected static shapes and results indexed by "
                 "the outer loops";
    }
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
