//===- MatchSign.cpp - The sign idioms ------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `select(x >= 0, 1, -1)`, its mirror images and complements, `2 * (x >= 0) -
// 1`, `sign(x) + (x == 0)`, straight-through residues and so on: instead of a
// pattern for each, the expression is evaluated for the kinds of x that it can
// tell apart.

#include "MatchSign.h"
#include "Dialect/BQuant/Analysis/AbstractScalar.h"
#include "Dialect/BQuant/Analysis/Elementwise.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Format.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace bquant;
using namespace bquant::chains;

static constexpr std::array<int, kNumKinds> kSign = {1, 1, 1, -1, -1, -1};

//===----------------------------------------------------------------------===//
// What x can be
//===----------------------------------------------------------------------===//

namespace {
/// A sample for each kind that a value may be of.
struct Samples {
  std::array<bool, kNumKinds> possible = {};
  std::array<AbstractScalar, kNumKinds> values = {};

  static Samples of(FloatRange range) {
    constexpr float least = std::numeric_limits<float>::denorm_min();
    Samples samples;
    auto add = [&](Kind kind, AbstractScalar value, bool possible) {
      samples.possible[kind] = possible;
      samples.values[kind] = value;
    };
    float low = std::max(range.low, least), high = std::min(range.high, -least);
    add(Positive, AbstractScalar::of(FloatRange{low, range.high, false}),
        low <= range.high);
    add(Negative, AbstractScalar::of(FloatRange{range.low, high, false}),
        range.low <= high);
    bool zero = range.low <= 0 && range.high >= 0;
    add(PlusZero, AbstractScalar::of(0.0f), zero);
    add(MinusZero, AbstractScalar::of(-0.0f), zero);
    float nan = std::numeric_limits<float>::quiet_NaN();
    add(PlusNaN, AbstractScalar::of(nan), range.nan);
    add(MinusNaN, AbstractScalar::of(-nan), range.nan);
    return samples;
  }

  /// Of what the elements of a constant are.
  static Samples of(ArrayRef<float> numbers) {
    FloatRange range{INFINITY, -INFINITY, false};
    std::array<bool, kNumKinds> found = {};
    for (float number : numbers) {
      found[kindOf(number)] = true;
      if (std::isnan(number))
        range.nan = true;
      range.low = std::min(range.low, number);
      range.high = std::max(range.high, number);
    }
    Samples samples = of(range);
    samples.possible = found;
    return samples;
  }

  static Kind kindOf(float number) {
    bool minus = std::signbit(number);
    if (std::isnan(number))
      return minus ? MinusNaN : PlusNaN;
    if (number == 0)
      return minus ? MinusZero : PlusZero;
    return minus ? Negative : Positive;
  }
};
} // namespace

static Samples getSamples(Value x) {
  if (ElementsAttr attr = getConstantTensor(x)) {
    SmallVector<float> numbers = getFloatValues(attr);
    return numbers.empty() ? Samples::of(FloatRange()) : Samples::of(numbers);
  }
  return Samples::of(AbstractEvaluator(Value(), {}).evaluate(x).range);
}

/// What comparisons below `value` look at, the nearest first.
static SmallVector<Value> findSources(Value value) {
  constexpr size_t kMaxValues = 64, kMaxSources = 6;
  llvm::SmallSetVector<Value, 16> seen;
  llvm::SmallSetVector<Value, 4> sources;
  seen.insert(resolve(value));
  auto look = [&](Value operand) {
    operand = resolve(operand);
    if (!getElementTypeOrSelf(operand.getType()).isF32() ||
        getConstantNumber(operand))
      return;
    // A number of its own is no tensor's element.
    if (isa<TensorType>(operand.getType()) ||
        isa<linalg::GenericOp>(operand.getParentBlock()->getParentOp()))
      sources.insert(operand);
  };
  for (size_t i = 0; i < seen.size() && i < kMaxValues; ++i) {
    Operation *op = seen[i].getDefiningOp();
    if (!op)
      continue;
    if (auto sign = dyn_cast<SignOp>(op))
      look(sign.getInput());
    if (isa<TensorType>(seen[i].getType()))
      continue;
    if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
      look(compare.getLhs());
      look(compare.getRhs());
    } else if (auto copy = dyn_cast<math::CopySignOp>(op)) {
      look(copy.getRhs());
    }
    for (Value operand : op->getOperands())
      seen.insert(resolve(operand));
  }
  return SmallVector<Value>(
      ArrayRef<Value>(sources.getArrayRef()).take_front(kMaxSources));
}

//===----------------------------------------------------------------------===//
// Functions of the sign
//===----------------------------------------------------------------------===//

static std::optional<FunctionOfSign> evaluateKinds(Value value, Value x,
                                                   const Samples &samples,
                                                   bool exactResidues) {
  FunctionOfSign function{x, samples.possible, {}};
  for (int kind = 0; kind < kNumKinds; ++kind) {
    if (!samples.possible[kind])
      continue;
    AbstractScalar result =
        AbstractEvaluator(x, samples.values[kind], exactResidues)
            .evaluate(value);
    if (!result.number)
      return std::nullopt;
    function.values[kind] = *result.number;
  }
  return function;
}

std::optional<FunctionOfSign>
bquant::matchFunctionOfSign(Value value, const RaiseAssumptions &assumptions) {
  if (!getElementTypeOrSelf(value.getType()).isF32())
    return std::nullopt;
  std::optional<FunctionOfSign> best;
  for (Value x : findSources(value)) {
    Samples all = Samples::of(FloatRange());
    std::optional<FunctionOfSign> function =
        evaluateKinds(value, x, all, assumptions.exactResidues);
    // What x can be takes time to find out: only if it matters.
    if (!function || !function->isExactlySign()) {
      Samples samples = getSamples(x);
      std::optional<FunctionOfSign> restricted =
          evaluateKinds(value, x, samples, assumptions.exactResidues);
      if (restricted)
        function = restricted;
    }
    if (function && function->isSign(assumptions))
      return function;
    if (function && (!best || function->getRank() > best->getRank()))
      best = function;
  }
  return best;
}

bool FunctionOfSign::isSign(const RaiseAssumptions &assumptions) const {
  bool any = false;
  for (int kind = 0; kind < kNumKinds; ++kind) {
    bool nan = kind == PlusNaN || kind == MinusNaN;
    if (!possible[kind] || values[kind] == kSign[kind]) {
      any |= possible[kind];
      continue;
    }
    if (nan) {
      bool neither = values[kind] != 1;
      if (assumptions.noNaN || (neither && !assumptions.strictNaN))
        continue;
    }
    if ((kind == PlusZero || kind == MinusZero) && assumptions.noZero)
      continue;
    return false;
  }
  return any;
}

bool FunctionOfSign::isExactlySign() const {
  RaiseAssumptions none;
  none.strictNaN = true;
  return isSign(none);
}

bool FunctionOfSign::isAlmostSign() const {
  return (possible[Positive] || possible[Negative]) &&
         (!possible[Positive] || values[Positive] == 1) &&
         (!possible[Negative] || values[Negative] == -1);
}

int FunctionOfSign::getRank() const {
  return isAlmostSign() + (isAlmostSign() && isAmong({-1, 1}));
}

bool FunctionOfSign::isAmong(std::initializer_list<float> allowed) const {
  for (int kind = 0; kind < kNumKinds; ++kind)
    if (possible[kind] && !llvm::is_contained(allowed, values[kind]))
      return false;
  return true;
}

std::string FunctionOfSign::describeOthers() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto add = [&](StringRef name, Kind kind) {
    os << (text.empty() ? "" : " and ") << name << " gives "
       << llvm::format("%g", values[kind] + 0.0f) << " instead of "
       << kSign[kind];
  };
  auto isWrong = [&](Kind kind) {
    return possible[kind] && values[kind] != kSign[kind];
  };
  auto describe = [&](Kind plus, Kind minus, StringRef both, StringRef first,
                      StringRef second) {
    // One text for both where they agree.
    bool agree = !possible[plus] || !possible[minus] ||
                 llvm::bit_cast<uint32_t>(values[plus] + 0.0f) ==
                     llvm::bit_cast<uint32_t>(values[minus] + 0.0f);
    if (agree && (isWrong(plus) || isWrong(minus)))
      return add(both, possible[plus] ? plus : minus);
    if (isWrong(plus))
      add(first, plus);
    if (isWrong(minus))
      add(second, minus);
  };
  describe(PlusZero, MinusZero, "zero", "+0.0", "-0.0");
  describe(PlusNaN, MinusNaN, "NaN", "+NaN", "-NaN");
  return text;
}

Value bquant::matchSign(Value value, const RaiseAssumptions &assumptions) {
  // The common case, at once.
  if (auto sign = resolve(value).getDefiningOp<SignOp>())
    return resolve(sign.getInput());
  std::optional<FunctionOfSign> function =
      matchFunctionOfSign(value, assumptions);
  return function && function->isSign(assumptions) ? function->x : Value();
}
