//===- FloatMaxPool.cpp - Max-pools of floats, with their padding ---------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatMaxPool.h"
#include "Shapes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace bquant;

/// The f32 constant, or the one that a tensor is full of.
static std::optional<float> getSplat(Value value) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    value = fill.getInputs().front();
  APFloat number(0.0f);
  if (matchPattern(value, m_ConstantFloat(&number)) &&
      getElementTypeOrSelf(value.getType()).isF32())
    return number.convertToFloat();
  return std::nullopt;
}

/// Whether each window along a dimension holds an element.
static bool holdElements(const FloatMaxPool &pool, int d, int64_t size,
                         int64_t outputs) {
  for (int64_t o = 0; o < outputs; ++o) {
    bool found = false;
    for (int64_t t = 0; t < pool.window[d] && !found; ++t) {
      int64_t at =
          o * pool.strides[d] + t * pool.dilations[d] - pool.pads[2 * d];
      found = at >= 0 && at < size;
    }
    if (!found)
      return false;
  }
  return true;
}

std::optional<FloatMaxPool> bquant::matchMaxPool(Value value) {
  auto op = value.getDefiningOp<linalg::PoolingNhwcMaxOp>();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!op || !type || !type.getElementType().isF32())
    return std::nullopt;
  FloatMaxPool pool{op, op.getInputs()[0], {}, {}, {}, {0, 0, 0, 0}, 0};
  std::optional<float> start = getSplat(op.getOutputs()[0]);
  if (!start)
    return std::nullopt;
  pool.least = *start;
  llvm::append_range(pool.window,
                     cast<ShapedType>(op.getInputs()[1].getType()).getShape());
  llvm::append_range(pool.strides, op.getStrides().getValues<int64_t>());
  llvm::append_range(pool.dilations, op.getDilations().getValues<int64_t>());

  if (auto pad = pool.input.getDefiningOp<tensor::PadOp>()) {
    Value padding = pad.getConstantPaddingValue();
    std::optional<float> held = padding ? getSplat(padding) : std::nullopt;
    ArrayRef<int64_t> low = pad.getStaticLow(), high = pad.getStaticHigh();
    if (!held || std::isnan(*held) || low[0] != 0 || low[3] != 0 ||
        high[0] != 0 || high[3] != 0)
      return std::nullopt;
    pool.least = std::max(pool.least, *held);
    pool.input = pad.getSource();
    pool.pads = {low[1], high[1], low[2], high[2]};
  }
  auto input = cast<RankedTensorType>(pool.input.getType());
  if (!canBeScaledBinary(input.getShape()) ||
      !canBeScaledBinary(type.getShape()))
    return std::nullopt;
  for (int d = 0; d < 2; ++d)
    if (pool.pads[2 * d] < 0 || pool.pads[2 * d + 1] < 0 ||
        pool.window[d] < 1 ||
        !holdElements(pool, d, input.getDimSize(d + 1), type.getDimSize(d + 1)))
      return std::nullopt;
  return pool;
}

SBTensorType FloatMaxPool::getInputType(SBTensorType pooled) const {
  return SBTensorType::get(pooled.getContext(),
                           cast<ShapedType>(input.getType()).getShape(),
                           pooled.getPlanes(), pooled.getRatios(),
                           pooled.getAxes(), pooled.getHasOffset());
}

Value FloatMaxPool::createOfCodes(Value codes, SBTensorType pooled,
                                  RewriterBase &rewriter) const {
  return MaxPool2DOp::create(rewriter, op->getLoc(), pooled, codes, window,
                             strides, dilations, pads);
}
