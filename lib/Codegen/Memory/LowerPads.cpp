//===- LowerPads.cpp - Padding to an insertion and filled borders ---------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %p = tensor.pad %x low[..] high[..] { %c }
//
// becomes a tensor.insert_slice into a tensor.empty, of which linalg.fill fills
// what lies around it: of an image in the cache's last level a fill of all
// takes as long as computing some layers.
//
// Where the borders are no constants or shapes are dynamic, the pattern is
// upstream's, an insertion into a fill of all. No upstream pass has it but the
// transform dialect's apply_patterns.linalg.decompose_pad: that would cost an
// interpreter and a script in the route.
//
//===----------------------------------------------------------------------===//

#include "Support/NegativePads.h"
#include "bquant/Codegen/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace bquant {
#define GEN_PASS_DEF_LOWERPADS
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;

namespace {
/// A constant around a value of static shape.
struct FillBorders : OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::PadOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getResultType(), source = op.getSourceType();
    Value value = op.getConstantPaddingValue();
    if (!value || !type.hasStaticShape() || !source.hasStaticShape() ||
        llvm::any_of(op.getStaticLow(), [](int64_t n) { return n < 0; }))
      return rewriter.notifyMatchFailure(op, "no constant border");
    Location loc = op.getLoc();
    auto get = [&](ArrayRef<int64_t> numbers) {
      return getAsIndexOpFoldResult(rewriter.getContext(), numbers);
    };
    SmallVector<OpFoldResult> ones =
        get(SmallVector<int64_t>(type.getRank(), 1));
    ArrayRef<int64_t> low = op.getStaticLow();
    Value padded =
        tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                type.getElementType(), type.getEncoding());
    padded =
        tensor::InsertSliceOp::create(rewriter, loc, op.getSource(), padded,
                                      get(low), get(source.getShape()), ones);
    // Dimension by dimension: before and behind, as far as the dimensions
    // before this one are inside.
    SmallVector<int64_t> offsets(type.getRank(), 0), sizes(type.getShape());
    for (int64_t d = 0; d < type.getRank(); ++d) {
      int64_t end = low[d] + source.getDimSize(d);
      for (auto [from, to] : {std::pair(int64_t(0), low[d]),
                              std::pair(end, type.getDimSize(d))}) {
        if (from == to)
          continue;
        offsets[d] = from;
        sizes[d] = to - from;
        Value border = tensor::ExtractSliceOp::create(
            rewriter, loc, padded, get(offsets), get(sizes), ones);
        border =
            linalg::FillOp::create(rewriter, loc, value, border).getResult(0);
        padded = tensor::InsertSliceOp::create(rewriter, loc, border, padded,
                                               get(offsets), get(sizes), ones);
      }
      offsets[d] = low[d];
      sizes[d] = source.getDimSize(d);
    }
    rewriter.replaceOp(op, padded);
    return success();
  }
};

struct LowerPads : bquant::impl::LowerPadsBase<LowerPads> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    linalg::populateDecomposePadPatterns(patterns);
    patterns.add<FillBorders>(&getContext(), /*benefit=*/2);
    bquant::populateSplitNegativePadPatterns(patterns, /*benefit=*/3);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
