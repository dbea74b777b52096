//===- RaiseDepthwise.cpp - Depthwise convolutions of floats --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %y = linalg.conv_2d_nhwgc_gfhwc ins(%x, %f)   // NxHxWxGx1 by Gx1xKxLx1
//
// becomes
//
//   %z = linalg.depthwise_conv_2d_nhwc_hwc ins(collapse_shape %x, %f')  //
//   KxLxG %y = tensor.expand_shape %z

#include "ProductMatching.h"
#include "Transposes.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "bquant/Dialect/BQuant/Transforms/Raise.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace bquant {
#define GEN_PASS_DEF_RAISEDEPTHWISE
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

namespace {

using Groups = SmallVector<ReassociationIndices>;

struct RaiseGroupsOfOne : OpRewritePattern<linalg::Conv2DNhwgcGfhwcOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::Conv2DNhwgcGfhwcOp op,
                                PatternRewriter &rewriter) const override {
    Value filter = op.getInputs()[1];
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(filter.getType()).getShape();
    if (!op.hasPureTensorSemantics() || op.hasDynamicShape())
      return rewriter.notifyMatchFailure(op, "not on static tensors");
    if (shape[1] != 1 || shape[4] != 1)
      return rewriter.notifyMatchFailure(
          op, "several filters or channels in a group");
    Location loc = op.getLoc();
    const Groups last = {{0}, {1}, {2}, {3, 4}}, ends = {{0}, {1}, {2, 3, 4}};
    auto collapse = [&](Value value, const Groups &groups) -> Value {
      return rewriter.createOrFold<tensor::CollapseShapeOp>(loc, value, groups);
    };
    int64_t filterPerm[] = {2, 3, 0, 1, 4};
    filter = collapse(createTranspose(rewriter, loc, filter, filterPerm), ends);
    Value input = collapse(op.getInputs()[0], last),
          init = collapse(op.getOutputs()[0], last);
    auto conv = linalg::DepthwiseConv2DNhwcHwcOp::create(
        rewriter, loc, init.getType(), ValueRange{input, filter},
        ValueRange{init}, op.getStrides(), op.getDilations());
    keepReason(op, conv);
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
        op, op->getResult(0).getType(), conv->getResult(0), last);
    return success();
  }
};

struct RaiseDepthwisePass
    : bquant::impl::RaiseDepthwiseBase<RaiseDepthwisePass> {
  using RaiseDepthwiseBase::RaiseDepthwiseBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateRaiseDepthwisePatterns(patterns);
    if (failed(applyRaising(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void bquant::populateRaiseDepthwisePatterns(RewritePatternSet &patterns) {
  patterns.add<RaiseGroupsOfOne>(patterns.getContext());
}
