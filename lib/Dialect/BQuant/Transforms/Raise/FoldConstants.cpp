//===- FoldConstants.cpp - Constants computed in the graph ----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %a = linalg.generic { math.absf } ins(%filter)
//   %s = linalg.generic { arith.addf } ins(%a)           // a reduction
//   %v = linalg.generic { arith.divf } ins(%s, %count)
//
// of a constant filter becomes a constant %v: a loop nest is run as it would be
// at run time, in the order of its loops, with the same operations, so that it
// has the same bits. An assert whose condition holds in such a run goes.

#include "Dialect/BQuant/Analysis/ConstantNest.h"
#include "Dialect/BQuant/Analysis/Elementwise.h"
#include "ProductMatching.h"
#include "Transposes.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "bquant/Dialect/BQuant/Transforms/Raise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

namespace bquant {
#define GEN_PASS_DEF_FOLDCONSTANTS
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;
using namespace bquant::chains;

namespace {

/// Up to so many elements are printed as dense elements.
constexpr int64_t kDenseElements = 65536;

ElementsAttr writeCells(RankedTensorType type, ArrayRef<Cell> cells) {
  if (type.getElementType().isInteger(1)) {
    SmallVector<bool> bits;
    for (Cell cell : cells)
      bits.push_back(cell.i != 0);
    return DenseElementsAttr::get(type, ArrayRef<bool>(bits));
  }
  static_assert(sizeof(Cell) == sizeof(float));
  ArrayRef<char> bytes(reinterpret_cast<const char *>(cells.data()),
                       cells.size() * sizeof(Cell));
  if (type.getNumElements() <= kDenseElements)
    return DenseElementsAttr::getFromRawBuffer(type, bytes);
  return DenseResourceElementsAttr::get(
      type, "folded",
      HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, /*align=*/64,
                                                    /*dataIsMutable=*/false));
}

struct FoldConstantGeneric : OpRewritePattern<linalg::GenericOp> {
  FoldConstantGeneric(MLIRContext *context, std::function<bool(Value)> keep)
      : OpRewritePattern(context), keep(std::move(keep)) {}

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    // A broadcast is smaller than what it makes.
    int64_t most = 0;
    for (OpOperand *input : op.getDpsInputOperands())
      if (auto type = dyn_cast<RankedTensorType>(input->get().getType()))
        most =
            std::max(most, type.hasStaticShape() ? type.getNumElements() : 0);
    for (Type type : op.getResultTypes())
      if (!cast<ShapedType>(type).hasStaticShape() ||
          cast<ShapedType>(type).getNumElements() > most)
        return rewriter.notifyMatchFailure(op, "more results than inputs");
    ConstantNest nest;
    if (failed(nest.prepare(op)))
      return rewriter.notifyMatchFailure(op, "not of constants");
    if (keep && llvm::any_of(op.getResults(), keep))
      return rewriter.notifyMatchFailure(op, "kept");
    SmallVector<Value> constants;
    for (auto [result, cells] : llvm::zip_equal(op.getResults(), nest.run()))
      constants.push_back(arith::ConstantOp::create(
          rewriter, op.getLoc(),
          writeCells(cast<RankedTensorType>(result.getType()), cells)));
    rewriter.replaceOp(op, constants);
    return success();
  }

private:
  std::function<bool(Value)> keep;
};

/// Only inside of a loop nest: upstream does it elsewhere.
struct EraseAssertThatHolds : OpRewritePattern<cf::AssertOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(cf::AssertOp op,
                                PatternRewriter &rewriter) const override {
    auto generic = dyn_cast<linalg::GenericOp>(op->getParentOp());
    ConstantNest nest;
    if (!generic || failed(nest.prepareCondition(generic, op.getArg())))
      return rewriter.notifyMatchFailure(op, "not of constants");
    if (!nest.holds())
      return rewriter.notifyMatchFailure(op, "fails");
    rewriter.eraseOp(op);
    return success();
  }
};

struct FoldConstantTranspose : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || !getConstantTensor(op.getInput()))
      return rewriter.notifyMatchFailure(op, "not of a constant");
    Value folded = foldTranspose(rewriter, op.getInput(), op.getPermutation());
    if (!folded)
      return rewriter.notifyMatchFailure(op, "constant cannot be read");
    rewriter.replaceOp(op, folded);
    return success();
  }
};

/// The signs of a constant that no cascade has taken.
struct FoldConstantSign : OpRewritePattern<SignOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SignOp op,
                                PatternRewriter &rewriter) const override {
    std::vector<Cell> cells = readCells(op.getInput());
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (cells.empty() || !type)
      return rewriter.notifyMatchFailure(op, "not of a constant");
    for (Cell &cell : cells)
      cell.f = cell.f >= 0 ? 1.0f : -1.0f;
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, writeCells(type, cells));
    return success();
  }
};

struct FoldConstantsPass : bquant::impl::FoldConstantsBase<FoldConstantsPass> {
  using FoldConstantsBase::FoldConstantsBase;

  void runOnOperation() override {
    RaiseAssumptions assumptions{assumeNoNaN, assumeNoZero, assumeExactResidues,
                                 strictNaN};
    std::function<bool(Value)> keep;
    if (keepCascades)
      keep = [assumptions](Value result) {
        bool isAlmostOne = false;
        auto explain = [&](const Twine &) {
          isAlmostOne = true;
          return failure();
        };
        return matchCascade(result, assumptions, explain) || isAlmostOne;
      };
    RewritePatternSet patterns(&getContext());
    populateFoldConstantPatterns(patterns, std::move(keep));
    if (failed(applyRaising(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void bquant::populateFoldConstantPatterns(
    RewritePatternSet &patterns, std::function<bool(Value result)> keep) {
  MLIRContext *context = patterns.getContext();
  patterns.add<FoldConstantTranspose, EraseAssertThatHolds>(context);
  if (!keep)
    patterns.add<FoldConstantSign>(context);
  patterns.add<FoldConstantGeneric>(context, std::move(keep));
}
