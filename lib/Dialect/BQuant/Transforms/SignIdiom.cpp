//===- SignIdiom.cpp - The sign idioms ------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `select(x >= 0, 1, -1)`, its mirror images and complements, `2 * (x >= 0) -
// 1` and so on: instead of a pattern for each, the expression is evaluated for
// the four kinds of x that it can tell apart.

#include "SignIdiom.h"
#include "Elementwise.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace bquant;

namespace {

/// Booleans are 0 and 1.
using Values = std::array<float, kNumKinds>;

class Evaluator {
public:
  std::optional<Values> evaluate(Value value) {
    // The idioms have up to about ten ops; sharing is rare.
    if (++steps > 64)
      return std::nullopt;
    value = resolve(value);
    if (std::optional<APFloat> number = getConstantNumber(value)) {
      if (&number->getSemantics() != &APFloat::IEEEsingle())
        return std::nullopt;
      return fill(number->convertToFloat());
    }
    if (auto sign = value.getDefiningOp<SignOp>())
      return isX(resolve(sign.getInput()))
                 ? std::optional<Values>({1, 1, -1, -1})
                 : std::nullopt;
    if (isa<TensorType>(value.getType()))
      return std::nullopt;
    APInt integer;
    if (matchPattern(value, m_ConstantInt(&integer)) &&
        integer.getActiveBits() <= 8)
      return fill(integer.getZExtValue());
    Operation *op = value.getDefiningOp();
    if (auto compare = dyn_cast_or_null<arith::CmpFOp>(op))
      return evaluateCompare(compare);
    return op ? evaluateArith(op) : std::nullopt;
  }

  Value x;

private:
  static Values fill(float number) { return {number, number, number, number}; }

  bool isX(Value value) {
    if (!x)
      x = value;
    return x == value;
  }

  static bool isZero(Value value) {
    std::optional<APFloat> number = getConstantNumber(value);
    return number && number->isZero();
  }

  std::optional<Values> evaluateCompare(arith::CmpFOp op) {
    Value lhs = resolve(op.getLhs()), rhs = resolve(op.getRhs());
    bool mirrored = isZero(lhs) && !isZero(rhs);
    if (!(mirrored ? isX(rhs) : isZero(rhs) && isX(lhs)))
      return std::nullopt;
    Values values;
    APFloat zero(0.0f);
    for (auto [number, value] :
         llvm::zip(Values{1, 0, -1, std::nanf("")}, values)) {
      APFloat sample(number);
      value = mirrored
                  ? arith::applyCmpPredicate(op.getPredicate(), zero, sample)
                  : arith::applyCmpPredicate(op.getPredicate(), sample, zero);
    }
    return values;
  }

  std::optional<Values> evaluateArith(Operation *op) {
    if (!isa<arith::SelectOp, arith::AddFOp, arith::SubFOp, arith::MulFOp,
             arith::UIToFPOp, arith::SIToFPOp, arith::ExtUIOp, arith::AndIOp,
             arith::OrIOp, arith::XOrIOp>(op))
      return std::nullopt;
    // A signed bit would be -1.
    if (isa<arith::SIToFPOp>(op) && op->getOperand(0).getType().isInteger(1))
      return std::nullopt;
    SmallVector<Values, 3> in;
    for (Value operand : op->getOperands()) {
      std::optional<Values> values = evaluate(operand);
      if (!values)
        return std::nullopt;
      in.push_back(*values);
    }
    if (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op) &&
        !op->getOperand(0).getType().isInteger(1))
      return std::nullopt;
    Values out;
    for (int i = 0; i < kNumKinds; ++i) {
      float a = in[0][i], b = in.size() > 1 ? in[1][i] : 0;
      if (isa<arith::SelectOp>(op))
        out[i] = a != 0 ? b : in[2][i];
      else if (isa<arith::AddFOp>(op))
        out[i] = a + b;
      else if (isa<arith::SubFOp>(op))
        out[i] = a - b;
      else if (isa<arith::MulFOp>(op))
        out[i] = a * b;
      else if (isa<arith::AndIOp>(op))
        out[i] = a != 0 && b != 0;
      else if (isa<arith::OrIOp>(op))
        out[i] = a != 0 || b != 0;
      else if (isa<arith::XOrIOp>(op))
        out[i] = (a != 0) != (b != 0);
      else // A conversion of a small unsigned number.
        out[i] = a;
    }
    return out;
  }

  int steps = 0;
};

} // namespace

std::optional<FunctionOfSign> bquant::matchFunctionOfSign(Value value) {
  if (!getElementTypeOrSelf(value.getType()).isF32())
    return std::nullopt;
  Evaluator evaluator;
  std::optional<Values> values = evaluator.evaluate(value);
  Value x = evaluator.x;
  if (!values || !x || !getElementTypeOrSelf(x.getType()).isF32())
    return std::nullopt;
  // A number of its own is no tensor's element.
  if (!isa<TensorType>(x.getType()) &&
      !isa<linalg::GenericOp>(x.getParentBlock()->getParentOp()))
    return std::nullopt;
  return FunctionOfSign{x, *values};
}

Kinds Kinds::of(Value tensor) {
  ElementsAttr attr = getConstantTensor(tensor);
  SmallVector<float> values =
      attr ? getFloatValues(attr) : SmallVector<float>();
  if (values.empty())
    return {};
  Kinds kinds{{false, false, false, false}};
  for (float value : values)
    kinds[value > 0    ? Kind::Positive
          : value == 0 ? Kind::Zero
          : value < 0  ? Kind::Negative
                       : Kind::NaN] = true;
  return kinds;
}

bool FunctionOfSign::isSign(Kinds kinds) const {
  constexpr std::array<float, kNumKinds> sign = {1, 1, -1, -1};
  for (int kind = 0; kind < kNumKinds; ++kind)
    if (kinds.possible[kind] && values[kind] != sign[kind])
      return false;
  return true;
}

Value bquant::matchSign(Value value) {
  std::optional<FunctionOfSign> function = matchFunctionOfSign(value);
  if (!function || !function->isAlmostSign())
    return {};
  // Reading a constant takes time: only if it matters.
  bool isSign =
      function->isSign({}) || function->isSign(Kinds::of(function->x));
  return isSign ? function->x : Value();
}
