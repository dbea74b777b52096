//===- MaxPools.cpp - Max-pools of floats as maxima of codes --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainGraph.h"
#include "Codes.h"
#include "Dialect/BQuant/Analysis/Constants.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::chains;

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

LogicalResult chains::verifyNumbers(const FloatMaxPool &pool, QuantizeOp reader,
                                    RewriterBase &rewriter, ExplainFn explain) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(reader);
  QuantizeOp probe = createOnInput(reader, pool, rewriter);
  ChainGraph graph(probe);
  LogicalResult result = success();
  for (int64_t c = 0; c < graph.numChannels() && succeeded(result); ++c) {
    FloatRange range = graph.getRange(graph.root(), c);
    if (range.nan)
      result = explain("its input can be NaN");
    else if (!(pool.least <= range.low))
      result = explain("its input can be less than its padding");
  }
  rewriter.eraseOp(probe);
  return result;
}

FailureOr<QuantizeOp> chains::moveBehindQuantize(QuantizeOp op,
                                                 RewriterBase &rewriter,
                                                 ExplainFn explain) {
  std::optional<FloatMaxPool> pool = matchMaxPool(op.getInput());
  // Scalars that are solved from the data would be those of other data.
  if (!pool || op.getScheme())
    return failure();
  if (!op.getInput().hasOneUse() || variesAlongWindow(op.getType()))
    return explain("has other uses, or scalars vary along its windows");
  if (!isMonotone(op))
    return explain("the codes are not known to rise with the input");
  if (failed(verifyNumbers(*pool, op, rewriter, explain)))
    return failure();
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

LogicalResult chains::poolCodes(linalg::PoolingNhwcMaxOp op,
                                RewriterBase &rewriter, ExplainFn explain) {
  if (op->getNumResults() != 1)
    return failure();
  std::optional<FloatMaxPool> pool = matchMaxPool(op->getResult(0));
  auto dequantize =
      pool ? pool->input.getDefiningOp<DequantizeOp>() : DequantizeOp();
  if (!dequantize)
    return failure();
  SBTensorType type = dequantize.getInput().getType();
  if (variesAlongWindow(type))
    return explain("scalars vary along its windows");
  std::vector<SmallVector<float>> decoded = decodeCodes(dequantize.getInput());
  if (decoded.empty())
    return explain("the scalars are not constant");
  for (ArrayRef<float> values : decoded)
    for (size_t code = 0; code < values.size(); ++code)
      // In the order that puts -0.0 before +0.0, as the pool does.
      if (std::isnan(values[code]) ||
          toOrdered(pool->least) > toOrdered(values[code]) ||
          (code && toOrdered(values[code - 1]) > toOrdered(values[code])))
        return explain("the decoded values do not rise with the codes");
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
