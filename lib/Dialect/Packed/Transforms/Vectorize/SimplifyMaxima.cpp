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
#include "Dialect/BQuant/IR/RawElements.h"
#include "bquant/Dialect/Packed/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

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

/// How many values back a maximum is followed.
static constexpr int64_t kMostDeep = 64;

namespace {
/// Finds f32 of which one is always the larger: neither NaN nor -0.0.
class OrderedFinder {
public:
  /// `value`: of a body, or a tensor for all its elements.
  bool isOrdered(Value value) {
    auto it = known.find(value);
    if (it != known.end())
      return it->second;
    if (depth == kMostDeep)
      return false;
    ++depth;
    bool ordered = compute(value);
    --depth;
    known[value] = ordered;
    return ordered;
  }
  std::optional<FloatBounds> findBounds(Value value) {
    return bounds.find(value);
  }

private:
  bool compute(Value value);
  bool compute(Operation *op, unsigned result);

  FloatBoundsFinder bounds;
  llvm::DenseMap<Value, bool> known;
  int64_t depth = 0;
};
} // namespace

static bool isOrdered(float number) {
  return !std::isnan(number) && !(number == 0 && std::signbit(number));
}

bool OrderedFinder::compute(Value value) {
  FloatAttr number;
  if (matchPattern(value, m_Constant(&number)))
    return ::isOrdered(number.getValue().convertToFloat());
  if (ElementsAttr constant = getConstantTensor(value)) {
    SmallVector<float> numbers = getFloatValues(constant);
    // None where the constant cannot be read.
    return int64_t(numbers.size()) == constant.getNumElements() &&
           llvm::all_of(numbers,
                        [](float number) { return ::isOrdered(number); });
  }
  if (auto result = dyn_cast<OpResult>(value))
    return compute(result.getOwner(), result.getResultNumber());
  auto arg = cast<BlockArgument>(value);
  auto op = dyn_cast<linalg::GenericOp>(arg.getOwner()->getParentOp());
  if (!op)
    return false;
  OpOperand *operand = op.getMatchingOpOperand(arg);
  if (!isOrdered(operand->get()))
    return false;
  if (op.isDpsInput(operand))
    return true;
  // What is reduced starts from there, and is the maximum of it and another.
  auto next =
      op.getBlock()
          ->getTerminator()
          ->getOperand(operand->getOperandNumber() - op.getNumDpsInputs())
          .getDefiningOp<arith::MaximumFOp>();
  return next && next.getLhs() == arg && isOrdered(next.getRhs());
}

bool OrderedFinder::compute(Operation *op, unsigned result) {
  return TypeSwitch<Operation *, bool>(op)
      .Case<arith::SIToFPOp, arith::UIToFPOp>([](Operation *) { return true; })
      .Case([&](arith::AddFOp sum) {
        // Of two negative zeros alone a sum is one.
        return bounds.find(sum.getResult()) && isOrdered(sum.getRhs());
      })
      .Case([&](arith::MaximumFOp max) {
        // Of -0.0 and 0.0 it is 0.0.
        FloatAttr least;
        bool isPositive = matchPattern(max.getRhs(), m_Constant(&least)) &&
                          !least.getValue().isNegative();
        return isOrdered(max.getRhs()) &&
               (isOrdered(max.getLhs()) ||
                (isPositive && bounds.find(max.getLhs())));
      })
      .Case([&](linalg::FillOp op) { return isOrdered(op.getInputs()[0]); })
      .Case<tensor::ExtractSliceOp, tensor::CollapseShapeOp,
            tensor::ExpandShapeOp>(
          [&](Operation *op) { return isOrdered(op->getOperand(0)); })
      .Case([&](tensor::PadOp op) {
        Value fill = op.getConstantPaddingValue();
        return fill && isOrdered(fill) && isOrdered(op.getSource());
      })
      .Case([&](linalg::GenericOp op) {
        return isOrdered(op.getBlock()->getTerminator()->getOperand(result));
      })
      .Default([](Operation *) { return false; });
}

namespace {
template <typename Op> struct SimplifyMaximum : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    constexpr bool isMaximum = std::is_same_v<Op, arith::MaximumFOp>;
    using arith::FastMathFlags;
    if (!op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "not f32");
    auto addFlags = [&](FastMathFlags flags) {
      flags = flags | op.getFastmath();
      rewriter.modifyOpInPlace(op, [&] { op.setFastmath(flags); });
    };
    OrderedFinder found;
    std::optional<FloatBounds> x = found.findBounds(op.getLhs()),
                               y = found.findBounds(op.getRhs());
    if (!x || !y) {
      if (!found.isOrdered(op.getLhs()) || !found.isOrdered(op.getRhs()))
        return rewriter.notifyMatchFailure(op, "of what may be NaN");
      addFlags(FastMathFlags::nnan | FastMathFlags::nsz);
      return success();
    }
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
    addFlags(FastMathFlags::nnan);
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
