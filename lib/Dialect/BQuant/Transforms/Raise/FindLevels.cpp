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
#include "MatchCascade.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/SetVector.h"
#include <cmath>
#include <numeric>
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
  for (int64_t i = 0, last = int64_t(high - low); i <= last; ++i) {
    float step = low + float(i);
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

namespace {
/// A comparison of `x` with a constant, which may be another one at each index
/// of `map`.
struct Limit {
  Value choice, x;
  arith::CmpFPredicate predicate;
  AffineMap map;
  SmallVector<float> values;

  static std::optional<Limit> get(Value choice) {
    auto compare = choice.getDefiningOp<arith::CmpFOp>();
    if (!compare)
      return std::nullopt;
    Limit limit{
        choice, resolve(compare.getLhs()), compare.getPredicate(), {}, {}};
    Value constant = resolve(compare.getRhs());
    if (std::optional<APFloat> number = getConstantNumber(constant)) {
      bool loses = false;
      number->convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                      &loses);
      if (loses)
        return std::nullopt;
      limit.values = {number->convertToFloat()};
    } else if (auto [attr, map] = getParameter(constant); attr) {
      limit.map = map;
      limit.values = getFloatValues(attr);
    }
    return limit.values.empty() ? std::nullopt : std::optional(limit);
  }

  double getMean() const {
    return std::accumulate(values.begin(), values.end(), 0.0) / values.size();
  }

  /// Whether another comparison is of the same kind and its limit nowhere
  /// lower.
  bool isBelow(const Limit &other) const {
    size_t size = std::max(values.size(), other.values.size());
    bool alike = values.size() == other.values.size()
                     ? map == other.map
                     : values.size() == 1 || other.values.size() == 1;
    return alike && x == other.x && predicate == other.predicate &&
           llvm::all_of(llvm::seq<size_t>(0, size), [&](size_t i) {
             return values[i % values.size()] <=
                    other.values[i % other.values.size()];
           });
  }

  /// Whether it holds below the limit or above it; neither of other kinds.
  std::optional<bool> holdsAbove() const {
    switch (predicate) {
    case arith::CmpFPredicate::OGE:
    case arith::CmpFPredicate::OGT:
    case arith::CmpFPredicate::UGE:
    case arith::CmpFPredicate::UGT:
      return true;
    case arith::CmpFPredicate::OLE:
    case arith::CmpFPredicate::OLT:
    case arith::CmpFPredicate::ULE:
    case arith::CmpFPredicate::ULT:
      return false;
    default:
      return std::nullopt;
    }
  }
};
} // namespace

/// The values that a choice has: a comparison, a sign, a quantized value.
static SmallVector<float> getOutcomes(Value resolved) {
  Operation *op = resolved.getDefiningOp();
  if (isa_and_nonnull<arith::CmpFOp>(op))
    return {0.0f, 1.0f};
  if (isa_and_nonnull<SignOp>(op))
    return {-1.0f, 1.0f};
  std::optional<Cascade> quantized;
  if (isa_and_nonnull<DequantizeOp>(op))
    quantized = matchCascade(resolved, RaiseAssumptions());
  return quantized ? quantized->decode() : SmallVector<float>();
}

namespace {
/// A value that what is quantized depends on, and the values that it has.
struct Choice {
  Value value;
  SmallVector<float> outcomes;
};
} // namespace

/// What each of some choices comes to.
using Outcome = SmallVector<float>;

/// The outcomes of comparisons of one value with limits that are in one order
/// at every index, of which `choices` takes the order: up to one of them all
/// hold, and none from there on, or the other way around. Empty if they are
/// none.
static SmallVector<Outcome> getOutcomesOfOrder(SmallVector<Choice> &choices) {
  SmallVector<Limit> limits;
  for (const Choice &choice : choices)
    if (std::optional<Limit> limit = Limit::get(choice.value))
      limits.push_back(*limit);
  llvm::sort(limits, [](const Limit &a, const Limit &b) {
    return a.getMean() < b.getMean();
  });
  if (limits.size() != choices.size() || !limits.front().holdsAbove())
    return {};
  for (auto [below, above] : llvm::zip(limits, ArrayRef(limits).drop_front()))
    if (!below.isBelow(above))
      return {};
  bool above = *limits.front().holdsAbove();
  for (auto [choice, limit] : llvm::zip_equal(choices, limits))
    choice.value = limit.choice; // All have the outcomes 0 and 1.
  SmallVector<Outcome> outcomes;
  for (size_t passed = 0; passed <= choices.size(); ++passed) {
    Outcome outcome(choices.size(), above ? 0.0f : 1.0f);
    std::fill_n(outcome.begin(), passed, above ? 1.0f : 0.0f);
    outcomes.push_back(outcome);
  }
  return outcomes;
}

/// All of them, possible together or not; empty if there are too many.
static SmallVector<Outcome> getAllOutcomes(ArrayRef<Choice> choices) {
  constexpr size_t kMaxOutcomes = 64;
  SmallVector<Outcome> outcomes{{}};
  for (const Choice &choice : choices) {
    if (outcomes.size() * choice.outcomes.size() > kMaxOutcomes)
      return {};
    SmallVector<Outcome> longer;
    for (const Outcome &outcome : outcomes)
      for (float own : choice.outcomes) {
        longer.push_back(outcome);
        longer.back().push_back(own);
      }
    outcomes = std::move(longer);
  }
  return outcomes;
}

Levels bquant::findLevelsOfChoices(Value resolved) {
  constexpr size_t kMaxValues = 64;
  llvm::SmallSetVector<Value, 16> seen;
  SmallVector<Choice> choices;
  seen.insert(resolved);
  for (size_t i = 0; i < seen.size(); ++i) {
    if (seen.size() > kMaxValues)
      return {};
    SmallVector<float> own = getOutcomes(seen[i]);
    if (own.empty())
      seen.insert_range(getVariables(seen[i]));
    else
      choices.push_back({seen[i], std::move(own)});
  }
  if (choices.empty())
    return {};
  SmallVector<Outcome> outcomes = getOutcomesOfOrder(choices);
  if (outcomes.empty())
    outcomes = getAllOutcomes(choices);
  if (outcomes.empty())
    return {};
  std::set<float> values;
  for (const Outcome &outcome : outcomes) {
    AbstractEvaluator evaluator{Value(), AbstractScalar()};
    for (auto [choice, own] : llvm::zip_equal(choices, outcome))
      evaluator.assume(choice.value, AbstractScalar::of(own));
    AbstractScalar value = evaluator.evaluate(resolved);
    if (!value.number || !std::isfinite(*value.number))
      return {};
    values.insert(*value.number + 0.0f);
  }
  if (values.size() > kMostLevels)
    return {};
  return {std::vector<float>(values.begin(), values.end())};
}
