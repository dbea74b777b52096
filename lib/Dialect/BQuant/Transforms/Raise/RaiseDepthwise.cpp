//===- RaiseDepthwise.cpp - Depthwise convolutions of floats --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %y = linalg.conv_2d_nhwgc_gfhwc ins(%x, %f)   // NxHxWxGx1 by GxFxKxLx1
//
// becomes, each channel repeated for its filters,
//
//   %r = linalg.broadcast ins(collapse_shape %x)    // NxHxWxGxF
//   %z = linalg.depthwise_conv_2d_nhwc_hwc ins(collapse_shape %r, %f')
//   %y = tensor.expand_shape %z
//
// and so does linalg.depthwise_conv_2d_nhwc_hwcm of a filter of KxLxGxF.
//
//===----------------------------------------------------------------------===//

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

/// The last two dimensions of a value as one.
Value collapseLast(OpBuilder &b, Location loc, Value value) {
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  Groups groups;
  for (int64_t d = 0; d + 1 < rank; ++d)
    groups.push_back({d});
  groups.back().push_back(rank - 1);
  return b.createOrFold<tensor::CollapseShapeOp>(loc, value, groups);
}

/// N x H x W x G to N x H x W x (G * count), each channel `count` times.
Value repeatChannels(OpBuilder &b, Location loc, Value image, int64_t count) {
  if (count == 1)
    return image;
  auto type = cast<RankedTensorType>(image.getType());
  auto pad = image.getDefiningOp<tensor::PadOp>();
  if (pad && pad.getConstantPaddingValue() && pad.getStaticLow().back() == 0 &&
      pad.getStaticHigh().back() == 0) {
    Value source = repeatChannels(b, loc, pad.getSource(), count);
    SmallVector<int64_t> shape(type.getShape());
    shape.back() *= count;
    return tensor::PadOp::create(b, loc, type.clone(shape), source,
                                 pad.getMixedLowPad(), pad.getMixedHighPad(),
                                 pad.getConstantPaddingValue());
  }
  SmallVector<int64_t> shape(type.getShape());
  shape.push_back(count);
  Value empty = tensor::EmptyOp::create(b, loc, shape, type.getElementType());
  int64_t added[] = {type.getRank()};
  Value repeated =
      linalg::BroadcastOp::create(b, loc, image, empty, added)->getResult(0);
  return collapseLast(b, loc, repeated);
}

/// `op` by its image of N x H x W x G and its filter of K x L x G x F, whose
/// result is N x H x W x G x F.
template <typename Conv>
void replace(Conv op, PatternRewriter &rewriter, Value image, Value filter) {
  Location loc = op.getLoc();
  int64_t count = cast<RankedTensorType>(filter.getType()).getDimSize(3);
  Value input = repeatChannels(rewriter, loc, image, count),
        init = collapseLast(rewriter, loc, op.getOutputs()[0]);
  auto conv = linalg::DepthwiseConv2DNhwcHwcOp::create(
      rewriter, loc, init.getType(),
      ValueRange{input, collapseLast(rewriter, loc, filter)}, ValueRange{init},
      op.getStrides(), op.getDilations());
  keepReason(op, conv);
  rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
      op, op->getResult(0).getType(), conv->getResult(0),
      Groups{{0}, {1}, {2}, {3, 4}});
}

struct RaiseGroupsOfOne : OpRewritePattern<linalg::Conv2DNhwgcGfhwcOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::Conv2DNhwgcGfhwcOp op,
                                PatternRewriter &rewriter) const override {
    Value filter = op.getInputs()[1];
    if (!op.hasPureTensorSemantics() || op.hasDynamicShape())
      return rewriter.notifyMatchFailure(op, "not on static tensors");
    if (cast<RankedTensorType>(filter.getType()).getDimSize(4) != 1)
      return rewriter.notifyMatchFailure(op, "several channels in a group");
    Location loc = op.getLoc();
    int64_t filterPerm[] = {2, 3, 0, 1, 4};
    filter = createTranspose(rewriter, loc, filter, filterPerm);
    replace(op, rewriter, collapseLast(rewriter, loc, op.getInputs()[0]),
            collapseLast(rewriter, loc, filter));
    return success();
  }
};

struct RaiseMultiplier : OpRewritePattern<linalg::DepthwiseConv2DNhwcHwcmOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::DepthwiseConv2DNhwcHwcmOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.hasDynamicShape())
      return rewriter.notifyMatchFailure(op, "not on static tensors");
    replace(op, rewriter, op.getInputs()[0], op.getInputs()[1]);
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
  patterns.add<RaiseGroupsOfOne, RaiseMultiplier>(patterns.getContext());
}
