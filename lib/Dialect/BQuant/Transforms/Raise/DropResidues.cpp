//===- DropResidues.cpp - What is written for a gradient alone ------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %r = round(%y); %d = %r - %y; %q = %d + %y
//
// becomes %r: the difference was written without a gradient, so that %q has
// that of %y. In floats the sum is %r up to rounding. So are residues of signs
// that cannot be proved to be these in every bit.

#include "Dialect/BQuant/Analysis/AbstractScalar.h"
#include "Dialect/BQuant/Analysis/Elementwise.h"
#include "MatchSign.h"
#include "MatchLevels.h"
#include "ProductMatching.h"
#include "Support/Remarks.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"

namespace bquant {
#define GEN_PASS_DEF_DROPRESIDUES
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

/// Whether a resolved value is a sign, or 0.
static bool isSign(Value resolved) {
  std::optional<FunctionOfSign> function =
      matchFunctionOfSign(resolved, RaiseAssumptions());
  return function && function->isAmong({-1, 0, 1});
}

/// The rounded value or the sign q of a residue (q - c) + c, resolved; null if
/// it is none, or proved to be q as it is written.
static Value getQuantized(Value resolved) {
  std::optional<std::pair<Value, Value>> residue = getResidue(resolved);
  if (!residue)
    return Value();
  Value quantized = resolve(residue->first);
  if (getRounding(quantized) || (isSign(quantized) && !isSign(resolved)))
    return quantized;
  return Value();
}

static void remarkDropped(Location loc) {
  remarks::passed(loc, "drop-residue")
      << "a straight-through residue (q - c) + c is taken for q";
}

namespace {
struct DropResidue : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!isPointwise(op))
      return rewriter.notifyMatchFailure(op, "not pointwise");
    // Within the body.
    for (Operation &scalar : *op.getBlock()) {
      if (scalar.getNumResults() != 1 || scalar.use_empty())
        continue;
      Value quantized = getQuantized(scalar.getResult(0));
      if (!quantized || quantized.getParentBlock() != op.getBlock())
        continue;
      remarkDropped(scalar.getLoc());
      rewriter.replaceAllUsesWith(scalar.getResult(0), quantized);
      return success();
    }
    // Across ops.
    for (OpResult result : op.getResults()) {
      Value quantized =
          result.use_empty() ? Value() : getQuantized(resolve(result));
      if (!quantized)
        continue;
      rewriter.setInsertionPoint(op);
      Value tensor = materialize(rewriter, quantized);
      if (tensor.getType() != result.getType())
        continue;
      remarkDropped(op.getLoc());
      rewriter.replaceAllUsesWith(result, tensor);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no residue of a quantized value");
  }
};

struct DropResiduesPass : bquant::impl::DropResiduesBase<DropResiduesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<DropResidue>(&getContext());
    if (failed(applyRaising(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
