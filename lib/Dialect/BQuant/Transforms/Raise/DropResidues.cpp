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
// becomes %r: the difference has no gradient where it was written, so that %q
// has that of %y. In floats the sum is %r up to rounding. Residues of signs are
// proved where they can be, while signs are raised.

#include "Dialect/BQuant/Analysis/AbstractScalar.h"
#include "Dialect/BQuant/Analysis/Elementwise.h"
#include "MatchUniformQuantizer.h"
#include "ProductMatching.h"
#include "Support/Remarks.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"

namespace bquant {
#define GEN_PASS_DEF_DROPRESIDUES
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

/// The rounded q of a residue (q - c) + c, resolved; null if it is none.
static Value getRounded(Value resolved) {
  std::optional<std::pair<Value, Value>> residue = getResidue(resolved);
  if (!residue)
    return Value();
  Value rounded = resolve(residue->first);
  return getRounding(rounded) ? rounded : Value();
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
      Value rounded = getRounded(scalar.getResult(0));
      if (!rounded || rounded.getParentBlock() != op.getBlock())
        continue;
      remarkDropped(scalar.getLoc());
      rewriter.replaceAllUsesWith(scalar.getResult(0), rounded);
      return success();
    }
    // Across ops.
    for (OpResult result : op.getResults()) {
      Value rounded = result.use_empty() ? Value() : getRounded(resolve(result));
      if (!rounded)
        continue;
      rewriter.setInsertionPoint(op);
      Value tensor = materialize(rewriter, rounded);
      if (tensor.getType() != result.getType())
        continue;
      remarkDropped(op.getLoc());
      rewriter.replaceAllUsesWith(result, tensor);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no residue of a rounded value");
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
