//===- RaiseConvolutions.cpp - Convolutions to bquant.conv_2d -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %p = tensor.pad %a low[0, 1, 1, 0] high[0, 1, 1, 0] { 0.0 }
//   %y = linalg.conv_2d_nhwc_fhwc ins(%p, %w) outs(%bias)
//
// with %w a sign cascade of the constant %c, and %a perhaps one of %x, becomes
//
//   %xq = bquant.quantize %x scalars(%v)
//   %wq = bquant.quantize %c scalars(%u)
//   %z = bquant.conv_2d %xq, %wq pads = [1, 1, 1, 1]
//   %y = linalg.generic { arith.addf } ins(%z, %bias)

#include "Cascade.h"
#include "Layout.h"
#include "Products.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace bquant;

namespace {

/// The tensor that a zero padding of height and width pads; pads are top,
/// bottom, left, right. Anything else is its own source.
Value getPadded(Value value, SmallVector<int64_t, 4> &pads) {
  pads.assign(4, 0);
  auto pad = value.getDefiningOp<tensor::PadOp>();
  Value fill = pad ? pad.getConstantPaddingValue() : Value();
  if (!fill || !matchPattern(fill, m_AnyZeroFloat()))
    return value;
  ArrayRef<int64_t> low = pad.getStaticLow(), high = pad.getStaticHigh();
  auto isFixed = [](int64_t size) { return size >= 0; };
  if (!llvm::all_of(low, isFixed) || !llvm::all_of(high, isFixed) ||
      low[0] != 0 || low[3] != 0 || high[0] != 0 || high[3] != 0)
    return value;
  pads = {low[1], high[1], low[2], high[2]};
  return pad.getSource();
}

SmallVector<int64_t> getPair(DenseIntElementsAttr attr) {
  return llvm::to_vector(attr.getValues<int64_t>());
}

struct RaiseConv2D : OpRewritePattern<linalg::Conv2DNhwcFhwcOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::Conv2DNhwcFhwcOp op,
                                PatternRewriter &rewriter) const override {
    auto result = dyn_cast_or_null<RankedTensorType>(
        op->getNumResults() == 1 ? op.getResult(0).getType() : Type());
    if (!result || !result.getElementType().isF32())
      return rewriter.notifyMatchFailure(op, "not on tensors of f32");
    std::string reason;
    std::optional<Cascade> filter = matchCascade(op.getInputs()[1], reason);
    if (!filter)
      return rewriter.notifyMatchFailure(op, "filter is float");
    SmallVector<int64_t, 4> pads;
    Value image = getPadded(op.getInputs()[0], pads);
    std::optional<Cascade> input = matchCascade(image, reason);
    if (!reason.empty())
      return rewriter.notifyMatchFailure(op, reason);
    if (!getElementTypeOrSelf(image.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "input is not f32");
    if (!canMultiply(input ? input->type : SBTensorType(), filter->type))
      return rewriter.notifyMatchFailure(op, "scalars along the reduction");
    SmallVector<int64_t> strides = getPair(op.getStrides()),
                         dilations = getPair(op.getDilations());
    // linalg allows a result that leaves the end of the image unread.
    auto shape = cast<RankedTensorType>(image.getType()).getShape();
    for (int d = 0; d < 2; ++d)
      if (getWindowedSize(shape[d + 1], filter->type.getDimSize(d + 1),
                          strides[d], dilations[d], pads[2 * d],
                          pads[2 * d + 1]) != result.getDimSize(d + 1))
        return rewriter.notifyMatchFailure(op, "partial result");

    Location loc = op.getLoc();
    Value x = input ? input->build(rewriter, loc) : image;
    Value w = filter->build(rewriter, loc);
    rewriter.setInsertionPoint(op);
    Value product = Conv2DOp::create(rewriter, loc, result, x, w, strides,
                                     dilations, pads, /*groups=*/1,
                                     /*pad_value=*/0);
    remarkRaised(product);
    rewriter.replaceOp(
        op, Init::get(op.getDpsInits().front()).addTo(rewriter, loc, product));
    return success();
  }
};

/// Filters of height, width, channels, filter become the natural ones where
/// that moves no data at run time.
struct UseNaturalFilter : OpRewritePattern<linalg::Conv2DNhwcHwcfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::Conv2DNhwcHwcfOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "not on tensors");
    Value filter = foldTranspose(rewriter, op.getInputs()[1], {3, 0, 1, 2});
    if (!filter)
      return rewriter.notifyMatchFailure(op, "filter is no constant");
    rewriter.replaceOpWithNewOp<linalg::Conv2DNhwcFhwcOp>(
        op, op->getResultTypes(), ValueRange{op.getInputs()[0], filter},
        ValueRange(op.getDpsInits()), op.getStrides(), op.getDilations());
    return success();
  }
};

/// A float convolution adds its bias after the sum.
struct AddBiasAfterConv : OpRewritePattern<linalg::Conv2DNhwcFhwcOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::Conv2DNhwcFhwcOp op,
                                PatternRewriter &rewriter) const override {
    return addBiasAfter(op, rewriter);
  }
};

} // namespace

void bquant::populateRaiseConvolutionPatterns(RewritePatternSet &patterns) {
  // Binary convolutions first: a higher benefit.
  patterns.add<RaiseConv2D, UseNaturalFilter>(patterns.getContext(),
                                              /*benefit=*/2);
  patterns.add<AddBiasAfterConv>(patterns.getContext());
}
