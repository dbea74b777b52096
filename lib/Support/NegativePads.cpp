//===- NegativePads.cpp - Pads that leave elements out --------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %p = tensor.pad %x low[-1, 2] high[0, 0] { %c }
//       : tensor<4x6xf32> to tensor<3x8xf32>
//
// becomes
//
//   %s = tensor.extract_slice %x[1, 0] [3, 6] [1, 1]
//   %p = tensor.pad %s low[0, 2] high[0, 0] { %c }
//       : tensor<3x6xf32> to tensor<3x8xf32>
//
//===----------------------------------------------------------------------===//

#include "Support/NegativePads.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace {
struct SplitNegativePad : OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::PadOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType source = op.getSourceType(), result = op.getResultType();
    ArrayRef<int64_t> before = op.getStaticLow(), behind = op.getStaticHigh();
    auto isNegative = [](int64_t n) {
      return n < 0 && !ShapedType::isDynamic(n);
    };
    SmallVector<int64_t> dims;
    for (int64_t d = 0; d < source.getRank(); ++d) {
      if (!isNegative(before[d]) && !isNegative(behind[d]))
        continue;
      if (source.isDynamicDim(d) || result.isDynamicDim(d) ||
          ShapedType::isDynamic(before[d]))
        return rewriter.notifyMatchFailure(op, "sizes known at run time");
      dims.push_back(d);
    }
    if (dims.empty())
      return rewriter.notifyMatchFailure(op, "no negative pad");

    Location loc = op.getLoc();
    SmallVector<OpFoldResult> low = op.getMixedLowPad(),
                              high = op.getMixedHighPad(),
                              sizes = tensor::getMixedSizes(rewriter, loc,
                                                            op.getSource()),
                              offsets(low.size(), rewriter.getIndexAttr(0)),
                              ones(low.size(), rewriter.getIndexAttr(1));
    for (int64_t d : dims) {
      // The elements of the source that are left, and what lies around them.
      int64_t size = source.getDimSize(d), width = result.getDimSize(d);
      int64_t begin = std::min(size, std::max<int64_t>(0, -before[d]));
      int64_t end = std::max(begin, std::min(size, width - before[d]));
      int64_t first = std::min(width, std::max<int64_t>(0, before[d]));
      offsets[d] = rewriter.getIndexAttr(begin);
      sizes[d] = rewriter.getIndexAttr(end - begin);
      low[d] = rewriter.getIndexAttr(first);
      high[d] = rewriter.getIndexAttr(width - first - (end - begin));
    }
    Value slice = tensor::ExtractSliceOp::create(rewriter, loc, op.getSource(),
                                                 offsets, sizes, ones);
    auto pad = tensor::PadOp::create(rewriter, loc, result, slice, low, high,
                                     op.getNofold());
    rewriter.inlineRegionBefore(op.getRegion(), pad.getRegion(),
                                pad.getRegion().begin());
    rewriter.replaceOp(op, pad);
    return success();
  }
};
} // namespace

void bquant::populateSplitNegativePadPatterns(RewritePatternSet &patterns,
                                              PatternBenefit benefit) {
  patterns.add<SplitNegativePad>(patterns.getContext(), benefit);
}
