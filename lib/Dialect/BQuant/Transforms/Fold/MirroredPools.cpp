//===- MirroredPools.cpp - Max-pools before falling channels --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A batch norm with a negative scale behind a max-pool: the code falls as the
// pooled value rises, and the quantize reads the pool times -1. With T the
// quantize, T(-max x) is the least T(-x), and where T is symmetric that is the
// complement of the greatest T'(x), T'(x) the complement of T(-x). So these
// channels are pooled by T', as all others by T, and what reads them reads the
// negated value: products take the -1 into the signs of their filters.
//
//===----------------------------------------------------------------------===//

#include "Codes.h"
#include "Dialect/BQuant/Analysis/Constants.h"
#include "ScaledProducts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <cmath>

using namespace mlir;
using namespace bquant;
using namespace bquant::chains;

/// The channels that are multiplied by -1, the others by 1, in what
/// multiplyChannels makes; and the input of that.
static std::optional<std::pair<Value, std::vector<bool>>>
matchMirrored(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumDpsInputs() != 2 || op.getNumResults() != 1 ||
      op.getNumReductionLoops() != 0 || !op->hasOneUse())
    return std::nullopt;
  Block &body = *op.getBody();
  auto product = dyn_cast<arith::MulFOp>(body.front());
  if (!product || product->getNextNode() != body.getTerminator() ||
      product.getLhs() != body.getArgument(0) ||
      product.getRhs() != body.getArgument(1) ||
      body.getTerminator()->getOperand(0) != product)
    return std::nullopt;
  auto type = cast<RankedTensorType>(value.getType());
  int64_t channels = type.getShape().back();
  AffineMap factors = op.getIndexingMapsArray()[0];
  SmallVector<float> values = getConstantFloats(op.getDpsInputs()[0]);
  bool shared = values.size() == 1;
  if (values.empty() || !op.getIndexingMapsArray()[1].isIdentity() ||
      factors.getNumResults() != 1 ||
      (!shared &&
       (int64_t(values.size()) != channels ||
        factors.getResult(0) !=
            getAffineDimExpr(type.getRank() - 1, op.getContext()))) ||
      !llvm::all_of(values, [](float v) { return std::fabs(v) == 1; }))
    return std::nullopt;
  std::vector<bool> mirrored(channels);
  for (int64_t c = 0; c < channels; ++c)
    mirrored[c] = values[shared ? 0 : c] < 0;
  return std::pair(op.getDpsInputs()[1], mirrored);
}

/// Whether the input of a product can be negated in the signs of its filter.
static bool canNegateInput(OpOperand &use) {
  Operation *op = use.getOwner();
  if (!isa<Conv2DOp, MatmulOp>(op))
    return false;
  if (use.getOperandNumber() != 0 || !getFilter(op))
    return false;
  if (auto conv = dyn_cast<Conv2DOp>(op))
    return conv.getGroups() == 1 && conv.getPadValue() == 0;
  return cast<MatmulOp>(op).getRhs().getType().getRank() == 2;
}

/// The thresholds of T' for one channel.
static SmallVector<float> mirror(ArrayRef<float> thresholds) {
  SmallVector<float> result;
  for (float t : llvm::reverse(thresholds)) {
    // Not t <= -x, that is x > -t.
    if (std::isnan(t))
      result.push_back(-INFINITY);
    else if (t == -INFINITY)
      result.push_back(NAN);
    else
      result.push_back(std::nextafter(-t, INFINITY));
  }
  // Never comes last.
  llvm::sort(result, [](float a, float b) {
    return std::isnan(b) ? !std::isnan(a) : a < b;
  });
  return result;
}

QuantizeOp chains::unmirrorPool(QuantizeOp op, RewriterBase &rewriter) {
  SBTensorType type = op.getType();
  auto mirrored = matchMirrored(op.getInput());
  if (!mirrored || !op.getThresholds() || type.getHasOffset() ||
      !mirrored->first.hasOneUse() ||
      !llvm::all_of(op->getUses(), canNegateInput))
    return {};
  std::optional<FloatMaxPool> pool = matchMaxPool(mirrored->first);
  // NaN has the first code on both sides.
  if (!pool || failed(verifyNumbers(*pool, op, rewriter)))
    return {};
  // T is symmetric, and rises.
  ArrayRef<int64_t> codes = *op.getCodes();
  int64_t all = (int64_t(1) << type.getPlanes()) - 1;
  for (auto [code, opposite] : llvm::zip(codes, llvm::reverse(codes)))
    if ((all ^ opposite) != code)
      return {};
  SmallVector<float> thresholds = getConstantFloats(op.getThresholds());
  if (thresholds.empty() || !llvm::is_sorted(codes))
    return {};

  int64_t each = op.getThresholds().getType().getShape().back();
  int64_t channels = type.getShape().back();
  bool shared = op.getThresholds().getType().getRank() == 1;
  SmallVector<float> rows;
  for (int64_t c = 0; c < channels; ++c) {
    ArrayRef<float> row =
        ArrayRef(thresholds).slice(shared ? 0 : c * each, each);
    llvm::append_range(rows, mirrored->second[c] ? mirror(row)
                                                 : SmallVector<float>(row));
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Value table = arith::ConstantOp::create(
      rewriter, op.getLoc(),
      getFloatsAttr(
          RankedTensorType::get({channels, each}, rewriter.getF32Type()),
          rows));
  for (OpOperand &use : op->getUses())
    negateInputs(use.getOwner(), mirrored->second, rewriter);
  Operation *product = op.getInput().getDefiningOp();
  auto pooled = rewriter.replaceOpWithNewOp<QuantizeOp>(
      op, type, mirrored->first, table, codes, op.getScalars(), Value());
  rewriter.eraseOp(product);
  return pooled;
}
