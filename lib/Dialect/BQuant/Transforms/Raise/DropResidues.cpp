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
// that cannot be proved to be these in every bit. And PACT's
//
//   0.5 * (|%x| - |%x - a| + a)
//
// becomes clamp(%x, 0, a), which has no gradient by a in between.

#include "CascadeTerms.h"
#include "Dialect/BQuant/Analysis/AbstractScalar.h"
#include "Dialect/BQuant/Analysis/Elementwise.h"
#include "MatchLevels.h"
#include "MatchSign.h"
#include "ProductMatching.h"
#include "Support/Remarks.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

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

/// The resolved operands of a sum in both orders.
static SmallVector<std::pair<Value, Value>, 2> getAddends(Value resolved) {
  auto add = getScalarOp<arith::AddFOp>(resolved);
  if (!add)
    return {};
  Value lhs = resolve(add.getLhs()), rhs = resolve(add.getRhs());
  return {{lhs, rhs}, {rhs, lhs}};
}

static std::optional<float> getF32(Value resolved) {
  std::optional<APFloat> number = getConstantNumber(resolved);
  if (!number || &number->getSemantics() != &APFloat::IEEEsingle())
    return std::nullopt;
  return number->convertToFloat();
}

/// |x|: the resolved x, or null.
static Value getAbsOperand(Value resolved) {
  auto abs = getScalarOp<math::AbsFOp>(resolved);
  return abs ? resolve(abs.getOperand()) : Value();
}

/// The resolved x and the a of 0.5 * (|x| - |x - a| + a).
static std::optional<std::pair<Value, float>> getClampByAbs(Value resolved) {
  Value sum;
  for (auto [half, other] : getFactors(resolved))
    if (getF32(half) == 0.5f)
      sum = other;
  if (auto divide = getScalarOp<arith::DivFOp>(resolved))
    if (getF32(resolve(divide.getRhs())) == 2.0f)
      sum = resolve(divide.getLhs());
  if (!sum)
    return std::nullopt;
  for (auto [number, difference] : getAddends(sum)) {
    std::optional<float> a = getF32(number);
    auto subtract = getScalarOp<arith::SubFOp>(difference);
    if (!a || !(*a > 0) || !subtract)
      continue;
    Value x = getAbsOperand(resolve(subtract.getLhs()));
    Value shifted = getAbsOperand(resolve(subtract.getRhs()));
    auto shift = shifted ? getScalarOp<arith::SubFOp>(shifted) : nullptr;
    if (x && shift && resolve(shift.getLhs()) == x &&
        getF32(resolve(shift.getRhs())) == a)
      return std::pair(x, *a);
  }
  return std::nullopt;
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
      if (!canMaterialize(quantized))
        continue;
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

struct UseClamp : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!isPointwise(op))
      return rewriter.notifyMatchFailure(op, "not pointwise");
    for (OpResult result : op.getResults()) {
      if (result.use_empty())
        continue;
      auto clamp = getClampByAbs(resolve(result));
      if (!clamp || !canMaterialize(clamp->first))
        continue;
      // x may be another result of the op.
      rewriter.setInsertionPointAfter(op);
      Value tensor = materialize(rewriter, clamp->first);
      if (tensor.getType() != result.getType())
        continue;
      remarks::passed(op.getLoc(), "use-clamp")
          << "0.5 * (|x| - |x - a| + a) is taken for clamp(x, 0, a)";
      rewriter.replaceAllUsesWith(
          result,
          createClamp(rewriter, op.getLoc(), tensor, /*low=*/0, clamp->second));
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no clamp by magnitudes");
  }
};

struct DropResiduesPass : bquant::impl::DropResiduesBase<DropResiduesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<DropResidue, UseClamp>(&getContext());
    if (failed(applyRaising(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
