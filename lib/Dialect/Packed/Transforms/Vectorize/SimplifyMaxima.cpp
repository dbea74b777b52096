//===- SimplifyMaxima.cpp - Maxima of floats with known ranges ------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %x = arith.sitofp %sum
//   %y = arith.maximumf %x, %zero
//   %c = arith.addf %y, %one
//   %z = arith.maximumf %c, %one
//   ->
//   %x = arith.sitofp %sum
//   %y = arith.maximumf %x, %zero fastmath<nnan>
//   %z = arith.addf %y, %one
//
// Where NaN has to pass, a vector has two instructions more for a maximum.
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/FloatBounds.h"
#include "bquant/Dialect/Packed/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace bquant {
#define GEN_PASS_DEF_SIMPLIFYMAXIMA
#include "bquant/Dialect/Packed/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

/// Whether a float is never -0.0: a sum is only that of two negative zeros.
static bool hasNoNegativeZero(Value value) {
  auto sum = value.getDefiningOp<arith::AddFOp>();
  return sum && matchPattern(sum.getRhs(), m_Constant()) &&
         !matchPattern(sum.getRhs(), m_NegZeroFloat());
}

namespace {
template <typename Op> struct SimplifyMaximum : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    constexpr bool isMaximum = std::is_same_v<Op, arith::MaximumFOp>;
    FloatBoundsFinder bounds;
    std::optional<FloatBounds> x = bounds.find(op.getLhs()),
                               y = bounds.find(op.getRhs());
    if (!x || !y)
      return rewriter.notifyMatchFailure(op, "of what may be NaN");
    float worst = isMaximum ? x->low : -x->high,
          best = isMaximum ? y->high : -y->low;
    bool isBeyond =
        worst > best ||
        (worst == best &&
         (worst != 0 || (isMaximum && hasNoNegativeZero(op.getLhs()))));
    if (isBeyond) {
      rewriter.replaceOp(op, op.getLhs());
      return success();
    }
    arith::FastMathFlags flags = op.getFastmath() | arith::FastMathFlags::nnan;
    rewriter.modifyOpInPlace(op, [&] { op.setFastmath(flags); });
    return success();
  }
};

struct SimplifyMaxima : bquant::impl::SimplifyMaximaBase<SimplifyMaxima> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SimplifyMaximum<arith::MaximumFOp>,
                 SimplifyMaximum<arith::MinimumFOp>>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
