//===- MaxPools.cpp - Max-pools of floats as maxima of codes --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/Transforms/Constants.h"
#include "bquant/Dialect/BQuant/Transforms/Folding/ChainGraph.h"
#include "bquant/Dialect/BQuant/Transforms/Folding/Codes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::folding;

//===----------------------------------------------------------------------===//
// The pool
//===----------------------------------------------------------------------===//

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

std::optional<FloatMaxPool> folding::matchMaxPool(Value value) {
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
  for (int d = 0; d < 2; ++d)
    if (pool.pads[2 * d] < 0 || pool.pads[2 * d + 1] < 0 ||
        input.isDynamicDim(d + 1) || pool.window[d] < 1 ||
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

/// Whether values differ along the window in how they decode.
static bool variesAlongWindow(SBTensorType type) {
  return llvm::any_of(type.getAxes(),
                      [](int64_t axis) { return axis == 1 || axis == 2; });
}

//===----------------------------------------------------------------------===//
// Before a quantize
//===----------------------------------------------------------------------===//

/// Whether the code does not fall as the input rises.
static bool isMonotone(QuantizeOp op) {
  // The rank among thresholds rises, whatever they are.
  if (std::optional<ArrayRef<int64_t>> codes = op.getCodes())
    return llvm::is_sorted(*codes);
  // So does each residue of a cascade, as long as none is NaN.
  SmallVector<float> scalars = getConstantFloats(op.getScalars());
  return !scalars.empty() &&
         llvm::all_of(scalars, [](float v) { return std::isfinite(v); });
}

/// `op` on the input of the pool.
static QuantizeOp createOnInput(QuantizeOp op, const FloatMaxPool &pool,
                                RewriterBase &rewriter) {
  return QuantizeOp::create(rewriter, op.getLoc(),
                            pool.getInputType(op.getType()), pool.input,
                            SchemeAttr(), op.getThresholds(), op.getCodesAttr(),
                            op.getScalars(), op.getOffset());
}

bool FloatMaxPool::holdsNumbers(QuantizeOp reader, RewriterBase &rewriter,
                                std::string &reason) const {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(reader);
  QuantizeOp probe = createOnInput(reader, *this, rewriter);
  ChainGraph graph(probe);
  for (int64_t c = 0; c < graph.numChannels() && reason.empty(); ++c) {
    FloatRange range = graph.getRange(graph.root(), c);
    if (range.nan)
      reason = "its input can be NaN";
    else if (!(least <= range.low))
      reason = "its input can be less than its padding";
  }
  rewriter.eraseOp(probe);
  return reason.empty();
}

QuantizeOp folding::moveBehindQuantize(QuantizeOp op, RewriterBase &rewriter,
                                       std::string &reason) {
  std::optional<FloatMaxPool> pool = matchMaxPool(op.getInput());
  // Scalars that are solved from the data would be those of other data.
  if (!pool || op.getScheme())
    return {};
  if (!op.getInput().hasOneUse() || variesAlongWindow(op.getType())) {
    reason = "has other uses, or scalars vary along its windows";
    return {};
  }
  if (!isMonotone(op)) {
    reason = "the codes are not known to rise with the input";
    return {};
  }
  if (!pool->holdsNumbers(op, rewriter, reason))
    return {};
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  QuantizeOp moved = createOnInput(op, *pool, rewriter);
  rewriter.replaceOp(op, pool->createOfCodes(moved, op.getType(), rewriter));
  Operation *pad = pool->op.getInputs()[0].getDefiningOp<tensor::PadOp>();
  rewriter.eraseOp(pool->op);
  if (pad && pad->use_empty())
    rewriter.eraseOp(pad);
  return moved;
}

//===----------------------------------------------------------------------===//
// Behind a dequantize
//===----------------------------------------------------------------------===//

LogicalResult folding::poolCodes(linalg::PoolingNhwcMaxOp op,
                                 RewriterBase &rewriter, std::string &reason) {
  if (op->getNumResults() != 1)
    return failure();
  std::optional<FloatMaxPool> pool = matchMaxPool(op->getResult(0));
  auto dequantize =
      pool ? pool->input.getDefiningOp<DequantizeOp>() : DequantizeOp();
  if (!dequantize)
    return failure();
  SBTensorType type = dequantize.getInput().getType();
  if (variesAlongWindow(type)) {
    reason = "scalars vary along its windows";
    return failure();
  }
  std::vector<SmallVector<float>> decoded = decodeCodes(dequantize.getInput());
  if (decoded.empty())
    reason = "the scalars are not constant";
  for (ArrayRef<float> values : decoded)
    for (size_t code = 0; code < values.size(); ++code)
      // In the order that puts -0.0 before +0.0, as the pool does.
      if (std::isnan(values[code]) || !(pool->least <= values[code]) ||
          (code && toOrdered(values[code - 1]) > toOrdered(values[code])))
        reason = "the decoded values do not rise with the codes";
  if (!reason.empty())
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  auto pooled =
      SBTensorType::get(op->getContext(), result.getShape(), type.getPlanes(),
                        type.getRatios(), type.getAxes(), type.getHasOffset());
  Value codes = pool->createOfCodes(dequantize.getInput(), pooled, rewriter);
  rewriter.replaceOpWithNewOp<DequantizeOp>(op, result, codes);
  return success();
}
