//===- GroupedConvolutions.cpp - Grouped convolutions, channels-last ------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %y = linalg.conv_2d_ngchw_gfchw ins(%x, %f)      // NxGxCxHxW by GxFxCxKxL
//
// becomes, on 4-D values that the rest of the program knows how to permute,
//
//   %a = linalg.transpose (tensor.collapse_shape %x)           // NxHxWx(GC)
//   %b = linalg.transpose (tensor.collapse_shape %f)           // (GF)xKxLxC
//   %z = linalg.conv_2d_nhwgc_gfhwc ins(expand_shape %a, expand_shape %b)
//   %y = tensor.expand_shape (linalg.transpose (tensor.collapse_shape %z))

#include "ProductMatching.h"
#include "Transposes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace bquant;

namespace {

using Groups = SmallVector<ReassociationIndices>;

/// `value` without the dimension of groups, permuted, and with it again. What a
/// filter is computed from is permuted instead of the filter: where only units
/// move, as in a depthwise one, a reshape would hide how it was quantized.
Value permuteGrouped(PatternRewriter &rewriter, Location loc, Value value,
                     const Groups &from, ArrayRef<int64_t> perm,
                     const Groups &to, ArrayRef<int64_t> shape) {
  Value flat = rewriter.createOrFold<tensor::CollapseShapeOp>(loc, value, from);
  Value permuted = foldTranspose(rewriter, flat, perm);
  if (!permuted)
    permuted = createTranspose(rewriter, loc, flat, perm);
  auto type = cast<RankedTensorType>(value.getType()).clone(shape);
  return tensor::ExpandShapeOp::create(rewriter, loc, type, permuted, to);
}

struct GroupsLast : OpRewritePattern<linalg::Conv2DNgchwGfchwOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::Conv2DNgchwGfchwOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
        !getElementTypeOrSelf(op->getResult(0)).isIntOrFloat())
      return rewriter.notifyMatchFailure(op,
                                         "not on static tensors of numbers");
    Location loc = op.getLoc();
    // Of NxGxCxHxW, of NxHxWxGxC, and of filters GxFx...
    const Groups first = {{0}, {1, 2}, {3}, {4}},
                 last = {{0}, {1}, {2}, {3, 4}},
                 outer = {{0, 1}, {2}, {3}, {4}};
    auto toLast = [&](Value value) {
      int64_t perm[] = {0, 3, 4, 1, 2};
      ArrayRef<int64_t> shape =
          cast<RankedTensorType>(value.getType()).getShape();
      return permuteGrouped(rewriter, loc, value, first, kToLast, last,
                            applyPermutation(shape, perm));
    };
    int64_t filterPerm[] = {0, 1, 3, 4, 2};
    Value filter = op.getInputs()[1];
    ArrayRef<int64_t> filterShape =
        cast<RankedTensorType>(filter.getType()).getShape();
    filter = permuteGrouped(rewriter, loc, filter, outer, kToLast, outer,
                            applyPermutation(filterShape, filterPerm));
    Value input = toLast(op.getInputs()[0]);
    // The sum starts at zero; what it is added to stays without groups.
    Value start = op.getOutputs()[0];
    auto type = cast<RankedTensorType>(start.getType());
    Value zeros = toLast(createZeros(rewriter, loc, start));
    auto conv = linalg::Conv2DNhwgcGfhwcOp::create(
        rewriter, loc, zeros.getType(), ValueRange{input, filter},
        ValueRange{zeros}, op.getStrides(), op.getDilations());
    Value result = tensor::CollapseShapeOp::create(rewriter, loc,
                                                   conv->getResult(0), last);
    result = createTranspose(rewriter, loc, result, kToFirst);
    if (!Init::get(start).isZero()) {
      auto expand = start.getDefiningOp<tensor::ExpandShapeOp>();
      Value bias =
          expand && expand.getSrcType() == result.getType()
              ? expand.getSrc()
              : tensor::CollapseShapeOp::create(rewriter, loc, start, first);
      result = Init::get(bias).addTo(rewriter, loc, result);
    }
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(op, type, result, first);
    return success();
  }
};

/// One filter a channel: NxCxHxW by CxKxL becomes NxHxWxC by KxLxC.
struct DepthwiseLast : OpRewritePattern<linalg::DepthwiseConv2DNchwChwOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::DepthwiseConv2DNchwChwOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "not on tensors");
    Location loc = op.getLoc();
    int64_t filterPerm[] = {1, 2, 0};
    Value filter = foldTranspose(rewriter, op.getInputs()[1], filterPerm);
    if (!filter)
      filter = createTranspose(rewriter, loc, op.getInputs()[1], filterPerm);
    Value input = createTranspose(rewriter, loc, op.getInputs()[0], kToLast);
    Value init = createTranspose(rewriter, loc, op.getOutputs()[0], kToLast);
    auto last = linalg::DepthwiseConv2DNhwcHwcOp::create(
        rewriter, loc, init.getType(), ValueRange{input, filter},
        ValueRange{init}, op.getStrides(), op.getDilations());
    rewriter.replaceOp(
        op, createTranspose(rewriter, loc, last->getResult(0), kToFirst));
    return success();
  }
};

} // namespace

void bquant::populateGroupsLastPatterns(RewritePatternSet &patterns) {
  patterns.add<GroupsLast, DepthwiseLast>(patterns.getContext());
}
