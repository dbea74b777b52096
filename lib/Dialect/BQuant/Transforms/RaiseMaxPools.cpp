//===- RaiseMaxPools.cpp - Max-pools of quantized values ------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product that reads the maximum of quantized values reads quantized values:
//
//   %s = bquant.sign %x
//   %p = linalg.pooling_nhwc_max ins(%s, %window)
//
// becomes
//
//   %q = bquant.quantize %x scalars([1.0])
//   %m = bquant.max_pool_2d %q
//   %p = bquant.dequantize %m
//
// Pools whose result is quantized are moved by the folding of chains.

#include "Cascade.h"
#include "Products.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/BQuant/Transforms/Folding/Codes.h"
#include "bquant/Dialect/BQuant/Transforms/Folding/MonotonePieces.h"

using namespace mlir;
using namespace bquant;

/// What each code stands for, as `bquant.dequantize` computes it.
static SmallVector<float> decode(const Cascade &cascade) {
  SmallVector<float> planes = cascade.getSharedPlanes(), values;
  if (planes.empty())
    return {};
  ArrayRef<int64_t> ratios = cascade.type.getRatios();
  size_t count = planes.size();
  for (size_t code = 0; code < size_t(1) << count; ++code) {
    float sum = 0;
    int64_t multiple = 0;
    for (size_t i = 0; i < count; ++i) {
      bool plus = code >> (count - 1 - i) & 1;
      float term = plus ? planes[i] : -planes[i];
      sum = i == 0 ? term : sum + term;
      if (!ratios.empty())
        multiple += plus ? ratios[i] : -ratios[i];
    }
    values.push_back(ratios.empty()
                         ? sum
                         : float(multiple) *
                               *cascade.scalars.getValues<float>().begin());
  }
  return values;
}

namespace {

struct RaiseMaxPool : OpRewritePattern<linalg::PoolingNhwcMaxOp> {
  RaiseMaxPool(MLIRContext *context, const RaiseAssumptions &assumptions)
      : OpRewritePattern(context), assumptions(assumptions) {}

  LogicalResult matchAndRewrite(linalg::PoolingNhwcMaxOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.hasDynamicShape())
      return rewriter.notifyMatchFailure(op, "not on static tensors");
    std::optional<folding::FloatMaxPool> pool =
        folding::matchMaxPool(op.getResult(0));
    std::string reason;
    std::optional<Cascade> x =
        pool ? matchCascade(pool->input, assumptions, reason) : std::nullopt;
    if (!x || x->source)
      return rewriter.notifyMatchFailure(op, "no pool of a written cascade");
    SmallVector<float> values = decode(*x);
    // In the order that puts -0.0 before +0.0, as the pool does.
    if (values.empty() || !(pool->least <= values.front()) ||
        !llvm::is_sorted(values, [](float a, float b) {
          return folding::toOrdered(a) < folding::toOrdered(b);
        }))
      return rewriter.notifyMatchFailure(op, "values do not rise with codes");
    Location loc = op.getLoc();
    auto result = cast<RankedTensorType>(op.getResult(0).getType());
    auto pooled = SBTensorType::get(op.getContext(), result.getShape(),
                                    x->type.getPlanes(), x->type.getRatios(),
                                    x->type.getAxes(), x->type.getHasOffset());
    Value codes = x->build(rewriter, loc);
    rewriter.setInsertionPoint(op);
    codes = pool->createOfCodes(codes, pooled, rewriter);
    rewriter.replaceOpWithNewOp<DequantizeOp>(op, result, codes);
    return success();
  }

private:
  RaiseAssumptions assumptions;
};

} // namespace

void bquant::populateRaiseMaxPoolPatterns(RewritePatternSet &patterns,
                                          const RaiseAssumptions &assumptions) {
  patterns.add<RaiseMaxPool>(patterns.getContext(), assumptions);
}
