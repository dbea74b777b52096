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

#include "Dialect/BQuant/Analysis/Constants.h"
#include "bquant/Dialect/Packed/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
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

namespace {
/// Finite floats. Zeros of both signs are one.
struct FloatBounds {
  float low, high;

  /// None of floats that may be NaN or infinite.
  static std::optional<FloatBounds> of(std::initializer_list<float> ends) {
    if (!llvm::all_of(ends, [](float end) { return std::isfinite(end); }))
      return std::nullopt;
    auto [low, high] = std::minmax_element(ends.begin(), ends.end());
    return FloatBounds{*low, *high};
  }
};
} // namespace

/// The constant tensor of whose elements an argument of a body is one; a tile
/// has some of them.
static ElementsAttr getConstant(BlockArgument arg) {
  auto op = dyn_cast<linalg::GenericOp>(arg.getOwner()->getParentOp());
  if (!op || !op.isDpsInput(op.getMatchingOpOperand(arg)))
    return {};
  Value operand = op.getMatchingOpOperand(arg)->get();
  while (auto slice = operand.getDefiningOp<tensor::ExtractSliceOp>())
    operand = slice.getSource();
  return getConstantTensor(operand);
}

static std::optional<FloatBounds> findBounds(ElementsAttr constant) {
  std::optional<FloatBounds> bounds;
  for (float value : getFloatValues(constant)) {
    bounds = bounds ? FloatBounds::of({bounds->low, bounds->high, value})
                    : FloatBounds::of({value});
    if (!bounds)
      return std::nullopt;
  }
  return bounds;
}

namespace {
/// Finds what values of a body can be that are computed of integers by
/// constants.
class BoundsFinder {
public:
  std::optional<FloatBounds> find(Value value) {
    auto it = known.find(value);
    if (it != known.end())
      return it->second;
    std::optional<FloatBounds> bounds = compute(value);
    known[value] = bounds;
    return bounds;
  }

private:
  std::optional<FloatBounds> compute(Value value);

  /// The ends by the operation itself, which is monotone in each operand.
  template <typename Function>
  std::optional<FloatBounds> combine(Operation *op, Function function) {
    std::optional<FloatBounds> a = find(op->getOperand(0)),
                               b = a ? find(op->getOperand(1)) : std::nullopt;
    if (!b)
      return std::nullopt;
    return FloatBounds::of({function(a->low, b->low), function(a->low, b->high),
                            function(a->high, b->low),
                            function(a->high, b->high)});
  }

  std::optional<FloatBounds> round(Operation *op, float (*function)(float)) {
    std::optional<FloatBounds> x = find(op->getOperand(0));
    return x ? FloatBounds::of({function(x->low), function(x->high)})
             : std::nullopt;
  }

  llvm::DenseMap<Value, std::optional<FloatBounds>> known;
};
} // namespace

std::optional<FloatBounds> BoundsFinder::compute(Value value) {
  using Found = std::optional<FloatBounds>;
  FloatAttr number;
  if (!value.getType().isF32())
    return std::nullopt;
  if (matchPattern(value, m_Constant(&number)))
    return FloatBounds::of({number.getValue().convertToFloat()});
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    ElementsAttr constant = getConstant(arg);
    return constant ? findBounds(constant) : std::nullopt;
  }
  auto getPower = [](int exponent) { return std::ldexp(1.0f, exponent); };
  return TypeSwitch<Operation *, Found>(value.getDefiningOp())
      .Case([&](arith::SIToFPOp op) {
        float end = getPower(op.getIn().getType().getIntOrFloatBitWidth() - 1);
        return FloatBounds::of({-end, end});
      })
      .Case([&](arith::UIToFPOp op) {
        float end = getPower(op.getIn().getType().getIntOrFloatBitWidth());
        return FloatBounds::of({0, end});
      })
      .Case([&](arith::AddFOp op) {
        return combine(op, [](float a, float b) { return a + b; });
      })
      .Case([&](arith::SubFOp op) {
        return combine(op, [](float a, float b) { return a - b; });
      })
      .Case([&](arith::MulFOp op) {
        return combine(op, [](float a, float b) { return a * b; });
      })
      .Case([&](arith::DivFOp op) -> Found {
        if (!matchPattern(op.getRhs(), m_Constant()))
          return std::nullopt;
        return combine(op, [](float a, float b) { return a / b; });
      })
      .Case([&](arith::MaximumFOp op) {
        return combine(op, [](float a, float b) { return std::max(a, b); });
      })
      .Case([&](arith::MinimumFOp op) {
        return combine(op, [](float a, float b) { return std::min(a, b); });
      })
      .Case([&](math::RoundEvenOp op) { return round(op, std::nearbyint); })
      .Case([&](math::RoundOp op) { return round(op, std::round); })
      .Default([](Operation *) { return std::nullopt; });
}

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
    BoundsFinder bounds;
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
