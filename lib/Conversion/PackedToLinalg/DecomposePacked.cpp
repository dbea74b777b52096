//===- DecomposePacked.cpp - --bquant-decompose-packed --------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DecomposeProducts.h"
#include "bquant/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace bquant {
#define GEN_PASS_DEF_DECOMPOSEPACKED
#include "bquant/Conversion/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

/// The maps of all operands, the inits too. Of those in blocks of channels they
/// also find the lane where the kernel has the channel; fails where it does not
/// say.
static FailureOr<SmallVector<AffineMap>> getOperandMaps(ProductOp op) {
  SmallVector<AffineMap> maps = op.getMaps();
  unsigned loops = maps.front().getNumDims(),
           parallel = op.getNumParallelLoops();
  KernelAttrInterface kernel = op.getKernelInterface();
  for (auto [i, map] : llvm::enumerate(maps)) {
    auto type = cast<RankedTensorType>(op->getOperand(i).getType());
    if (int64_t(map.getNumResults()) == type.getRank())
      continue;
    if (!kernel)
      return failure();
    AffineExpr channel = getAffineDimExpr(parallel - 1, op.getContext());
    map = map.insertResult(
        kernel.getFilterLayout().getLane(channel % kernel.getBlock()),
        map.getNumResults());
  }
  AffineMap all = AffineMap::getMultiDimIdentityMap(loops, op.getContext());
  maps.append(op.getInits().size(),
              AffineMap::get(loops, 0, all.getResults().take_front(parallel),
                             op.getContext()));
  return maps;
}

/// Fails for each product under `root` that is left though its kernel says what
/// a step means.
static LogicalResult verifyNoProducts(Operation *root) {
  bool found = false;
  root->walk([&](ProductOp op) {
    KernelAttrInterface kernel = op.getKernelInterface();
    if (!kernel)
      return;
    op.emitError("[product_c16] expected filters that have whole steps of ")
        << kernel.getStepSize() << " elements, but got "
        << op.getIndexingMaps();
    found = true;
  });
  return failure(found);
}

namespace {
struct DecomposeProduct : OpRewritePattern<ProductOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ProductOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<SmallVector<AffineMap>> maps = getOperandMaps(op);
    if (failed(maps))
      return rewriter.notifyMatchFailure(op, "has a kernel without a meaning");
    if (op.readsTables())
      decomposeTables(rewriter, op, *maps);
    else if (op.sumsFloats())
      decomposeSums(rewriter, op, *maps);
    else if (failed(decomposeCounts(rewriter, op, *maps)))
      return rewriter.notifyMatchFailure(op, "has elements of no whole steps");
    return success();
  }
};

struct DecomposePacked : bquant::impl::DecomposePackedBase<DecomposePacked> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<DecomposeProduct>(&getContext());
    populateLowerRelayoutPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    if (failed(verifyNoRelayouts(getOperation())) ||
        failed(verifyNoProducts(getOperation())))
      signalPassFailure();
  }
};
} // namespace
