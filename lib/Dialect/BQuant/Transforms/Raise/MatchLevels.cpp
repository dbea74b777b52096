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
#include "Dialect/BQuant/Analysis/Elementwise.h"
#include "FindLevels.h"
#include "bquant/Quant/LevelPlanes.h"
#include "mlir/Dialect/Math/IR/Math.h"

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

std::optional<Cascade> bquant::matchLevels(Value resolved,
                                           ArrayRef<int64_t> shape,
                                           const RaiseAssumptions &assumptions,
                                           std::string &reason) {
  if (!resolved.getType().isF32() || isOfConstant(resolved))
    return std::nullopt;
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
    reason = "NaN stays NaN, which is none of the levels";
    return std::nullopt;
  }
  MLIRContext *context = resolved.getContext();
  Type f32 = Float32Type::get(context);
  auto type = SBTensorType::get(context, shape, found->planes, found->ratios,
                                /*axes=*/{}, /*hasOffset=*/found->offset != 0);
  Cascade cascade;
  cascade.input = resolved;
  cascade.type = type;
  cascade.scalars = DenseElementsAttr::get(type.getScalarsType(),
                                           ArrayRef<float>(found->scalars));
  cascade.thresholds = DenseElementsAttr::get(
      RankedTensorType::get({int64_t(found->thresholds.size())}, f32),
      ArrayRef<float>(found->thresholds));
  cascade.codes.assign(found->codes.begin(), found->codes.end());
  if (found->offset != 0)
    cascade.offset =
        DenseElementsAttr::get(RankedTensorType::get({}, f32), found->offset);
  if (levels.nan && !assumptions.noNaN)
    cascade.remarkText =
        "NaN gives the least of the levels, and not NaN as written";
  return cascade;
}
