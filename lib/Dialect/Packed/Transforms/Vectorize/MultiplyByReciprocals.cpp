//===- MultiplyByReciprocals.cpp - Rounded quotients without divisions ----===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %q = arith.divf %x, %c
//   %y = math.roundeven %q
//   ->
//   %p = arith.mulf %x, %low
//   %q = math.fma %x, %high, %p
//   %y = math.roundeven %q
//
// The same in every bit, where a divisor has such a reciprocal (Reciprocal.h).
//
//===----------------------------------------------------------------------===//

#include "Reciprocal.h"
#include "bquant/Dialect/Packed/Transforms/Passes.h"
#include "bquant/Target/ModuleTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace bquant {
#define GEN_PASS_DEF_MULTIPLYBYRECIPROCALS
#include "bquant/Dialect/Packed/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

namespace {
template <typename RoundOp>
struct MultiplyByReciprocal : OpRewritePattern<RoundOp> {
  using OpRewritePattern<RoundOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(RoundOp op,
                                PatternRewriter &rewriter) const override {
    auto division = op.getOperand().template getDefiningOp<arith::DivFOp>();
    if (!division || !division->hasOneUse() || !division.getType().isF32())
      return rewriter.notifyMatchFailure(op, "not of a quotient of its own");
    APFloat divisor(0.0f);
    if (!matchPattern(division.getRhs(), m_ConstantFloat(&divisor)))
      return rewriter.notifyMatchFailure(op, "the divisor is not constant");
    std::optional<Reciprocal> reciprocal =
        findReciprocal(divisor.convertToFloat());
    if (!reciprocal)
      return rewriter.notifyMatchFailure(op, "the divisor has no reciprocal");
    rewriter.setInsertionPoint(division);
    Location loc = division.getLoc();
    Value x = division.getLhs();
    auto createPart = [&](float part) -> Value {
      return arith::ConstantOp::create(rewriter, loc,
                                       rewriter.getF32FloatAttr(part));
    };
    Value high = createPart(reciprocal->high);
    if (reciprocal->low == 0) {
      rewriter.replaceOpWithNewOp<arith::MulFOp>(division, x, high);
      return success();
    }
    Value rest =
        arith::MulFOp::create(rewriter, loc, x, createPart(reciprocal->low));
    rewriter.replaceOpWithNewOp<math::FmaOp>(division, x, high, rest);
    return success();
  }
};

struct MultiplyByReciprocals
    : bquant::impl::MultiplyByReciprocalsBase<MultiplyByReciprocals> {
  void runOnOperation() override {
    FailureOr<TargetDescription> target = getModuleDescription(getOperation());
    if (failed(target))
      return signalPassFailure();
    if (!target->fusesMultiplyAdd)
      return;
    RewritePatternSet patterns(&getContext());
    patterns.add<MultiplyByReciprocal<math::RoundEvenOp>,
                 MultiplyByReciprocal<math::RoundOp>>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
