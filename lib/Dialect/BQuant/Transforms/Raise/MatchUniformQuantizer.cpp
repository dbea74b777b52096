//===- MatchUniformQuantizer.cpp - Uniform quantizers as producers write them
//===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// round(n clamp(x, 0, 1)) / n and its like: what is rounded has bounds, or the
// integers are bounded behind it, so the result has few values. Each is
// computed by the operations of the program. If they are evenly spaced, they
// are ratio planes and an offset, and the result is quantized by its rank among
// its own values:
//
//   %q = bquant.quantize %y thresholds([1/3, 2/3, 1]) codes([0, 1, 2, 3])
//            scalars([1/6]) offset(1/2)
//
// The folding of chains moves the thresholds in front of the rounding.

#include "MatchUniformQuantizer.h"
#include "CascadeTerms.h"
#include "Dialect/BQuant/Analysis/AbstractScalar.h"
#include "Dialect/BQuant/Analysis/Elementwise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>

using namespace mlir;
using namespace bquant;

/// The one operand of a scalar op that is not constant, or null.
static Value getOnlyVariable(Operation *op) {
  Value variable;
  for (Value operand : op->getOperands()) {
    Value value = resolve(operand);
    if (getConstantNumber(value) || getParameter(value).first)
      continue;
    if (variable && variable != value)
      return Value();
    variable = value;
  }
  return variable;
}

Operation *bquant::getRounding(Value resolved) {
  while (resolved && !isa<TensorType>(resolved.getType())) {
    Operation *op = resolved.getDefiningOp();
    if (!op ||
        isa<math::RoundEvenOp, math::RoundOp, math::FloorOp, math::CeilOp>(op))
      return op;
    resolved = getOnlyVariable(op);
  }
  return nullptr;
}

/// Whether a resolved value is a rounded one, moved and bounded by integers.
static bool isIntegral(Value resolved) {
  Operation *op = resolved ? resolved.getDefiningOp() : nullptr;
  if (isa_and_nonnull<math::RoundEvenOp, math::RoundOp, math::FloorOp,
                      math::CeilOp>(op))
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

/// Whether a resolved value is computed of constants alone.
static bool isOfConstant(Value resolved) {
  while (resolved && !isa<TensorType>(resolved.getType()) &&
         resolved.getDefiningOp())
    resolved = getOnlyVariable(resolved.getDefiningOp());
  return resolved && isa<TensorType>(resolved.getType()) &&
         getConstantTensor(resolved);
}

/// The values of `resolved` from the least to the greatest, evenly spaced up to
/// rounding; none otherwise. `nan`: whether it can be NaN, too.
static SmallVector<float> getValues(Value resolved, Value integral, bool &nan) {
  constexpr float kMost = 256; // Of eight planes.
  chains::FloatRange range =
      AbstractEvaluator(Value(), AbstractScalar()).evaluate(integral).range;
  nan = range.nan;
  if (!std::isfinite(range.low) || !std::isfinite(range.high))
    return {};
  float low = range.low, high = range.high;
  if (!(high - low >= 1 && high - low < kMost))
    return {};
  SmallVector<float> values;
  for (float step = low; step <= high; ++step) {
    AbstractScalar value = AbstractEvaluator(integral, AbstractScalar::of(step))
                               .evaluate(resolved);
    if (!value.number || !std::isfinite(*value.number) ||
        (!values.empty() && !(values.back() < *value.number)))
      return {};
    values.push_back(*value.number);
  }
  double first = values.front(), last = values.back();
  double step = (last - first) / (values.size() - 1);
  double error = 1e-6 * std::max(std::fabs(first), std::fabs(last));
  for (auto [i, value] : llvm::enumerate(values))
    if (std::fabs(first + i * step - value) > error)
      return {};
  return values;
}

std::optional<Cascade>
bquant::matchUniformQuantizer(Value resolved, ArrayRef<int64_t> shape,
                              const RaiseAssumptions &assumptions,
                              std::string &reason) {
  Value integral = getIntegral(resolved);
  if (!integral || !resolved.getType().isF32() || isOfConstant(resolved))
    return std::nullopt;
  bool nan = false;
  SmallVector<float> values = getValues(resolved, integral, nan);
  if (values.empty())
    return std::nullopt;
  if (nan && !assumptions.noNaN && assumptions.strictNaN) {
    reason = "NaN is rounded to NaN, which is none of the levels";
    return std::nullopt;
  }
  // Value j is c + v (2j - (2^k - 1)).
  int64_t planes = llvm::Log2_64_Ceil(values.size());
  int64_t most = (int64_t(1) << planes) - 1;
  double v = (double(values.back()) - values.front()) / (values.size() - 1) / 2;
  float offset = float(values.front() + v * most);
  SmallVector<int64_t> ratios, codes;
  for (int64_t plane = planes - 1; planes > 1 && plane >= 0; --plane)
    ratios.push_back(int64_t(1) << plane);
  for (size_t j = 0; j < values.size(); ++j)
    codes.push_back(j);
  MLIRContext *context = resolved.getContext();
  Type f32 = Float32Type::get(context);
  auto type = SBTensorType::get(context, shape, planes, ratios, /*axes=*/{},
                                /*hasOffset=*/offset != 0);
  Cascade cascade;
  cascade.input = resolved;
  cascade.type = type;
  cascade.scalars = DenseElementsAttr::get(type.getScalarsType(), float(v));
  cascade.thresholds = DenseElementsAttr::get(
      RankedTensorType::get({int64_t(values.size()) - 1}, f32),
      ArrayRef(values).drop_front());
  cascade.codes = codes;
  if (offset != 0)
    cascade.offset =
        DenseElementsAttr::get(RankedTensorType::get({}, f32), offset);
  if (nan && !assumptions.noNaN)
    cascade.remarkText =
        "NaN gives the least of the levels, and not NaN as written";
  return cascade;
}
