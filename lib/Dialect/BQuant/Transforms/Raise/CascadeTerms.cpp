//===- CascadeTerms.cpp - Sums of scalars times signs ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CascadeTerms.h"
#include "Dialect/BQuant/Analysis/Elementwise.h"
#include "MatchSign.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace bquant;

/// The operands of a commutative op in both orders.
template <typename OpTy>
static SmallVector<std::pair<Value, Value>, 2> getOperandPairs(Value resolved) {
  auto op = getScalarOp<OpTy>(resolved);
  if (!op)
    return {};
  Value lhs = resolve(op.getLhs()), rhs = resolve(op.getRhs());
  return {{lhs, rhs}, {rhs, lhs}};
}

SmallVector<std::pair<Value, Value>, 2> bquant::getFactors(Value resolved) {
  return getOperandPairs<arith::MulFOp>(resolved);
}

std::pair<ElementsAttr, AffineMap> bquant::getParameter(Value resolved) {
  if (isa<TensorType>(resolved.getType()))
    return {getConstantTensor(resolved), AffineMap()};
  auto argument = dyn_cast<BlockArgument>(resolved);
  auto op =
      argument ? dyn_cast<linalg::GenericOp>(argument.getOwner()->getParentOp())
               : linalg::GenericOp();
  if (!op)
    return {};
  OpOperand *operand = op.getMatchingOpOperand(argument);
  return {getConstantTensor(operand->get()),
          op.getMatchingIndexingMap(operand)};
}

static bool isSameParameter(Value a, Value b) {
  if (a == b)
    return true;
  if (!a || !b)
    return false;
  std::optional<APFloat> first = getConstantNumber(a),
                         second = getConstantNumber(b);
  if (first && second)
    return first->bitwiseIsEqual(*second);
  auto [attr, map] = getParameter(a);
  return attr && std::pair(attr, map) == getParameter(b);
}

static bool isZero(Value resolved) {
  std::optional<APFloat> number = getConstantNumber(resolved);
  return number && number->isZero();
}

namespace {

class Matcher {
public:
  explicit Matcher(const RaiseAssumptions &assumptions)
      : assumptions(assumptions) {}

  CascadeTerms matchSum(Value resolved);
  CascadeTerms matchTernary(Value resolved);

private:
  std::optional<CascadeTerm> matchTerm(Value resolved);
  bool isRemainder(Value resolved, const CascadeTerm &term);
  std::optional<bool> isRemainder(Value resolved, const CascadeTerms &terms);

  const RaiseAssumptions &assumptions;
  int steps = 0;
};

std::optional<CascadeTerm> Matcher::matchTerm(Value resolved) {
  if (Value source = matchSign(resolved, assumptions))
    return CascadeTerm{Value(), source};
  for (auto [scalar, sign] : getFactors(resolved))
    if (Value source = matchSign(sign, assumptions))
      return CascadeTerm{scalar, source};
  return std::nullopt;
}

/// Whether `resolved` is what the term leaves of its source.
bool Matcher::isRemainder(Value resolved, const CascadeTerm &term) {
  auto subtract = getScalarOp<arith::SubFOp>(resolved);
  if (!subtract || resolve(subtract.getLhs()) != term.source)
    return false;
  Value rhs = resolve(subtract.getRhs());
  // Greedy chains start at zero.
  for (auto [zero, rest] : getOperandPairs<arith::AddFOp>(rhs))
    if (isZero(zero))
      rhs = rest;
  std::optional<CascadeTerm> taken = matchTerm(rhs);
  return taken && taken->source == term.source &&
         isSameParameter(taken->scalar, term.scalar);
}

/// Whether it is what all terms leave, and if so whether of x at once.
std::optional<bool> Matcher::isRemainder(Value resolved,
                                         const CascadeTerms &terms) {
  if (isRemainder(resolved, terms.terms.back()))
    return false;
  auto subtract = getScalarOp<arith::SubFOp>(resolved);
  if (!subtract || resolve(subtract.getLhs()) != terms.x())
    return std::nullopt;
  CascadeTerms taken = matchSum(resolve(subtract.getRhs()));
  auto isSame = [](const CascadeTerm &a, const CascadeTerm &b) {
    return a.source == b.source && isSameParameter(a.scalar, b.scalar);
  };
  if (!llvm::equal(taken.terms, terms.terms, isSame))
    return std::nullopt;
  return true;
}

/// Terms are summed from the left.
CascadeTerms Matcher::matchSum(Value resolved) {
  CascadeTerms result;
  // Sums of many like terms would be parsed again and again.
  if (++steps > 64)
    return result;
  if (std::optional<CascadeTerm> term = matchTerm(resolved)) {
    result.terms.push_back(*term);
    result.fromSum.push_back(false);
    return result;
  }
  for (auto [sum, last] : getOperandPairs<arith::AddFOp>(resolved)) {
    if (isZero(last))
      return matchSum(sum);
    std::optional<CascadeTerm> term = matchTerm(last);
    if (!term)
      continue;
    CascadeTerms terms = matchSum(sum);
    if (terms.empty())
      continue;
    if (std::optional<bool> fromSum = isRemainder(term->source, terms)) {
      terms.terms.push_back(*term);
      terms.fromSum.push_back(*fromSum);
      return terms;
    }
  }
  return result;
}

CascadeTerms Matcher::matchTernary(Value resolved) {
  for (auto [sum, scalar] : getFactors(resolved))
    for (auto [first, second] : getOperandPairs<arith::AddFOp>(sum)) {
      Value x = matchSign(first, assumptions),
            remainder = x ? matchSign(second, assumptions) : Value();
      CascadeTerm term{scalar, x};
      if (remainder && isRemainder(remainder, term)) {
        CascadeTerms result;
        result.terms = {term};
        result.fromSum = {false};
        result.ternary = true;
        return result;
      }
    }
  return {};
}

} // namespace

CascadeTerms bquant::matchTerms(Value resolved,
                                const RaiseAssumptions &assumptions) {
  Matcher matcher(assumptions);
  CascadeTerms ternary = matcher.matchTernary(resolved);
  return ternary.empty() ? matcher.matchSum(resolved) : ternary;
}
