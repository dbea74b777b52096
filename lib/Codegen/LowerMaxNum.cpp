//===- LowerMaxNum.cpp - maxnum by maximum --------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a loop that reduces by llvm.maxnum LLVM 22's vectorizer leaves the last
// steps out where there are few, and of two zeros llvm.maxnum gives either.
// Upstream's --arith-expand makes comparisons of it, whose zero depends on the
// order of the operands, which the routes do not share.
//
//===----------------------------------------------------------------------===//

#include "bquant/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace bquant {
#define GEN_PASS_DEF_LOWERMAXNUM
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;

namespace {
/// maximumf for maxnumf and minimumf for minnumf, but for NaN.
template <typename Op, typename Ordered>
struct LowerToOrdered : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value lhs = op.getLhs(), rhs = op.getRhs();
    auto isNaN = [&](Value value) {
      return arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::UNO,
                                   value, value);
    };
    Value number = Ordered::create(rewriter, loc, lhs, rhs);
    number = arith::SelectOp::create(rewriter, loc, isNaN(rhs), lhs, number);
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isNaN(lhs), rhs, number);
    return success();
  }
};

struct LowerMaxNum : bquant::impl::LowerMaxNumBase<LowerMaxNum> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<LowerToOrdered<arith::MaxNumFOp, arith::MaximumFOp>,
                 LowerToOrdered<arith::MinNumFOp, arith::MinimumFOp>>(
        &getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
