//===- FloatBounds.cpp - What floats of a body can be ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatBounds.h"
#include "Constants.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace bquant;

std::optional<FloatBounds> FloatBounds::of(std::initializer_list<float> ends) {
  if (!llvm::all_of(ends, [](float end) { return std::isfinite(end); }))
    return std::nullopt;
  auto [low, high] = std::minmax_element(ends.begin(), ends.end());
  return FloatBounds{*low, *high};
}

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

std::optional<FloatBounds> FloatBoundsFinder::find(Value value) {
  auto it = known.find(value);
  if (it != known.end())
    return it->second;
  std::optional<FloatBounds> bounds = compute(value);
  known[value] = bounds;
  return bounds;
}

/// The ends by the operation itself, which is monotone in each operand.
std::optional<FloatBounds>
FloatBoundsFinder::combine(Operation *op, float (*function)(float, float)) {
  std::optional<FloatBounds> a = find(op->getOperand(0)),
                             b = a ? find(op->getOperand(1)) : std::nullopt;
  if (!b)
    return std::nullopt;
  return FloatBounds::of({function(a->low, b->low), function(a->low, b->high),
                          function(a->high, b->low),
                          function(a->high, b->high)});
}

std::optional<FloatBounds> FloatBoundsFinder::round(Operation *op,
                                                    float (*function)(float)) {
  std::optional<FloatBounds> x = find(op->getOperand(0));
  return x ? FloatBounds::of({function(x->low), function(x->high)})
           : std::nullopt;
}

std::optional<FloatBounds> FloatBoundsFinder::compute(Value value) {
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
      .Case<arith::MaximumFOp, arith::MaxNumFOp>([&](Operation *op) {
        return combine(op, [](float a, float b) { return std::max(a, b); });
      })
      .Case<arith::MinimumFOp, arith::MinNumFOp>([&](Operation *op) {
        return combine(op, [](float a, float b) { return std::min(a, b); });
      })
      .Case([&](math::RoundEvenOp op) { return round(op, std::nearbyint); })
      .Case([&](math::RoundOp op) { return round(op, std::round); })
      .Default([](Operation *) { return std::nullopt; });
}
