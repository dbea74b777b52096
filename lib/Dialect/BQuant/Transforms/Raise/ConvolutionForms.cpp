//===- ConvolutionForms.cpp - 1-D and depthwise as other convolutions -----===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %y = linalg.conv_1d_ncw_fcw ins(%x, %f)          // NxCxW by FxCxL
//
// becomes a convolution of images of height 1,
//
//   %z = linalg.conv_2d_nchw_fchw ins(tensor.expand_shape %x, %f)
//   %y = tensor.collapse_shape %z
//
// and the dimension of size 1 moves past what is elementwise, up to the next
// convolution. A depthwise convolution whose filter is computed from CxFxKxL,
// with F = 1, takes that as a grouped one does:
//
//   %y = linalg.depthwise_conv_2d_nchw_chw ins(%x, tensor.collapse_shape %f)
//   %y = tensor.collapse_shape (linalg.conv_2d_ngchw_gfchw ins(%x', %f'))

#include "ProductMatching.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;

namespace {

using Groups = SmallVector<ReassociationIndices>;

/// Dimensions of a value of rank `rank` with a new one before `dim`, or behind
/// the last one.
Groups getGroupsWithUnit(int64_t rank, int64_t dim) {
  int64_t joined = std::min(dim, rank - 1);
  Groups groups(rank);
  for (int64_t i = 0; i <= rank; ++i)
    groups[i > joined ? i - 1 : i].push_back(i);
  return groups;
}

/// Whether `large` is `small` with a dimension of size 1 more: `dim`.
bool addsUnit(RankedTensorType small, RankedTensorType large, int64_t dim) {
  SmallVector<int64_t> shape(small.getShape());
  if (small.getRank() + 1 != large.getRank())
    return false;
  shape.insert(shape.begin() + dim, 1);
  return large.getShape() == ArrayRef(shape);
}

/// `value` with a dimension of size 1 before `dim`.
Value addUnit(RewriterBase &rewriter, Location loc, Value value, int64_t dim) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin() + dim, 1);
  return tensor::ExpandShapeOp::create(rewriter, loc, type.clone(shape), value,
                                       getGroupsWithUnit(type.getRank(), dim));
}

/// The same of a padded value, in front of the padding.
Value addUnitToPadded(RewriterBase &rewriter, Location loc, Value value,
                      int64_t dim) {
  auto pad = value.getDefiningOp<tensor::PadOp>();
  Value fill = pad ? pad.getConstantPaddingValue() : Value();
  if (!fill)
    return addUnit(rewriter, loc, value, dim);
  SmallVector<OpFoldResult> low = pad.getMixedLowPad(),
                            high = pad.getMixedHighPad();
  low.insert(low.begin() + dim, rewriter.getIndexAttr(0));
  high.insert(high.begin() + dim, rewriter.getIndexAttr(0));
  Value source = addUnit(rewriter, loc, pad.getSource(), dim);
  return tensor::PadOp::create(rewriter, pad.getLoc(), Type(), source, low,
                               high, fill, pad.getNofold());
}

/// `attr` with a 1 in front.
DenseIntElementsAttr prependOne(RewriterBase &rewriter,
                                DenseIntElementsAttr attr) {
  return rewriter.getI64VectorAttr({1, *attr.value_begin<int64_t>()});
}

/// `From` is a convolution along one dimension, `To` the one along two; a new
/// dimension before `image` of input and result, before `window` of the filter.
template <typename From, typename To, int64_t image, int64_t window>
struct AddHeight : OpRewritePattern<From> {
  using OpRewritePattern<From>::OpRewritePattern;
  LogicalResult matchAndRewrite(From op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "not on tensors");
    Location loc = op.getLoc();
    Value input = addUnitToPadded(rewriter, loc, op.getInputs()[0], image);
    Value filter = addUnit(rewriter, loc, op.getInputs()[1], window);
    Value init = addUnit(rewriter, loc, op.getOutputs()[0], image);
    auto conv =
        To::create(rewriter, loc, init.getType(), ValueRange{input, filter},
                   ValueRange{init}, prependOne(rewriter, op.getStrides()),
                   prependOne(rewriter, op.getDilations()));
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
        op, op->getResult(0).getType(), conv->getResult(0),
        getGroupsWithUnit(3, image));
    return success();
  }
};

/// Only of filters that are computed: a constant one stays what it is.
struct DepthwiseToGrouped : OpRewritePattern<linalg::DepthwiseConv2DNchwChwOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::DepthwiseConv2DNchwChwOp op,
                                PatternRewriter &rewriter) const override {
    auto collapse = op.getInputs()[1].getDefiningOp<tensor::CollapseShapeOp>();
    // CxFxKxL without its second dimension, which is 1.
    if (!op.hasPureTensorSemantics() || !collapse ||
        !addsUnit(collapse.getResultType(), collapse.getSrcType(), 1))
      return rewriter.notifyMatchFailure(op,
                                         "filter does not come from CxFxKxL");
    Location loc = op.getLoc();
    Value input = addUnit(rewriter, loc, op.getInputs()[0], 2);
    Value filter = addUnit(rewriter, loc, collapse.getSrc(), 1);
    Value init = addUnit(rewriter, loc, op.getOutputs()[0], 2);
    auto conv = linalg::Conv2DNgchwGfchwOp::create(
        rewriter, loc, init.getType(), ValueRange{input, filter},
        ValueRange{init}, op.getStrides(), op.getDilations());
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
        op, op->getResult(0).getType(), conv->getResult(0),
        getGroupsWithUnit(4, 2));
    return success();
  }
};

/// Whether `op` adds or drops a dimension of size 1, between ranks 3 and 4.
bool movesUnit(Operation *op) {
  RankedTensorType small, large;
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op)) {
    small = expand.getSrcType();
    large = expand.getResultType();
  } else if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(op)) {
    small = collapse.getResultType();
    large = collapse.getSrcType();
  }
  if (!small || large.getRank() != 4)
    return false;
  return llvm::any_of(llvm::seq<int64_t>(0, 4),
                      [&](int64_t dim) { return addsUnit(small, large, dim); });
}

/// As upstream's patterns do with elementwise generics.
struct ExpandBeforeSign : OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto sign = op.getSrc().getDefiningOp<SignOp>();
    if (!sign || !sign->hasOneUse() || !movesUnit(op))
      return rewriter.notifyMatchFailure(op, "no sign before a unit dimension");
    Value input = tensor::ExpandShapeOp::create(
        rewriter, op.getLoc(), op.getType(), sign.getInput(),
        op.getReassociationIndices(), op.getMixedOutputShape());
    rewriter.replaceOpWithNewOp<SignOp>(op, input);
    return success();
  }
};

/// Convolutions look for a padding in front of them.
struct ExpandBeforePad : OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto pad = op.getSrc().getDefiningOp<tensor::PadOp>();
    if (!pad || !pad->hasOneUse() || !pad.getConstantPaddingValue() ||
        op.getResultType().getRank() != 4)
      return rewriter.notifyMatchFailure(op, "no padding before it");
    for (int64_t dim = 0; dim < 4; ++dim)
      if (addsUnit(op.getSrcType(), op.getResultType(), dim)) {
        rewriter.replaceOp(op,
                           addUnitToPadded(rewriter, op.getLoc(), pad, dim));
        return success();
      }
    return rewriter.notifyMatchFailure(op, "no unit dimension");
  }
};

struct CollapseAfterSign : OpRewritePattern<SignOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SignOp op,
                                PatternRewriter &rewriter) const override {
    auto collapse = op.getInput().getDefiningOp<tensor::CollapseShapeOp>();
    if (!collapse || !movesUnit(collapse))
      return rewriter.notifyMatchFailure(op, "no unit dimension before a sign");
    Value sign = SignOp::create(rewriter, op.getLoc(), collapse.getSrc());
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
        op, op.getType(), sign, collapse.getReassociationIndices());
    return success();
  }
};

} // namespace

void bquant::populateConvolutionFormPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns
      .add<AddHeight<linalg::Conv1DNcwFcwOp, linalg::Conv2DNchwFchwOp, 2, 2>,
           AddHeight<linalg::Conv1DNwcWcfOp, linalg::Conv2DNhwcHwcfOp, 1, 0>,
           ExpandBeforeSign, ExpandBeforePad, CollapseAfterSign>(context);
  // Before it becomes a depthwise one that is channels-last.
  patterns.add<DepthwiseToGrouped>(context, /*benefit=*/2);
  // A matrix product with one dimension more would be none.
  auto isProduct = [](Operation *op) {
    auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
    return linalgOp && linalg::isaContractionOpInterface(linalgOp);
  };
  linalg::populateFoldReshapeOpsByExpansionPatterns(
      patterns, [isProduct](OpOperand *operand) {
        Operation *producer = operand->get().getDefiningOp();
        Operation *consumer = operand->getOwner();
        return (movesUnit(consumer) || movesUnit(producer)) &&
               !isProduct(consumer) && !isProduct(producer);
      });
}
