//===- SplitFilterOffsets.cpp - Filters' offsets to window sums -----------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %y = bquant.conv_2d %x, %w   with %w = d + sum_i v_i s_i
// becomes
//   %p = bquant.conv_2d %x, %v   with %v = sum_i v_i s_i
//   %s = bquant.conv_2d %x, %one with one filter of +1
//   %y = %p + d %s
//
// So a window is summed once for all filters, by the kernels that there are.
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/Constants.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace bquant {
#define GEN_PASS_DEF_SPLITFILTEROFFSETS
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

namespace {
/// A filter in two parts.
struct SplitFilter {
  Value planes, offset;
};
} // namespace

/// Null values for a filter that neither a constant nor a quantize gives.
static SplitFilter splitFilter(RewriterBase &rewriter, Value filter) {
  auto type = cast<SBTensorType>(filter.getType());
  auto bare =
      SBTensorType::get(type.getContext(), type.getShape(), type.getPlanes(),
                        type.getRatios(), type.getAxes(), /*hasOffset=*/false);
  if (auto constant = filter.getDefiningOp<ConstantOp>())
    return {ConstantOp::create(rewriter, filter.getLoc(), bare,
                               constant.getWords(), constant.getScalars(),
                               ElementsAttr()),
            arith::ConstantOp::create(rewriter, filter.getLoc(),
                                      cast<TypedAttr>(*constant.getOffset()))};
  auto quantize = filter.getDefiningOp<QuantizeOp>();
  if (!quantize)
    return {};
  // The planes do not depend on the offset.
  return {QuantizeOp::create(rewriter, filter.getLoc(), bare,
                             quantize.getInput(), quantize.getSchemeAttr(),
                             quantize.getThresholds(), quantize.getCodesAttr(),
                             quantize.getScalars(), Value()),
          quantize.getOffset()};
}

/// One plane of +1 of scalar 1.
static Value createOnes(RewriterBase &rewriter, Location loc,
                        ArrayRef<int64_t> shape) {
  auto type = SBTensorType::get(rewriter.getContext(), shape, /*planes=*/1, {},
                                /*axes=*/{}, /*hasOffset=*/false);
  RankedTensorType words = type.getWordsType();
  SmallVector<uint32_t> bits(words.getNumElements(), ~uint32_t(0));
  int64_t row = words.getShape().back(), used = shape.back() % kWordBits;
  for (size_t last = row - 1; used && last < bits.size(); last += row)
    bits[last] = (uint32_t(1) << used) - 1;
  return ConstantOp::create(rewriter, loc, type, getWordsAttr(words, bits),
                            getFloatsAttr(type.getScalarsType(), {1.0f}),
                            ElementsAttr());
}

/// product + offset * sums, each rounded. `sums` has `groups` channels, each of
/// an equal part of the result's; `columns` is the filters' axis of the offset.
static Value addOffset(RewriterBase &rewriter, Location loc, Value product,
                       Value sums, Value offset, ArrayRef<int64_t> axes,
                       int64_t columns, int64_t groups) {
  auto type = cast<RankedTensorType>(product.getType());
  int64_t rank = type.getRank();
  AffineMap identity = rewriter.getMultiDimIdentityMap(rank);
  AffineExpr channel = rewriter.getAffineDimExpr(rank - 1);
  SmallVector<AffineExpr> ofSums(identity.getResults()), ofOffset;
  ofSums.back() = channel.floorDiv(type.getShape().back() / groups);
  for (int64_t axis : axes)
    ofOffset.push_back(axis == columns ? channel
                                       : rewriter.getAffineDimExpr(axis));
  if (groups == 1) {
    // What is one for all channels is read without them.
    ofSums.pop_back();
    SmallVector<ReassociationIndices> reassociation;
    for (int64_t d = 0; d < rank - 1; ++d)
      reassociation.push_back({d});
    reassociation.back().push_back(rank - 1);
    sums = tensor::CollapseShapeOp::create(rewriter, loc, sums, reassociation);
  }
  MLIRContext *context = rewriter.getContext();
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, product),
      type.getElementType());
  return linalg::GenericOp::create(
             rewriter, loc, type, ValueRange{product, sums, offset}, empty,
             ArrayRef{identity, AffineMap::get(rank, 0, ofSums, context),
                      AffineMap::get(rank, 0, ofOffset, context), identity},
             SmallVector<utils::IteratorType>(rank,
                                              utils::IteratorType::parallel),
             [](OpBuilder &b, Location loc, ValueRange args) {
               Value term = arith::MulFOp::create(b, loc, args[2], args[1]);
               Value sum = arith::AddFOp::create(b, loc, args[0], term);
               linalg::YieldOp::create(b, loc, sum);
             })
      .getResult(0);
}

/// `op` by another filter.
static Value createProduct(RewriterBase &rewriter, Operation *op, Value filter,
                           RankedTensorType type) {
  Operation *product = rewriter.clone(*op);
  product->setOperand(1, filter);
  product->getResult(0).setType(type);
  return product->getResult(0);
}

namespace {
struct SplitConv2D : OpRewritePattern<Conv2DOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(Conv2DOp op,
                                PatternRewriter &rewriter) const override {
    SBTensorType type = op.getFilter().getType();
    if (!type.getHasOffset())
      return rewriter.notifyMatchFailure(op, "no offset");
    SplitFilter filter = splitFilter(rewriter, op.getFilter());
    if (!filter.planes)
      return rewriter.notifyMatchFailure(op, "unknown filter");
    int64_t groups = op.getGroups();
    SmallVector<int64_t> ones(type.getShape()), shape(op.getType().getShape());
    ones.front() = shape.back() = groups;
    Value product = createProduct(rewriter, op, filter.planes, op.getType());
    Value sums = Conv2DOp::create(
        rewriter, op.getLoc(), op.getType().clone(shape), op.getInput(),
        cast<TypedValue<SBTensorType>>(createOnes(rewriter, op.getLoc(), ones)),
        op.getStrides(), op.getDilations(), op.getPads(), groups,
        op.getPadValue(), /*kernel=*/nullptr);
    rewriter.replaceOp(op, addOffset(rewriter, op.getLoc(), product, sums,
                                     filter.offset, type.getAxes(),
                                     /*columns=*/0, groups));
    return success();
  }
};

struct SplitMatmul : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    SBTensorType type = op.getRhs().getType();
    if (!type.getHasOffset())
      return rewriter.notifyMatchFailure(op, "no offset");
    SplitFilter filter = splitFilter(rewriter, op.getRhs());
    if (!filter.planes)
      return rewriter.notifyMatchFailure(op, "unknown right-hand side");
    int64_t columns = type.getRank() - 2;
    SmallVector<int64_t> ones(type.getShape()), shape(op.getType().getShape());
    ones[columns] = shape.back() = 1;
    Value product = createProduct(rewriter, op, filter.planes, op.getType());
    Value sums = MatmulOp::create(
        rewriter, op.getLoc(), op.getType().clone(shape), op.getLhs(),
        cast<TypedValue<SBTensorType>>(createOnes(rewriter, op.getLoc(), ones)),
        /*kernel=*/nullptr);
    rewriter.replaceOp(op, addOffset(rewriter, op.getLoc(), product, sums,
                                     filter.offset, type.getAxes(), columns,
                                     /*groups=*/1));
    return success();
  }
};

struct SplitFilterOffsets
    : bquant::impl::SplitFilterOffsetsBase<SplitFilterOffsets> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SplitConv2D, SplitMatmul>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
