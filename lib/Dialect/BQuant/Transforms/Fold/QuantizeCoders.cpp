//===- QuantizeCoders.cpp - A quantize as a function of a channel ---------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QuantizeCoders.h"
#include "Dialect/BQuant/Analysis/Constants.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::chains;

//===----------------------------------------------------------------------===//
// The quantize
//===----------------------------------------------------------------------===//

/// The order of thresholds. A quantize counts them in any order.
static bool isBefore(float a, float b) {
  return a < b || (std::isnan(b) && !std::isnan(a));
}

std::vector<Coder> chains::getCoders(QuantizeOp op) {
  SBTensorType type = op.getType();
  int64_t channels = type.getShape().back();
  if (op.getScheme() || !op.getInput().getType().getElementType().isF32())
    return {};
  std::vector<Coder> coders(channels);
  if (op.getThresholds()) {
    SmallVector<float> values = getConstantFloats(op.getThresholds());
    if (values.empty())
      return {};
    size_t n = op.getCodes()->size() - 1;
    bool perChannel = op.getThresholds().getType().getRank() == 2;
    for (auto [c, coder] : llvm::enumerate(coders)) {
      ArrayRef<float> row = ArrayRef(values).slice(perChannel ? c * n : 0, n);
      coder.thresholds.assign(row.begin(), row.end());
      llvm::sort(coder.thresholds, isBefore);
      coder.codes.assign(op.getCodes()->begin(), op.getCodes()->end());
    }
    return coders;
  }
  SmallVector<float> scalars = getConstantFloats(op.getScalars());
  bool perChannel = false;
  for (int64_t axis : type.getAxes()) {
    perChannel |= axis == type.getRank() - 1;
    if (axis != type.getRank() - 1 && type.getDimSize(axis) != 1)
      return {};
  }
  if (scalars.empty() ||
      !llvm::all_of(scalars, [](float v) { return std::isfinite(v); }))
    return {};
  for (int64_t c = 0; c < channels; ++c) {
    auto scalar = [&](int64_t k) {
      return scalars[perChannel ? k * channels + c : k];
    };
    for (int64_t i = 0; i < type.getPlanes(); ++i)
      coders[c].factors.push_back(type.hasRatios()
                                      ? float(type.getRatios()[i]) * scalar(0)
                                      : scalar(i));
  }
  return coders;
}

//===----------------------------------------------------------------------===//
// Thresholds
//===----------------------------------------------------------------------===//

/// Rows as a tensor of N or C x N values.
template <typename T, typename Convert>
static Value makeRows(const ThresholdTable &table, Type element,
                      Convert convert, RewriterBase &rewriter, Location loc) {
  bool same = llvm::all_equal(table.rows);
  SmallVector<int64_t> shape;
  if (!same)
    shape.push_back(int64_t(table.rows.size()));
  shape.push_back(int64_t(table.codes.size()) - 1);
  SmallVector<T> values;
  for (const std::vector<int64_t> &row :
       ArrayRef(table.rows).take_front(same ? 1 : table.rows.size()))
    for (int64_t at : row)
      values.push_back(convert(at));
  auto type = RankedTensorType::get(shape, element);
  return arith::ConstantOp::create(
      rewriter, loc, DenseElementsAttr::get(type, ArrayRef<T>(values)));
}

static int32_t convertInteger(int64_t at) {
  return int32_t(std::clamp<int64_t>(at, std::numeric_limits<int32_t>::min(),
                                     std::numeric_limits<int32_t>::max()));
}

static float convertFloat(int64_t at) {
  if (at == kAlways)
    return -INFINITY;
  if (at == kNever)
    return std::nanf("");
  // Thresholds at zero are written +0.0.
  return at == -1 ? 0.0f : fromOrdered(int32_t(at));
}

Value chains::makeThresholds(const ThresholdTable &table, bool integers,
                             RewriterBase &rewriter, Location loc) {
  return integers ? makeRows<int32_t>(table, rewriter.getI32Type(),
                                      convertInteger, rewriter, loc)
                  : makeRows<float>(table, rewriter.getF32Type(), convertFloat,
                                    rewriter, loc);
}
