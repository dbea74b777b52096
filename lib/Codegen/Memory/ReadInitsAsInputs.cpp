//===- ReadInitsAsInputs.cpp - Inits that no fusion updates again ---------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before upstream's fusion of elementwise ops. Where a generic reads its init
// and one with more loops reads its result, that fuses them to one that updates
// the init once for each of those loops. And an init that nothing reads it
// replaces by an empty tensor without a layout.
//
//===----------------------------------------------------------------------===//

#include "bquant/Codegen/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/ADT/SetVector.h"

namespace bquant {
#define GEN_PASS_DEF_READINITSASINPUTS
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;

static Value createEmpty(OpBuilder &b, Location loc, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  return tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, like),
                                 type.getElementType(), type.getEncoding());
}

/// Whether a generic reads what `op` computes in more loops than that has: as
/// it is, or by what is fused on the way, in chains and through reshapes.
static bool isReadInMoreLoops(linalg::GenericOp op) {
  llvm::SetVector<Operation *> fused;
  fused.insert(op);
  for (size_t i = 0; i < fused.size(); ++i)
    for (OpOperand &use : fused[i]->getUses()) {
      auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
      if (reader && reader.isDpsInput(&use) &&
          !reader.getMatchingIndexingMap(&use).isPermutation())
        return true;
      if (reader ||
          isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(use.getOwner()))
        fused.insert(use.getOwner());
    }
  return false;
}

namespace {
struct ReadAsInputs : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    auto isRead = [&](OpOperand &init) {
      return op.payloadUsesValueFromOperand(&init) &&
             !init.get().getDefiningOp<tensor::EmptyOp>();
    };
    if (!op.hasPureTensorSemantics() ||
        op.getNumParallelLoops() != op.getNumLoops() ||
        llvm::none_of(op.getDpsInitsMutable(), isRead) ||
        !isReadInMoreLoops(op))
      return rewriter.notifyMatchFailure(op, "no update for more loops");
    SmallVector<Value> inputs(op.getInputs()), inits;
    SmallVector<AffineMap> inputMaps, initMaps;
    for (OpOperand *input : op.getDpsInputOperands())
      inputMaps.push_back(op.getMatchingIndexingMap(input));
    SmallVector<BlockArgument> read;
    for (OpOperand &init : op.getDpsInitsMutable()) {
      initMaps.push_back(op.getMatchingIndexingMap(&init));
      inits.push_back(init.get());
      if (!isRead(init))
        continue;
      read.push_back(op.getMatchingBlockArgument(&init));
      inputs.push_back(init.get());
      inputMaps.push_back(initMaps.back());
      inits.back() = createEmpty(rewriter, op.getLoc(), init.get());
    }
    inputMaps.append(initMaps);
    auto copy = linalg::GenericOp::create(
        rewriter, op.getLoc(), op->getResultTypes(), inputs, inits, inputMaps,
        op.getIteratorTypesArray());
    Block *body = op.getBody();
    for (auto [i, argument] : llvm::enumerate(read))
      rewriter.replaceAllUsesWith(
          argument, body->insertArgument(op.getNumDpsInputs() + i,
                                         argument.getType(), op.getLoc()));
    rewriter.inlineRegionBefore(op.getRegion(), copy.getRegion(),
                                copy.getRegion().begin());
    rewriter.replaceOp(op, copy);
    return success();
  }
};

/// Begins what is not read with an empty tensor, which fusion leaves as it is.
struct KeepLayouts : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    bool changed = false;
    for (OpOperand &init : op.getDpsInitsMutable()) {
      auto type = dyn_cast<RankedTensorType>(init.get().getType());
      if (!type || !type.getEncoding() ||
          op.payloadUsesValueFromOperand(&init) ||
          init.get().getDefiningOp<tensor::EmptyOp>())
        continue;
      Value empty = createEmpty(rewriter, op.getLoc(), init.get());
      rewriter.modifyOpInPlace(op, [&] { init.set(empty); });
      changed = true;
    }
    return success(changed);
  }
};

struct ReadInitsAsInputs
    : bquant::impl::ReadInitsAsInputsBase<ReadInitsAsInputs> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ReadAsInputs, KeepLayouts>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
