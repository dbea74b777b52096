//===- MatchLevels.cpp - Expressions that have few values -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// round(n clamp(x, 0, 1)) / n, (x > t) - (x < -t) and their like: what is
// rounded has bounds, or a value is chosen by comparisons, so the result has
// few values. Each is computed by the operations of the program. If they are
// those of few planes and an offset, the result is quantized by its rank among
// its own values:
//
//   %q = bquant.quantize %y thresholds([1/6, 1/2, 5/6]) codes([0, 1, 2, 3])
//            scalars([1/6]) offset(1/2)
//
// The folding of chains moves the thresholds in front of the expression. Where
// there are too many for that, the line that they are on gives the rank.

#include "MatchLevels.h"
#include "Dialect/BQuant/Analysis/AbstractScalar.h"
#include "Dialect/BQuant/Analysis/Elementwise.h"
#include "FindLevels.h"
#include "bquant/Quant/LevelPlanes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include <cmath>
#include <set>

using namespace mlir;
using namespace bquant;

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

/// Whether a resolved value is computed of constants alone.
static bool isOfConstant(Value resolved) {
  while (resolved && !isa<TensorType>(resolved.getType()) &&
         resolved.getDefiningOp())
    resolved = getOnlyVariable(resolved.getDefiningOp());
  return resolved && isa<TensorType>(resolved.getType()) &&
         getConstantTensor(resolved);
}

/// A cascade of planes that have the levels; its input and thresholds are open.
static Cascade getCascade(MLIRContext *context, ArrayRef<int64_t> shape,
                          const quant::LevelPlanes &found) {
  auto type = SBTensorType::get(context, shape, found.planes, found.ratios,
                                /*axes=*/{}, /*hasOffset=*/found.offset != 0);
  Cascade cascade;
  cascade.type = type;
  cascade.scalars = DenseElementsAttr::get(type.getScalarsType(),
                                           ArrayRef<float>(found.scalars));
  if (found.offset != 0)
    cascade.offset = DenseElementsAttr::get(
        RankedTensorType::get({}, Float32Type::get(context)), found.offset);
  return cascade;
}

/// The quantized value that a resolved one is computed of, by constants alone.
static DequantizeOp getQuantized(Value resolved) {
  while (resolved) {
    if (auto dequantize = resolved.getDefiningOp<DequantizeOp>())
      return dequantize;
    if (isa<TensorType>(resolved.getType()) || !resolved.getDefiningOp())
      return {};
    resolved = getOnlyVariable(resolved.getDefiningOp());
  }
  return {};
}

std::optional<Cascade> bquant::matchRecoded(Value resolved,
                                            ArrayRef<int64_t> shape) {
  DequantizeOp dequantize = getQuantized(resolved);
  auto quantize = dequantize ? dequantize.getInput().getDefiningOp<QuantizeOp>()
                             : QuantizeOp();
  DenseElementsAttr thresholds;
  if (!quantize || !quantize.getCodes() ||
      !matchPattern(quantize.getThresholds(), m_Constant(&thresholds)) ||
      !thresholds.getElementType().isF32())
    return std::nullopt;
  std::optional<Cascade> known =
      matchCascade(dequantize.getResult(), RaiseAssumptions());
  SmallVector<float> decoded = known ? known->decode() : SmallVector<float>();
  if (decoded.empty())
    return std::nullopt;
  std::vector<float> values; // Of each rank.
  ArrayRef<int64_t> codes = *quantize.getCodes();
  for (int64_t code : codes) {
    AbstractScalar value = AbstractEvaluator(dequantize.getResult(),
                                             AbstractScalar::of(decoded[code]))
                               .evaluate(resolved);
    if (!value.number || !std::isfinite(*value.number))
      return std::nullopt;
    values.push_back(*value.number + 0.0f);
  }
  std::set<float> distinct(values.begin(), values.end());
  std::vector<float> levels(distinct.begin(), distinct.end());
  std::optional<quant::LevelPlanes> found = quant::planesOfLevels(levels);
  if (!found)
    return std::nullopt;
  Cascade cascade = getCascade(resolved.getContext(), shape, *found);
  cascade.input = resolve(quantize.getInput());
  cascade.thresholds = thresholds;
  for (float value : values)
    cascade.codes.push_back(
        found->codes[llvm::lower_bound(levels, value) - levels.begin()]);
  return cascade;
}

std::optional<Cascade> bquant::matchLevels(Value resolved,
                                           ArrayRef<int64_t> shape,
                                           const RaiseAssumptions &assumptions,
                                           ExplainFn explain) {
  if (!resolved.getType().isF32() || isOfConstant(resolved))
    return std::nullopt;
  if (std::optional<Cascade> recoded = matchRecoded(resolved, shape))
    return recoded;
  Levels levels = findLevelsOfIntegers(resolved);
  if (levels.values.empty())
    levels = findLevelsOfSteps(resolved);
  if (levels.values.empty())
    levels = findLevelsOfChoices(resolved);
  std::optional<quant::LevelPlanes> found =
      quant::planesOfLevels(levels.values);
  if (!found)
    return std::nullopt;
  if (levels.nan && !assumptions.noNaN && assumptions.strictNaN) {
    (void)explain("NaN stays NaN, which is none of the levels");
    return std::nullopt;
  }
  MLIRContext *context = resolved.getContext();
  Cascade cascade = getCascade(context, shape, *found);
  cascade.input = resolved;
  // v and -v are told apart by their sign, as those of other signs are.
  bool ofSign = found->planes == 1 && found->offset == 0 &&
                found->thresholds.front() == 0;
  if (!ofSign) {
    cascade.thresholds = DenseElementsAttr::get(
        RankedTensorType::get({int64_t(found->thresholds.size())},
                              Float32Type::get(context)),
        ArrayRef<float>(found->thresholds));
    cascade.codes.assign(found->codes.begin(), found->codes.end());
  }
  if (levels.nan && !assumptions.noNaN)
    cascade.remarkText =
        "NaN gives the least of the levels, and not NaN as written";
  return cascade;
}
