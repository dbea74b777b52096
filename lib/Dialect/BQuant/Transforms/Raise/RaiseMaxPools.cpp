//===- RaiseMaxPools.cpp - Max-pools of quantized values ------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product that reads the maximum of quantized values reads quantized values:
//
//   %s = bquant.sign %x
//   %p = linalg.pooling_nhwc_max ins(%s, %window)
//
// becomes
//
//   %q = bquant.quantize %x scalars([1.0])
//   %m = bquant.max_pool_2d %q
//   %p = bquant.dequantize %m
//
// Pools whose result is quantized are moved by the folding of chains.

#include "Dialect/BQuant/Analysis/FloatMaxPool.h"
#include "Dialect/BQuant/Analysis/MonotoneIntervals.h"
#include "MatchCascade.h"
#include "ProductMatching.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"

namespace bquant {
#define GEN_PASS_DEF_RAISEMAXPOOLS
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

namespace {

struct RaiseMaxPool : OpRewritePattern<linalg::PoolingNhwcMaxOp> {
  RaiseMaxPool(MLIRContext *context, const RaiseAssumptions &assumptions)
      : OpRewritePattern(context), assumptions(assumptions) {}

  LogicalResult matchAndRewrite(linalg::PoolingNhwcMaxOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.hasDynamicShape())
      return rewriter.notifyMatchFailure(op, "not on static tensors");
    std::optional<FloatMaxPool> pool = matchMaxPool(op.getResult(0));
    std::optional<Cascade> x =
        pool ? matchCascade(pool->input, assumptions) : std::nullopt;
    if (!x)
      return rewriter.notifyMatchFailure(op, "no pool of a cascade");
    SmallVector<float> values = x->decode();
    // In the order that puts -0.0 before +0.0, as the pool does.
    if (values.empty() || toOrdered(pool->least) > toOrdered(values.front()) ||
        !llvm::is_sorted(values, [](float a, float b) {
          return toOrdered(a) < toOrdered(b);
        }))
      return rewriter.notifyMatchFailure(op, "values do not rise with codes");
    Location loc = op.getLoc();
    auto result = cast<RankedTensorType>(op.getResult(0).getType());
    auto pooled = SBTensorType::get(op.getContext(), result.getShape(),
                                    x->type.getPlanes(), x->type.getRatios(),
                                    x->type.getAxes(), x->type.getHasOffset());
    Value codes = x->build(rewriter, loc);
    rewriter.setInsertionPoint(op);
    codes = pool->createOfCodes(codes, pooled, rewriter);
    rewriter.replaceOpWithNewOp<DequantizeOp>(op, result, codes);
    return success();
  }

private:
  RaiseAssumptions assumptions;
};

struct RaiseMaxPoolsPass : bquant::impl::RaiseMaxPoolsBase<RaiseMaxPoolsPass> {
  using RaiseMaxPoolsBase::RaiseMaxPoolsBase;

  void runOnOperation() override {
    RaiseAssumptions assumptions{assumeNoNaN, assumeNoZero, assumeExactResidues,
                                 strictNaN};
    RewritePatternSet patterns(&getContext());
    populateRaiseMaxPoolPatterns(patterns, assumptions);
    if (failed(applyRaising(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void bquant::populateRaiseMaxPoolPatterns(RewritePatternSet &patterns,
                                          const RaiseAssumptions &assumptions) {
  patterns.add<RaiseMaxPool>(patterns.getContext(), assumptions);
}
