//===- RaiseSigns.cpp - Sign idioms to bquant.sign ------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"
#include "SignIdiom.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/BQuant/Transforms/Raise.h"

using namespace mlir;
using namespace bquant;

namespace {

struct RaiseSign : OpRewritePattern<linalg::GenericOp> {
  RaiseSign(MLIRContext *context, Kinds assumed)
      : OpRewritePattern(context), assumed(assumed) {}

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
      Value x = match(result);
      if (!x)
        continue;
      rewriter.setInsertionPoint(op);
      Value input = materialize(rewriter, x);
      if (input.getType() != result.getType())
        continue;
      Value sign = SignOp::create(rewriter, op.getLoc(), input);
      rewriter.replaceAllUsesWith(result, sign);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no sign idiom");
  }

private:
  Value match(Value result) const {
    if (Value x = matchSign(result))
      return x;
    std::optional<FunctionOfSign> function = matchFunctionOfSign(result);
    return function && function->isSign(assumed) ? function->x : Value();
  }

  Kinds assumed;
};

} // namespace

void bquant::populateRaiseSignPatterns(RewritePatternSet &patterns,
                                       bool assumeNoNaN, bool assumeNoZero) {
  Kinds assumed;
  assumed[Kind::NaN] = !assumeNoNaN;
  assumed[Kind::Zero] = !assumeNoZero;
  patterns.add<RaiseSign>(patterns.getContext(), assumed);
}
