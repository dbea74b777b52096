//===- StepsBeforeMoves.cpp - Few values are moved when computed ----------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %b = linalg.generic { arith.cmpf oge, %x, 0 }
//   %t = linalg.transpose ins(%b) permutation = [0, 2, 1]
//   %s = linalg.generic { 2 * uitofp %t - 1 }
//
// becomes
//
//   %b = linalg.generic { arith.cmpf oge, %x, 0 }
//   %s = linalg.generic { 2 * uitofp %b - 1 }
//   %t = linalg.transpose ins(%s) permutation = [0, 2, 1]
//
// so that a sign, or another quantization, stands in one expression.

#include "Dialect/BQuant/Analysis/AbstractScalar.h"
#include "Dialect/BQuant/Analysis/Constants.h"
#include "Dialect/BQuant/Analysis/Elementwise.h"
#include "Dialect/BQuant/Analysis/FloatMaxPool.h"
#include "FindLevels.h"
#include "MatchCascade.h"
#include "MatchSign.h"
#include "ProductMatching.h"
#include "Transposes.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "bquant/Dialect/BQuant/Transforms/Raise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

namespace bquant {
#define GEN_PASS_DEF_STEPSBEFOREMOVES
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

//===----------------------------------------------------------------------===//
// What has few values
//===----------------------------------------------------------------------===//

/// Whether an integer is computed of comparisons and numbers alone.
static bool isOfBits(Value resolved) {
  if (resolved.getType().isInteger(1) || matchPattern(resolved, m_Constant()))
    return true;
  Operation *op = resolved.getDefiningOp();
  return isa_and_nonnull<arith::ExtUIOp, arith::ExtSIOp, arith::AddIOp,
                         arith::SubIOp, arith::MulIOp>(op) &&
         llvm::all_of(op->getOperands(),
                      [](Value operand) { return isOfBits(resolve(operand)); });
}

/// Whether a tensor has few values: bits, signs, quantized values, steps, and
/// what is computed, pooled or put together of these. Not of a constant, whose
/// moves are made at compile time.
static bool hasFewValues(Value tensor, int steps = 8) {
  // Sums of sums would be looked at again and again.
  if (--steps < 0)
    return false;
  Operation *op = tensor.getDefiningOp();
  if (op && isMove(op))
    return llvm::all_of(getMoved(op), [&](OpOperand *operand) {
      return hasFewValues(operand->get(), steps + 1);
    });
  if (std::optional<FloatMaxPool> pool = matchMaxPool(tensor))
    return hasFewValues(pool->input, steps);
  Value resolved = resolve(tensor);
  Type element = getElementTypeOrSelf(tensor.getType());
  if (isConstantTensor(resolved))
    return false;
  if (element.isInteger())
    return element.isInteger(1) || isOfBits(resolved);
  if (!element.isF32())
    return false;
  if (isa_and_nonnull<SignOp, DequantizeOp>(resolved.getDefiningOp()))
    return true;
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  if (generic && isPointwise(generic) && generic.getNumDpsInputs() > 0 &&
      llvm::all_of(generic.getDpsInputOperands(), [&](OpOperand *input) {
        return generic.getMatchingIndexingMap(input).isIdentity() &&
               hasFewValues(input->get(), steps);
      }))
    return true;
  std::optional<FunctionOfSign> function =
      matchFunctionOfSign(resolved, RaiseAssumptions());
  if (function && function->isAlmostSign())
    return !isConstantTensor(function->x);
  return !findLevelsOfIntegers(resolved).values.empty() ||
         !findLevelsOfSteps(resolved).values.empty() ||
         !findLevelsOfChoices(resolved).values.empty();
}

//===----------------------------------------------------------------------===//
// The pattern
//===----------------------------------------------------------------------===//

/// The number that a padding fills in, if it is one.
static std::optional<float> getFill(Operation *move) {
  auto pad = dyn_cast<tensor::PadOp>(move);
  Value constant = pad ? pad.getConstantPaddingValue() : Value();
  APFloat fill(0.0f);
  if (!constant || !constant.getType().isF32() ||
      !matchPattern(constant, m_ConstantFloat(&fill)))
    return std::nullopt;
  return fill.convertToFloat();
}

/// A constant that is the same at every index.
static SplatElementsAttr getSplat(Value value) {
  SplatElementsAttr splat;
  matchPattern(value, m_Constant(&splat));
  return splat;
}

/// Whether two ops move elements of tensors of one shape alike.
static bool moveAlike(Operation *a, Operation *b) {
  auto isAlike = [](OpOperand *x, OpOperand *y) {
    return cast<ShapedType>(x->get().getType()).getShape() ==
           cast<ShapedType>(y->get().getType()).getShape();
  };
  return a == b || (a->getName() == b->getName() && !isa<tensor::PadOp>(a) &&
                    a->getAttrDictionary() == b->getAttrDictionary() &&
                    llvm::equal(getMoved(a), getMoved(b), isAlike));
}

namespace {

struct ComputeBeforeMove : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!isPointwise(op) || op.hasDynamicShape() || op.getNumResults() != 1)
      return rewriter.notifyMatchFailure(op, "not pointwise of one result");
    // What the tensors that vary are moved by.
    SmallVector<Operation *> moves(op.getNumDpsInputs());
    Operation *move = nullptr;
    for (auto [i, input] : llvm::enumerate(op.getDpsInputOperands())) {
      AffineMap map = op.getMatchingIndexingMap(input);
      if (!map.isIdentity() || op.getNumLoops() == 0 || getSplat(input->get()))
        continue;
      Operation *own = input->get().getDefiningOp();
      if (!own || !isMove(own) || (move && !moveAlike(move, own)))
        return rewriter.notifyMatchFailure(op, "an input is not moved alike");
      moves[i] = move = own;
    }
    if (!move)
      return rewriter.notifyMatchFailure(op, "no input is moved");
    // Only a transpose tells where a parameter goes.
    if (!isa<linalg::TransposeOp>(move) && !hasNumbersOnly(op))
      return rewriter.notifyMatchFailure(op, "a parameter varies");
    for (Operation *own : moves)
      if (own && !hasFewValues(own->getResult(0)))
        return rewriter.notifyMatchFailure(op, "of many values");
    std::optional<float> fill;
    if (isa<tensor::PadOp>(move)) {
      fill = computeFill(op, move);
      if (!fill || !getElementTypeOrSelf(op.getResult(0)).isF32())
        return rewriter.notifyMatchFailure(op, "the padding is no number");
    }

    rewriter.setInsertionPoint(op);
    SmallVector<Value> computed;
    for (size_t part = 0; part < getMoved(move).size(); ++part) {
      SmallVector<Value> inputs(op.getNumDpsInputs());
      ArrayRef<int64_t> shape =
          cast<ShapedType>(getMoved(move)[part]->get().getType()).getShape();
      for (auto [i, own] : llvm::enumerate(moves)) {
        Value input = op.getDpsInputs()[i];
        if (own)
          inputs[i] = getMoved(own)[part]->get();
        else if (SplatElementsAttr splat = getSplat(input))
          inputs[i] = createSplat(rewriter, input.getLoc(), splat, shape);
      }
      computed.push_back(compute(rewriter, op, move, inputs));
    }
    rewriter.replaceOp(op, cloneMove(rewriter, move, computed, fill));
    return success();
  }

private:
  /// Whether all that is not moved is the same at every index.
  static bool hasNumbersOnly(linalg::GenericOp op) {
    return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
      AffineMap map = op.getMatchingIndexingMap(input);
      return map.isIdentity() || map.isConstant() || map.getNumResults() == 0 ||
             getSplat(input->get());
    });
  }

  /// What the op makes of a padding.
  static std::optional<float> computeFill(linalg::GenericOp op,
                                          Operation *move) {
    std::optional<float> fill = getFill(move);
    if (!fill)
      return std::nullopt;
    return AbstractEvaluator(resolve(move->getResult(0)),
                             AbstractScalar::of(*fill))
        .evaluate(op->getResult(0))
        .number;
  }

  static Value createSplat(PatternRewriter &rewriter, Location loc,
                           SplatElementsAttr splat, ArrayRef<int64_t> shape) {
    auto type = cast<ShapedType>(splat.getType()).clone(shape);
    return arith::ConstantOp::create(rewriter, loc, splat.resizeSplat(type));
  }

  /// The op on the tensors that are moved, and on splats of their shape.
  static Value compute(PatternRewriter &rewriter, linalg::GenericOp op,
                       Operation *move, ArrayRef<Value> moved) {
    if (auto transpose = dyn_cast<linalg::TransposeOp>(move))
      return permutePointwise(
                 rewriter, op,
                 invertPermutationVector(transpose.getPermutation()), moved)
          .getResult(0);
    auto like = cast<RankedTensorType>(
        llvm::find_if(moved, [](Value v) { return bool(v); })->getType());
    int64_t rank = like.getRank();
    AffineMap identity = rewriter.getMultiDimIdentityMap(rank);
    SmallVector<AffineMap> maps;
    SmallVector<Value> inputs;
    for (auto [input, value] : llvm::zip(op.getDpsInputOperands(), moved)) {
      AffineMap map = op.getMatchingIndexingMap(input);
      inputs.push_back(value ? value : input->get());
      maps.push_back(value ? identity
                           : AffineMap::get(rank, 0, map.getResults(),
                                            rewriter.getContext()));
    }
    maps.push_back(identity);
    Type element = getElementTypeOrSelf(op.getResult(0));
    Value init = tensor::EmptyOp::create(rewriter, op.getLoc(), like.getShape(),
                                         element);
    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    auto result = linalg::GenericOp::create(
        rewriter, op.getLoc(), init.getType(), inputs, init, maps, loops);
    rewriter.cloneRegionBefore(op.getRegion(), result.getRegion(),
                               result.getRegion().begin());
    return result.getResult(0);
  }
};

struct StepsBeforeMovesPass
    : bquant::impl::StepsBeforeMovesBase<StepsBeforeMovesPass> {
  using StepsBeforeMovesBase::StepsBeforeMovesBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateStepsBeforeMovesPatterns(patterns);
    if (failed(applyRaising(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void bquant::populateStepsBeforeMovesPatterns(RewritePatternSet &patterns) {
  patterns.add<ComputeBeforeMove>(patterns.getContext());
}
