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
#include "Dialect/BQuant/IR/GenericBuilder.h"
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

/// Null values for a filter that neither a constant nor a quantize gives,
/// perhaps by a pool.
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
  if (auto pool = filter.getDefiningOp<MaxPool2DOp>()) {
    SplitFilter pooled = splitFilter(rewriter, pool.getInput());
    if (!pooled.planes)
      return {};
    auto result = cast<MaxPool2DOp>(rewriter.clone(*pool));
    result.getInputMutable().assign(pooled.planes);
    result.getResult().setType(bare);
    return {result, pooled.offset};
  }
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
  ImplicitLocOpBuilder b(loc, rewriter);
  auto type = cast<RankedTensorType>(product.getType());
  int64_t rank = type.getRank();
  AffineExpr channel = b.getAffineDimExpr(rank - 1);
  AffineMap ofSums = b.getMultiDimIdentityMap(rank).dropResult(rank - 1);
  SmallVector<AffineExpr> ofOffset;
  for (int64_t axis : axes)
    ofOffset.push_back(axis == columns ? channel : b.getAffineDimExpr(axis));
  if (groups == 1) {
    // What is one for all channels is read without them.
    SmallVector<ReassociationIndices> reassociation;
    for (int64_t d = 0; d < rank - 1; ++d)
      reassociation.push_back({d});
    reassociation.back().push_back(rank - 1);
    sums = tensor::CollapseShapeOp::create(b, sums, reassociation);
  } else {
    ofSums = ofSums.insertResult(
        channel.floorDiv(type.getShape().back() / groups), rank - 1);
  }
  Inputs inputs(product);
  inputs.add(sums, ofSums);
  inputs.add(offset, AffineMap::get(rank, 0, ofOffset, b.getContext()));
  return createElementwise(
      b, tensor::getMixedSizes(b, loc, product), type.getElementType(), inputs,
      [](OpBuilder &b, Location loc, ValueRange args) {
        Value term = arith::MulFOp::create(b, loc, args[2], args[1]);
        return arith::AddFOp::create(b, loc, args[0], term);
      });
}

/// `op` by another filter.
template <typename Op>
static Op createProduct(RewriterBase &rewriter, Op op, Value filter,
                        RankedTensorType type) {
  auto product = cast<Op>(rewriter.clone(*op));
  product->setOperand(1, filter);
  product->getResult(0).setType(type);
  return product;
}

namespace {
template <typename Op> struct SplitOffset : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<SBTensorType>(op->getOperand(1).getType());
    if (!type.getHasOffset())
      return rewriter.notifyMatchFailure(op, "no offset");
    SplitFilter filter = splitFilter(rewriter, op->getOperand(1));
    if (!filter.planes)
      return rewriter.notifyMatchFailure(op, "unknown filter");
    int64_t columns = type.getRank() - 2, groups = 1;
    if constexpr (std::is_same_v<Op, Conv2DOp>) {
      columns = 0;
      groups = op.getGroups();
    }
    SmallVector<int64_t> ones(type.getShape()), shape(op.getType().getShape());
    ones[columns] = shape.back() = groups;
    Op product = createProduct(rewriter, op, filter.planes, op.getType());
    Op sums =
        createProduct(rewriter, op, createOnes(rewriter, op.getLoc(), ones),
                      op.getType().clone(shape));
    sums.removeKernelAttr();
    rewriter.replaceOp(op, addOffset(rewriter, op.getLoc(), product, sums,
                                     filter.offset, type.getAxes(), columns,
                                     groups));
    return success();
  }
};

struct SplitFilterOffsets
    : bquant::impl::SplitFilterOffsetsBase<SplitFilterOffsets> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SplitOffset<Conv2DOp>, SplitOffset<MatmulOp>>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
