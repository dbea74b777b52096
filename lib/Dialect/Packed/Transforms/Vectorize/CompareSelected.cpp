//===- CompareSelected.cpp - Selections by sign as maxima -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %p = arith.cmpf ogt, %x, %zero
//   %s = arith.mulf %x, %slope        // between 0 and 1
//   %y = arith.select %p, %x, %s
//   ->
//   %p = arith.cmpf ogt, %x, %s
//
// The same in every bit: a positive x is no less than its part, and where they
// are equal it does not matter which is taken; of another one its part is no
// less, and of NaN both are NaN. A vector has one instruction for it then, the
// maximum, where it had a comparison and a selection.
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/Packed/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace bquant {
#define GEN_PASS_DEF_COMPARESELECTED
#include "bquant/Dialect/Packed/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

/// Whether all that `value` can be lies above 0 and at most at 1: a constant,
/// or in a body an element of one that is an input. What a result starts from
/// does not stay so.
static bool isPart(Value value) {
  if (auto arg = dyn_cast<BlockArgument>(value))
    if (auto op = dyn_cast<linalg::GenericOp>(arg.getOwner()->getParentOp());
        op && arg.getArgNumber() < op.getNumDpsInputs())
      value = op->getOperand(arg.getArgNumber());
  // A tile has some channels of them.
  while (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>())
    value = slice.getSource();
  auto isIn = [](const APFloat &part) {
    APFloat one(part.getSemantics(), 1);
    return !part.isNegative() && !part.isZero() && part <= one;
  };
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return false;
  if (auto scalar = dyn_cast<FloatAttr>(constant))
    return isIn(scalar.getValue());
  auto elements = dyn_cast<DenseFPElementsAttr>(constant);
  return elements && llvm::all_of(elements, isIn);
}

namespace {
struct CompareByPart : OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::SelectOp op,
                                PatternRewriter &rewriter) const override {
    using Predicate = arith::CmpFPredicate;
    auto compare = op.getCondition().getDefiningOp<arith::CmpFOp>();
    Value x = op.getTrueValue();
    if (!compare || compare.getLhs() != x ||
        !matchPattern(compare.getRhs(), m_AnyZeroFloat()) ||
        !llvm::is_contained(std::array{Predicate::OGT, Predicate::OGE,
                                       Predicate::UGT, Predicate::UGE},
                            compare.getPredicate()))
      return rewriter.notifyMatchFailure(op,
                                         "no selection of what is positive");
    auto product = op.getFalseValue().getDefiningOp<arith::MulFOp>();
    bool isPartOfX =
        product && ((product.getLhs() == x && isPart(product.getRhs())) ||
                    (product.getRhs() == x && isPart(product.getLhs())));
    if (!isPartOfX)
      return rewriter.notifyMatchFailure(op, "no part of it else");
    rewriter.setInsertionPoint(op);
    Value greater = arith::CmpFOp::create(rewriter, compare.getLoc(),
                                          Predicate::OGT, x, product);
    rewriter.modifyOpInPlace(op,
                             [&] { op.getConditionMutable().assign(greater); });
    return success();
  }
};

struct CompareSelected : bquant::impl::CompareSelectedBase<CompareSelected> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<CompareByPart>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
