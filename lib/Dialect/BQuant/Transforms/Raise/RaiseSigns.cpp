//===- RaiseSigns.cpp - Sign idioms to bquant.sign ------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/Elementwise.h"
#include "MatchSign.h"
#include "ProductMatching.h"
#include "Support/Remarks.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "bquant/Dialect/BQuant/Transforms/Raise.h"
#include "llvm/Support/FormatVariadic.h"

namespace bquant {
#define GEN_PASS_DEF_RAISESIGNS
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

/// Says what a sign does to NaN where the source says otherwise.
static void remarkNaN(Location loc, const FunctionOfSign &function) {
  for (Kind kind : {PlusNaN, MinusNaN})
    if (function.possible[kind] && function.values[kind] != -1) {
      remarks::analysis(loc, "raise-sign")
          << llvm::formatv("NaN gives -1, and not {0:f0} as written",
                           function.values[kind] + 0.0f)
                 .str();
      return;
    }
}

namespace {

struct RaiseSign : OpRewritePattern<linalg::GenericOp> {
  RaiseSign(MLIRContext *context, const RaiseAssumptions &assumptions)
      : OpRewritePattern(context), assumptions(assumptions) {}

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!isPointwise(op))
      return rewriter.notifyMatchFailure(op, "not pointwise");
    for (Value result : op.getResults()) {
      if (result.use_empty())
        continue;
      // A result that only passes a sign on is not one more sign.
      if (resolve(result).getDefiningOp<SignOp>())
        continue;
      std::optional<FunctionOfSign> function =
          matchFunctionOfSign(result, assumptions);
      if (!function || !function->isSign(assumptions) ||
          !canMaterialize(function->x))
        continue;
      // x may be another result of the op.
      rewriter.setInsertionPointAfter(op);
      Value input = materialize(rewriter, function->x);
      if (input.getType() != result.getType())
        continue;
      remarkNaN(op.getLoc(), *function);
      Value sign = SignOp::create(rewriter, op.getLoc(), input);
      rewriter.replaceAllUsesWith(result, sign);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no sign idiom");
  }

private:
  RaiseAssumptions assumptions;
};

struct RaiseSignsPass : bquant::impl::RaiseSignsBase<RaiseSignsPass> {
  using RaiseSignsBase::RaiseSignsBase;

  void runOnOperation() override {
    RaiseAssumptions assumptions{assumeNoNaN, assumeNoZero, assumeExactResidues,
                                 strictNaN};
    RewritePatternSet patterns(&getContext());
    populateRaiseSignPatterns(patterns, assumptions);
    if (failed(applyRaising(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void bquant::populateRaiseSignPatterns(RewritePatternSet &patterns,
                                       const RaiseAssumptions &assumptions) {
  patterns.add<RaiseSign>(patterns.getContext(), assumptions);
}
