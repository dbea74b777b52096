//===- AbstractScalar.cpp - What is known of a scalar ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AbstractScalar.h"
#include "ChainEvaluator.h"
#include "ChainOps.h"
#include "Elementwise.h"
#include "Ranges.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace bquant;
using namespace bquant::chains;

/// Expressions with more values than that are no idioms.
static constexpr unsigned kMaxValues = 128;

AbstractScalar AbstractScalar::of(float number) {
  if (std::isnan(number))
    return {FloatRange(), number};
  return {{number, number, false}, number};
}

static bool isNaN(const AbstractScalar &a) {
  return a.number && std::isnan(*a.number);
}

AbstractScalar AbstractEvaluator::evaluate(Value value) {
  value = resolve(value);
  auto it = known.find(value);
  if (it != known.end())
    return it->second;
  if (known.size() > kMaxValues)
    return {};
  known[value] = {}; // Bodies have no cycles; graph regions might.
  AbstractScalar result = compute(value);
  return known[value] = result;
}

AbstractScalar AbstractEvaluator::compute(Value value) {
  if (value == x)
    return sample;
  if (std::optional<APFloat> number = getConstantNumber(value))
    return &number->getSemantics() == &APFloat::IEEEsingle()
               ? AbstractScalar::of(number->convertToFloat())
               : AbstractScalar();
  APInt integer;
  if (matchPattern(value, m_ConstantInt(&integer))) {
    if (integer.getBitWidth() == 1)
      return AbstractScalar::of(integer.getZExtValue());
    return integer.getSignificantBits() <= 20
               ? AbstractScalar::of(integer.getSExtValue())
               : AbstractScalar();
  }
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (auto sign = dyn_cast<SignOp>(op)) {
    AbstractScalar in = evaluate(sign.getInput());
    if (in.number)
      return AbstractScalar::of(*in.number >= 0 ? 1.0f : -1.0f);
    if (in.range.low >= 0 && !in.range.nan)
      return AbstractScalar::of(1.0f);
    if (in.range.high < 0)
      return AbstractScalar::of(-1.0f);
    return AbstractScalar::of(FloatRange{-1.0f, 1.0f, false});
  }
  if (isa<TensorType>(value.getType()))
    return {};
  // A licence to compute otherwise.
  if (auto fast = dyn_cast<arith::ArithFastMathInterface>(op))
    if (fast.getFastMathFlagsAttr() &&
        fast.getFastMathFlagsAttr().getValue() != arith::FastMathFlags::none)
      return {};
  if (auto cmp = dyn_cast<arith::CmpFOp>(op))
    return compare(cmp);
  if (auto choice = dyn_cast<arith::SelectOp>(op))
    return select(choice);
  if (auto copy = dyn_cast<math::CopySignOp>(op))
    return copySign(copy.getLhs(), copy.getRhs());
  if (std::optional<AbstractScalar> result = convert(op))
    return *result;
  if (std::optional<AbstractScalar> result = residue(op))
    return *result;
  return chainOp(op);
}

//===----------------------------------------------------------------------===//
// Comparisons and choices
//===----------------------------------------------------------------------===//

AbstractScalar AbstractEvaluator::compare(arith::CmpFOp op) {
  AbstractScalar a = evaluate(op.getLhs()), b = evaluate(op.getRhs());
  unsigned possible = 0;
  if (a.range.nan || b.range.nan)
    possible |= Unordered;
  if (!isNaN(a) && !isNaN(b)) {
    if (resolve(op.getLhs()) == resolve(op.getRhs())) {
      possible |= Equal;
    } else {
      if (a.range.low < b.range.high)
        possible |= Less;
      if (a.range.high > b.range.low)
        possible |= Greater;
      if (a.range.low <= b.range.high && b.range.low <= a.range.high)
        possible |= Equal;
    }
  }
  unsigned relations = getRelations(op.getPredicate());
  if ((possible & ~relations) == 0)
    return AbstractScalar::of(1.0f);
  if ((possible & relations) == 0)
    return AbstractScalar::of(0.0f);
  return AbstractScalar::of(FloatRange{0.0f, 1.0f, false});
}

AbstractScalar AbstractEvaluator::refine(Value value, arith::CmpFOp op,
                                         bool holds) {
  AbstractScalar result = evaluate(value);
  if (result.number || !op)
    return result;
  unsigned relations = getRelations(op.getPredicate());
  Value resolved = resolve(value);
  bool left = resolved == resolve(op.getLhs());
  if (!left && resolved != resolve(op.getRhs()))
    return result;
  AbstractScalar other = evaluate(left ? op.getRhs() : op.getLhs());
  if (!other.number || std::isnan(*other.number))
    return result;
  if (!holds)
    relations = ~relations;
  bool below = relations & (left ? Less : Greater),
       above = relations & (left ? Greater : Less);
  if (!below)
    result.range.low = std::max(result.range.low, *other.number);
  if (!above)
    result.range.high = std::min(result.range.high, *other.number);
  if (!(relations & Unordered))
    result.range.nan = false;
  return result;
}

AbstractScalar AbstractEvaluator::select(arith::SelectOp op) {
  AbstractScalar condition = evaluate(op.getCondition());
  if (condition.number)
    return evaluate(*condition.number != 0 ? op.getTrueValue()
                                           : op.getFalseValue());
  auto cmp = resolve(op.getCondition()).getDefiningOp<arith::CmpFOp>();
  AbstractScalar a = refine(op.getTrueValue(), cmp, true),
                 b = refine(op.getFalseValue(), cmp, false);
  if (a.number && b.number &&
      llvm::bit_cast<uint32_t>(*a.number) ==
          llvm::bit_cast<uint32_t>(*b.number))
    return a;
  return AbstractScalar::of(FloatRange{std::min(a.range.low, b.range.low),
                                       std::max(a.range.high, b.range.high),
                                       a.range.nan || b.range.nan});
}

AbstractScalar AbstractEvaluator::copySign(Value magnitude, Value sign) {
  AbstractScalar a = evaluate(magnitude), b = evaluate(sign);
  if (a.number && !std::isnan(*a.number)) {
    // The sign of a NaN that was computed is nobody's to know.
    if (b.number && (!std::isnan(*b.number) || resolve(sign) == x))
      return AbstractScalar::of(std::copysign(*a.number, *b.number));
    if (!b.number && !b.range.nan && (b.range.low > 0 || b.range.high < 0))
      return AbstractScalar::of(std::copysign(*a.number, b.range.low));
  }
  float bound = std::max(std::fabs(a.range.low), std::fabs(a.range.high));
  return AbstractScalar::of(FloatRange{-bound, bound, a.range.nan});
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

std::optional<std::pair<Value, Value>> bquant::getResidue(Value resolved) {
  // By a number s is rounded.
  auto isSame = [](Value a, Value b) {
    return resolve(a) == resolve(b) && !getConstantNumber(resolve(a));
  };
  auto add = getScalarOp<arith::AddFOp>(resolved);
  if (add)
    for (auto [c, rest] : {std::pair(add.getLhs(), add.getRhs()),
                           std::pair(add.getRhs(), add.getLhs())})
      if (auto sub = getScalarOp<arith::SubFOp>(resolve(rest)))
        if (isSame(sub.getRhs(), c))
          return std::pair(sub.getLhs(), c);
  if (auto outer = getScalarOp<arith::SubFOp>(resolved))
    if (auto sub = getScalarOp<arith::SubFOp>(resolve(outer.getRhs())))
      if (isSame(sub.getLhs(), outer.getLhs()))
        return std::pair(sub.getRhs(), outer.getLhs());
  return std::nullopt;
}

std::optional<AbstractScalar> AbstractEvaluator::residue(Operation *op) {
  std::optional<std::pair<Value, Value>> parts = getResidue(op->getResult(0));
  if (!parts)
    return std::nullopt;
  AbstractScalar s = evaluate(parts->first), c = evaluate(parts->second);
  if (!s.number || c.number)
    return std::nullopt;
  bool finite =
      !c.range.nan && std::isfinite(c.range.low) && std::isfinite(c.range.high);
  if (*s.number == 0 && finite)
    return AbstractScalar::of(0.0f);
  // Let s be 1 and 0 <= c <= 2^24. Below 1/2, 1 - c is rounded by at most a
  // quarter of the ulp of 1, and the sum ties to 1; from there on, 1 - c and
  // the sum are exact. Beyond 2^24, and with c of the other sign, they may not
  // be.
  constexpr float kExact = 16777216.0f;
  bool exact = (*s.number == 1 && c.range.low >= 0 && c.range.high <= kExact) ||
               (*s.number == -1 && c.range.high <= 0 && c.range.low >= -kExact);
  if ((exact && !c.range.nan) || exactResidues)
    return s;
  return std::nullopt;
}

std::optional<AbstractScalar> AbstractEvaluator::convert(Operation *op) {
  // Exact in a float. The integer 0 has no sign.
  constexpr float kLimit = 1 << 20;
  auto result = [&](float number) {
    return std::fabs(number) <= kLimit ? AbstractScalar::of(number + 0.0f)
                                       : AbstractScalar();
  };
  bool ofBits =
      op->getNumOperands() > 0 && op->getOperand(0).getType().isInteger(1);
  if (isa<arith::ExtUIOp, arith::ExtSIOp, arith::UIToFPOp, arith::SIToFPOp>(
          op)) {
    AbstractScalar in = evaluate(op->getOperand(0));
    if (!in.number)
      return AbstractScalar();
    bool isSigned = isa<arith::ExtSIOp, arith::SIToFPOp>(op);
    if (isSigned && ofBits)
      return result(-*in.number);
    return isSigned || *in.number >= 0 ? result(*in.number) : AbstractScalar();
  }
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) || ofBits)
    return std::nullopt;
  AbstractScalar a = evaluate(op->getOperand(0)),
                 b = evaluate(op->getOperand(1));
  // A byte may overflow.
  unsigned width =
      getElementTypeOrSelf(op->getResult(0).getType()).getIntOrFloatBitWidth();
  if (!a.number || !b.number || width < 32 || std::fabs(*a.number) > 1024 ||
      std::fabs(*b.number) > 1024)
    return AbstractScalar();
  if (isa<arith::AddIOp>(op))
    return result(*a.number + *b.number);
  return result(isa<arith::SubIOp>(op) ? *a.number - *b.number
                                       : *a.number * *b.number);
}

AbstractScalar AbstractEvaluator::chainOp(Operation *op) {
  std::optional<ChainOp> what = getChainOp(op);
  std::optional<CellType> type = op->getNumResults() == 1
                                     ? getCellType(op->getResult(0).getType())
                                     : std::nullopt;
  if (!what || !type)
    return {};
  ChainNode node;
  node.op = *what;
  node.type = *type;
  AbstractScalar in[3];
  Cell cells[3] = {}, out;
  bool known = true;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    in[i] = evaluate(operand);
    if (!in[i].number) {
      known = false;
      continue;
    }
    if (getCellType(operand.getType()) == CellType::I1)
      cells[i].i = *in[i].number != 0;
    else
      cells[i].f = *in[i].number;
  }
  if (known) {
    chains::evaluate(node, &cells[0], &cells[1], &cells[2], &out, 1);
    return AbstractScalar::of(node.type == CellType::I1 ? float(out.i) : out.f);
  }
  // Nothing is known of an fma.
  if (*what == ChainOp::Fma)
    return {};
  FloatRange range = findRange(node, &in[0].range, &in[1].range, &in[2].range);
  return AbstractScalar::of(range);
}
