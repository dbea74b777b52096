//===- FindLevels.cpp - The values of a step function ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FindLevels.h"
#include "CascadeTerms.h"
#include "Dialect/BQuant/Analysis/AbstractScalar.h"
#include "Dialect/BQuant/Analysis/Elementwise.h"
#include "Dialect/BQuant/Analysis/OrderedFloat.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/SetVector.h"
#include <cmath>
#include <set>

using namespace mlir;
using namespace bquant;

static bool isConstant(Value resolved) {
  return getConstantNumber(resolved) || getParameter(resolved).first;
}

/// The resolved operands of a resolved value that are not constant.
static SmallVector<Value> getVariables(Value resolved) {
  Operation *op = resolved.getDefiningOp();
  if (!op || (isa<TensorType>(resolved.getType()) && !isa<SignOp>(op)))
    return {};
  SmallVector<Value> variables;
  for (Value operand : op->getOperands()) {
    Value value = resolve(operand);
    if (!isConstant(value) && !llvm::is_contained(variables, value))
      variables.push_back(value);
  }
  return variables;
}

Value bquant::getOnlyVariable(Operation *op) {
  SmallVector<Value> variables = getVariables(op->getResult(0));
  return variables.size() == 1 ? variables.front() : Value();
}

//===----------------------------------------------------------------------===//
// Of integers
//===----------------------------------------------------------------------===//

static bool isRounding(Operation *op) {
  return isa_and_nonnull<math::RoundEvenOp, math::RoundOp, math::FloorOp,
                         math::CeilOp>(op);
}

/// Whether a resolved value is a rounded one, moved and bounded by integers.
static bool isIntegral(Value resolved) {
  Operation *op = resolved ? resolved.getDefiningOp() : nullptr;
  if (isRounding(op))
    return true;
  if (!isa_and_nonnull<arith::AddFOp, arith::SubFOp, arith::MaximumFOp,
                       arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(
          op))
    return false;
  return llvm::all_of(op->getOperands(), [](Value operand) {
    Value value = resolve(operand);
    std::optional<APFloat> number = getConstantNumber(value);
    return number ? number->isInteger() : isIntegral(value);
  });
}

/// The last integral value that a resolved one is computed from.
static Value getIntegral(Value resolved) {
  while (resolved && !isIntegral(resolved)) {
    if (isa<TensorType>(resolved.getType()) || !resolved.getDefiningOp())
      return Value();
    resolved = getOnlyVariable(resolved.getDefiningOp());
  }
  return resolved;
}

Levels bquant::findLevelsOfIntegers(Value resolved) {
  constexpr float kMost = 256; // Of eight planes.
  Value integral = getIntegral(resolved);
  if (!integral)
    return {};
  chains::FloatRange range =
      AbstractEvaluator(Value(), AbstractScalar()).evaluate(integral).range;
  float low = range.low, high = range.high;
  if (!std::isfinite(low) || !std::isfinite(high) ||
      !(high - low >= 1 && high - low < kMost))
    return {};
  Levels levels{{}, range.nan};
  for (float step = low; step <= high; ++step) {
    AbstractScalar value = AbstractEvaluator(integral, AbstractScalar::of(step))
                               .evaluate(resolved);
    if (!value.number || !std::isfinite(*value.number) ||
        (!levels.values.empty() && !(levels.values.back() < *value.number)))
      return {};
    levels.values.push_back(*value.number);
  }
  return levels;
}

//===----------------------------------------------------------------------===//
// Of steps
//===----------------------------------------------------------------------===//

/// The values that a resolved one is a function of, each alone, the nearest
/// first; none of an expression of constants.
static SmallVector<Value> findSources(Value resolved) {
  constexpr size_t kMaxValues = 64;
  // Consumers before producers.
  llvm::SmallSetVector<Value, 16> seen;
  SmallVector<Value> order;
  auto visit = [&](auto &&self, Value value) -> void {
    if (seen.size() >= kMaxValues || !seen.insert(value))
      return;
    for (Value variable : getVariables(value))
      self(self, variable);
    order.push_back(value);
  };
  visit(visit, resolved);
  SmallVector<Value> sources;
  if (seen.size() >= kMaxValues)
    return sources;
  llvm::SmallSetVector<Value, 8> open;
  open.insert(resolved);
  for (Value value : llvm::reverse(order)) {
    bool only = open.size() == 1 && value != resolved;
    if (only && getElementTypeOrSelf(value.getType()).isF32())
      sources.push_back(value);
    open.remove(value);
    SmallVector<Value> variables = getVariables(value);
    // Nothing behind it is alone.
    if (variables.empty() && !open.empty())
      break;
    open.insert_range(variables);
  }
  return sources;
}

/// More values are told apart by few planes only if they are evenly spaced.
static constexpr size_t kMostLevels = 16;

namespace {
/// Halves the floats that a source can be.
class StepSearch {
public:
  StepSearch(Value resolved, Value source)
      : resolved(resolved), source(source) {}

  Levels run() {
    chains::FloatRange range =
        AbstractEvaluator(Value(), AbstractScalar()).evaluate(source).range;
    if (!(range.low <= range.high))
      return {};
    // Both zeros or none.
    int32_t first = range.low == 0 ? -1 : toOrdered(range.low);
    int32_t last = range.high == 0 ? 0 : toOrdered(range.high);
    if (!collect(first, last))
      return {};
    if (range.nan && !add(evaluate(AbstractScalar::of(std::nanf("")))))
      nan = true;
    return {std::vector<float>(values.begin(), values.end()), nan};
  }

private:
  AbstractScalar evaluate(AbstractScalar sample) {
    ++evaluations;
    return AbstractEvaluator(source, sample).evaluate(resolved);
  }

  /// Adds the value, if there is one. A NaN is none of the levels.
  bool add(const AbstractScalar &value) {
    bool single = value.range.low == value.range.high && !value.range.nan;
    if (!value.number && !single)
      return false;
    float number = value.number ? *value.number : value.range.low;
    if (std::isnan(number))
      nan = true;
    else
      values.insert(number + 0.0f);
    return true;
  }

  bool collect(int32_t first, int32_t last) {
    constexpr size_t kMostEvaluations = 4096;
    float low = fromOrdered(first), high = fromOrdered(last);
    AbstractScalar value = evaluate(
        first == last
            ? AbstractScalar::of(low)
            : AbstractScalar::of(chains::FloatRange{low, high, false}));
    if (add(value))
      return values.size() <= kMostLevels;
    if (first == last || evaluations > kMostEvaluations)
      return false;
    int32_t middle = int32_t((int64_t(first) + last) >> 1);
    return collect(first, middle) && collect(middle + 1, last);
  }

  Value resolved, source;
  std::set<float> values;
  bool nan = false;
  size_t evaluations = 0;
};
} // namespace

Levels bquant::findLevelsOfSteps(Value resolved) {
  for (Value source : findSources(resolved)) {
    Levels levels = StepSearch(resolved, source).run();
    if (!levels.values.empty())
      return levels;
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Of choices
//===----------------------------------------------------------------------===//

Levels bquant::findLevelsOfChoices(Value resolved) {
  constexpr size_t kMaxValues = 64, kMaxChoices = 6;
  llvm::SmallSetVector<Value, 16> seen;
  SmallVector<Value> choices;
  seen.insert(resolved);
  for (size_t i = 0; i < seen.size(); ++i) {
    if (seen.size() > kMaxValues)
      return {};
    if (isa_and_nonnull<arith::CmpFOp, SignOp>(seen[i].getDefiningOp()))
      choices.push_back(seen[i]);
    else
      seen.insert_range(getVariables(seen[i]));
  }
  if (choices.empty() || choices.size() > kMaxChoices)
    return {};
  std::set<float> values;
  for (size_t outcome = 0; outcome < size_t(1) << choices.size(); ++outcome) {
    AbstractEvaluator evaluator{Value(), AbstractScalar()};
    for (auto [i, choice] : llvm::enumerate(choices)) {
      bool holds = outcome >> i & 1;
      float least = choice.getDefiningOp<SignOp>() ? -1.0f : 0.0f;
      evaluator.assume(choice, AbstractScalar::of(holds ? 1.0f : least));
    }
    AbstractScalar value = evaluator.evaluate(resolved);
    if (!value.number || !std::isfinite(*value.number))
      return {};
    values.insert(*value.number + 0.0f);
  }
  if (values.size() > kMostLevels)
    return {};
  return {std::vector<float>(values.begin(), values.end())};
}
