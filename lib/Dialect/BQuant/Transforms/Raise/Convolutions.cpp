//===- Convolutions.cpp - Convolutions to bquant.conv_2d ------------------===//
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

#include "Dialect/BQuant/Analysis/Constants.h"
#include "MatchCascade.h"
#include "ProductMatching.h"
#include "Transposes.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace bquant;

namespace {

/// A constant padding of height and width; pads are top, bottom, left, right.
struct Padding {
  tensor::PadOp op;
  float fill;
  SmallVector<int64_t, 4> pads;

  static std::optional<Padding> match(Value value) {
    auto pad = value.getDefiningOp<tensor::PadOp>();
    Value constant = pad ? pad.getConstantPaddingValue() : Value();
    APFloat fill(0.0f);
    if (!constant || !matchPattern(constant, m_ConstantFloat(&fill)) ||
        !constant.getType().isF32())
      return std::nullopt;
    ArrayRef<int64_t> low = pad.getStaticLow(), high = pad.getStaticHigh();
    auto isFixed = [](int64_t size) { return size >= 0; };
    if (!llvm::all_of(low, isFixed) || !llvm::all_of(high, isFixed) ||
        low[0] != 0 || low[3] != 0 || high[0] != 0 || high[3] != 0)
      return std::nullopt;
    return Padding{
        pad, fill.convertToFloat(), {low[1], high[1], low[2], high[2]}};
  }
};

/// What a convolution reads: the source of a padding and the pads that stand
/// for it, or else the tensor as it is.
struct PaddedOperand {
  Value source;
  SmallVector<int64_t, 4> pads = {0, 0, 0, 0};
  int64_t padValue = 0;

  static PaddedOperand get(Value image, const RaiseAssumptions &assumptions) {
    std::optional<Padding> padding = Padding::match(image);
    if (!padding)
      return {image};
    PaddedOperand padded = {padding->op.getSource(), padding->pads};
    if (padding->fill == 0)
      return padded;
    // The other value that a product can pad with is v, of one plane.
    std::optional<Cascade> x = matchCascade(padded.source, assumptions);
    SmallVector<float> planes = x ? x->getSharedPlanes() : SmallVector<float>();
    if (planes.size() != 1 || planes.front() != padding->fill)
      return {image};
    padded.padValue = 1;
    return padded;
  }
};

SmallVector<int64_t> getPair(DenseIntElementsAttr attr) {
  return llvm::to_vector(attr.getValues<int64_t>());
}

/// A convolution on NxHxWxC by OxKxLxI, whatever its op makes of the channels.
struct Convolution {
  linalg::LinalgOp op;
  Value image, filter;
  RankedTensorType result;
  DenseIntElementsAttr strides, dilations;
  const RaiseAssumptions &assumptions;
  int64_t groups = 1;

  FailureOr<Value> raise(PatternRewriter &rewriter);
};

FailureOr<Value> Convolution::raise(PatternRewriter &rewriter) {
  if (!result.getElementType().isF32() ||
      !getElementTypeOrSelf(image.getType()).isF32())
    return rewriter.notifyMatchFailure(op, "not of f32");
  auto [source, pads, padValue] = PaddedOperand::get(image, assumptions);
  FailureOr<ProductOperands> operands =
      matchOperands(source, filter, assumptions);
  if (failed(operands))
    return rewriter.notifyMatchFailure(op, "operands are float");
  auto &[x, w] = *operands;
  SmallVector<int64_t> steps = getPair(strides), gaps = getPair(dilations);
  // linalg allows a result that leaves the end of the image unread.
  auto shape = cast<RankedTensorType>(source.getType()).getShape();
  for (int d = 0; d < 2; ++d)
    if (getWindowedSize(shape[d + 1], w.type.getDimSize(d + 1), steps[d],
                        gaps[d], pads[2 * d],
                        pads[2 * d + 1]) != result.getDimSize(d + 1))
      return rewriter.notifyMatchFailure(op, "partial result");

  Location loc = op.getLoc();
  Value lhs = x ? x->build(rewriter, loc) : source;
  Value rhs = w.build(rewriter, loc);
  rewriter.setInsertionPoint(op);
  Value product = Conv2DOp::create(rewriter, loc, result, lhs, rhs, steps, gaps,
                                   pads, groups, padValue,
                                   /*kernel=*/nullptr);
  remarkRaised(product);
  return product;
}

struct RaiseConv2D : OpRewritePattern<linalg::Conv2DNhwcFhwcOp> {
  RaiseConv2D(MLIRContext *context, const RaiseAssumptions &assumptions)
      : OpRewritePattern(context, /*benefit=*/2), assumptions(assumptions) {}

  LogicalResult matchAndRewrite(linalg::Conv2DNhwcFhwcOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "not on tensors");
    Convolution conv{op,
                     op.getInputs()[0],
                     op.getInputs()[1],
                     cast<RankedTensorType>(op.getResult(0).getType()),
                     op.getStrides(),
                     op.getDilations(),
                     assumptions};
    FailureOr<Value> product = conv.raise(rewriter);
    if (failed(product))
      return failure();
    rewriter.replaceOp(op, Init::get(op.getDpsInits().front())
                               .addTo(rewriter, op.getLoc(), *product));
    return success();
  }

private:
  RaiseAssumptions assumptions;
};

/// The 4-D value of which `value` splits a dimension in two.
Value getUngrouped(Value value, ArrayRef<ReassociationIndices> groups) {
  auto expand = value.getDefiningOp<tensor::ExpandShapeOp>();
  return expand && llvm::equal(expand.getReassociationIndices(), groups)
             ? expand.getSrc()
             : Value();
}

struct RaiseGroupedConv2D : OpRewritePattern<linalg::Conv2DNhwgcGfhwcOp> {
  RaiseGroupedConv2D(MLIRContext *context, const RaiseAssumptions &assumptions)
      : OpRewritePattern(context, /*benefit=*/2), assumptions(assumptions) {}

  LogicalResult matchAndRewrite(linalg::Conv2DNhwgcGfhwcOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.hasDynamicShape())
      return rewriter.notifyMatchFailure(op, "not on static tensors");
    SmallVector<ReassociationIndices> channels = {{0}, {1}, {2}, {3, 4}};
    Value image = getUngrouped(op.getInputs()[0], channels);
    SmallVector<ReassociationIndices> filters = {{0, 1}, {2}, {3}, {4}};
    Value filter = getUngrouped(op.getInputs()[1], filters);
    // Of a constant the split has been folded.
    Value joined;
    if (image && !filter && isConstantTensor(op.getInputs()[1]))
      filter = joined = tensor::CollapseShapeOp::create(
          rewriter, op.getLoc(), op.getInputs()[1], filters);
    if (!image || !filter)
      return rewriter.notifyMatchFailure(op, "groups do not come from a split");
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    SmallVector<int64_t> shape(type.getShape());
    int64_t groups = shape[3];
    shape[3] *= shape.pop_back_val();
    Convolution conv{op,
                     image,
                     filter,
                     type.clone(shape),
                     op.getStrides(),
                     op.getDilations(),
                     assumptions,
                     groups};
    FailureOr<Value> product = conv.raise(rewriter);
    if (failed(product)) {
      if (joined)
        rewriter.eraseOp(joined.getDefiningOp());
      return failure();
    }
    Value split = tensor::ExpandShapeOp::create(rewriter, op.getLoc(), type,
                                                *product, channels);
    rewriter.replaceOp(op, Init::get(op.getDpsInits().front())
                               .addTo(rewriter, op.getLoc(), split));
    return success();
  }

private:
  RaiseAssumptions assumptions;
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
    auto natural = linalg::Conv2DNhwcFhwcOp::create(
        rewriter, op.getLoc(), op->getResultTypes(),
        ValueRange{op.getInputs()[0], filter}, ValueRange(op.getDpsInits()),
        op.getStrides(), op.getDilations());
    keepReason(op, natural);
    rewriter.replaceOp(op, natural);
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

void bquant::populateRaiseConvolutionPatterns(
    RewritePatternSet &patterns, const RaiseAssumptions &assumptions) {
  MLIRContext *context = patterns.getContext();
  // Binary convolutions first: a higher benefit.
  patterns.add<RaiseConv2D, RaiseGroupedConv2D>(context, assumptions);
  patterns.add<UseNaturalFilter>(context, /*benefit=*/2);
  patterns.add<AddBiasAfterConv>(context);
}
