//===- PrepareForRaising.cpp - One form for what is written differently ---===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/Elementwise.h"
#include "ProductMatching.h"
#include "Support/Canonicalization.h"
#include "Support/NegativePads.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "bquant/Dialect/BQuant/Transforms/Raise.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace bquant {
#define GEN_PASS_DEF_PREPAREFORRAISING
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

namespace {

/// Named elementwise ops, broadcasts and reductions become `linalg.generic`.
/// Fills and transposes are easier to read as they are.
struct GeneralizeElementwise : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    bool elementwise = op.getNumParallelLoops() == op.getNumLoops();
    if (isa<linalg::GenericOp, linalg::FillOp, linalg::TransposeOp>(op) ||
        !(elementwise || isa<linalg::ReduceOp>(op)))
      return rewriter.notifyMatchFailure(op, "no named elementwise op");
    return linalg::generalizeNamedOp(rewriter, op);
  }
};

/// Reads the first element of a dimension of size 1 by the loop of size 1 that
/// belongs to it: (d0, d1) -> (0, d1) becomes the identity.
struct ReadUnitsByLoops : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<int64_t> loops = op.getStaticLoopRanges();
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    bool changed = false;
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap &map = maps[operand.getOperandNumber()];
      if (map.getNumResults() != loops.size() || map.isIdentity())
        continue;
      ArrayRef<int64_t> shape = op.getShape(&operand);
      SmallVector<AffineExpr> results(map.getResults());
      for (auto [i, expr] : llvm::enumerate(results))
        if (loops[i] == 1 && shape[i] == 1 && expr == 0)
          expr = rewriter.getAffineDimExpr(i);
      auto read =
          AffineMap::get(map.getNumDims(), 0, results, rewriter.getContext());
      if (!read.isIdentity())
        continue;
      map = read;
      changed = true;
    }
    if (!changed)
      return rewriter.notifyMatchFailure(op, "no unit dimension read at 0");
    rewriter.modifyOpInPlace(op, [&] {
      op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
    return success();
  }
};

/// Constant operands that are broadcast: one number moves into the body, others
/// lose their dimensions of size 1 (1xCx1x1 by (0, d1, 0, 0) is C by (d1)).
struct SimplifyParameters : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() ||
        op.getNumParallelLoops() != op.getNumLoops())
      return rewriter.notifyMatchFailure(op, "not elementwise on tensors");
    for (OpOperand *input : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(input);
      auto attr =
          dyn_cast_or_null<DenseElementsAttr>(getConstantTensor(input->get()));
      if (!attr || map.isIdentity())
        continue;
      BlockArgument argument = op.getMatchingBlockArgument(input);
      // A complex number has no attribute that arith.constant takes.
      auto splat = dyn_cast_or_null<TypedAttr>(
          attr.isSplat() ? attr.getSplatValue<Attribute>() : Attribute());
      if (splat && !argument.use_empty()) {
        rewriter.setInsertionPointToStart(op.getBlock());
        Value number = arith::ConstantOp::create(rewriter, op.getLoc(), splat);
        rewriter.replaceAllUsesWith(argument, number);
        return success();
      }
      if (succeeded(dropUnits(op, *input, attr, rewriter)))
        return success();
    }
    return rewriter.notifyMatchFailure(op, "no constant broadcast");
  }

private:
  static LogicalResult dropUnits(linalg::GenericOp op, OpOperand &input,
                                 DenseElementsAttr attr,
                                 PatternRewriter &rewriter) {
    AffineMap map = op.getMatchingIndexingMap(&input);
    SmallVector<AffineExpr> results;
    SmallVector<int64_t> shape;
    for (auto [expr, size] :
         llvm::zip(map.getResults(), attr.getType().getShape()))
      if (size != 1) {
        results.push_back(expr);
        shape.push_back(size);
      }
    if (results.size() == map.getNumResults())
      return failure();
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    maps[input.getOperandNumber()] =
        AffineMap::get(map.getNumDims(), 0, results, map.getContext());
    rewriter.setInsertionPoint(op);
    Value constant =
        arith::ConstantOp::create(rewriter, input.get().getLoc(),
                                  attr.reshape(attr.getType().clone(shape)));
    rewriter.modifyOpInPlace(op, [&] {
      input.set(constant);
      op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
    return success();
  }
};

/// An op that yields numbers only, such as a broadcast of one, is a splat.
struct FoldYieldedNumbers : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!isPointwise(op) || op.hasDynamicShape())
      return rewriter.notifyMatchFailure(op, "not pointwise of static shapes");
    SmallVector<Attribute> numbers;
    for (Value value : op.getBlock()->getTerminator()->getOperands())
      if (!matchPattern(value, m_Constant(&numbers.emplace_back())))
        return rewriter.notifyMatchFailure(op, "computes something");
    SmallVector<Value> splats;
    for (auto [type, number] : llvm::zip_equal(op.getResultTypes(), numbers))
      splats.push_back(arith::ConstantOp::create(
          rewriter, op.getLoc(),
          DenseElementsAttr::get(cast<ShapedType>(type), number)));
    rewriter.replaceOp(op, splats);
    return success();
  }
};

/// Folders do not read resources, and some crash on them.
void makeSmallResourcesDense(Operation *root, int64_t maxDense) {
  root->walk([&](arith::ConstantOp op) {
    auto attr = dyn_cast<DenseResourceElementsAttr>(op.getValue());
    if (!attr || attr.getNumElements() > maxDense)
      return;
    // Elements smaller than a byte have another layout in dense attributes.
    Type element = attr.getElementType();
    std::optional<ArrayRef<char>> raw = getRawBytes(attr);
    if (raw && element.isIntOrFloat() &&
        element.getIntOrFloatBitWidth() % 8 == 0)
      op.setValueAttr(
          DenseElementsAttr::getFromRawBuffer(attr.getType(), *raw));
  });
}

/// Canonicalization of what is there and of what the patterns here create; not
/// of every dialect that some other tool has registered.
void populateCanonicalizationPatterns(Operation *root,
                                      RewritePatternSet &patterns) {
  MLIRContext *context = root->getContext();
  llvm::SmallPtrSet<Dialect *, 16> atHand = {
      context->getLoadedDialect<affine::AffineDialect>(),
      context->getLoadedDialect<arith::ArithDialect>(),
      context->getLoadedDialect<BQuantDialect>(),
      context->getLoadedDialect<linalg::LinalgDialect>(),
      context->getLoadedDialect<tensor::TensorDialect>()};
  root->walk([&](Operation *op) { atHand.insert(op->getDialect()); });
  for (Dialect *dialect : context->getLoadedDialects())
    if (atHand.contains(dialect))
      dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    if (atHand.contains(&op.getDialect()))
      op.getCanonicalizationPatterns(patterns, context);
}

/// `Not`, which some write as a comparison of bits with false, is an xor.
struct CompareBitsByXor : OpRewritePattern<arith::CmpIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::CmpIOp op,
                                PatternRewriter &rewriter) const override {
    bool equal = op.getPredicate() == arith::CmpIPredicate::eq;
    if (!op.getLhs().getType().isInteger(1) ||
        !(equal || op.getPredicate() == arith::CmpIPredicate::ne))
      return rewriter.notifyMatchFailure(op, "no equality of bits");
    Value differs = rewriter.createOrFold<arith::XOrIOp>(
        op.getLoc(), op.getLhs(), op.getRhs());
    if (equal) {
      Value one = arith::ConstantOp::create(rewriter, op.getLoc(),
                                            rewriter.getBoolAttr(true));
      differs = rewriter.createOrFold<arith::XOrIOp>(op.getLoc(), differs, one);
    }
    rewriter.replaceOp(op, differs);
    return success();
  }
};

/// A product of a batch of one, as TOSA writes each, is one without a batch.
struct DropUnitBatch : OpRewritePattern<linalg::BatchMatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::BatchMatmulOp op,
                                PatternRewriter &rewriter) const override {
    auto isOne = [](Value value) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      return type && type.hasStaticShape() && type.getDimSize(0) == 1;
    };
    if (op.hasUserDefinedMaps() || !llvm::all_of(op->getOperands(), isOne) ||
        op.getCast() != linalg::TypeFn::cast_signed)
      return failure();
    const SmallVector<ReassociationIndices> dims{{0, 1}, {2}};
    auto drop = [&](Value value) {
      return rewriter.createOrFold<tensor::CollapseShapeOp>(op.getLoc(), value,
                                                            dims);
    };
    Value init = drop(op.getDpsInits().front());
    auto matmul = linalg::MatmulOp::create(
        rewriter, op.getLoc(), init.getType(),
        ValueRange{drop(op.getInputs()[0]), drop(op.getInputs()[1])}, init);
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
        op, op.getResultTypes().front(), matmul->getResult(0), dims);
    return success();
  }
};

struct PrepareForRaisingPass
    : bquant::impl::PrepareForRaisingBase<PrepareForRaisingPass> {
  using PrepareForRaisingBase::PrepareForRaisingBase;

  void runOnOperation() override {
    if (failed(prepareForRaising(getOperation(), maxDense)))
      signalPassFailure();
  }
};

} // namespace

LogicalResult bquant::prepareForRaising(Operation *root, int64_t maxDense) {
  makeSmallResourcesDense(root, maxDense);
  MLIRContext *context = root->getContext();
  RewritePatternSet patterns(context);
  linalg::populateElementwiseToLinalgConversionPatterns(patterns);
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  // Scalars are slices of one constant, which so has many uses.
  tensor::populateFoldConstantExtractSlicePatterns(
      patterns, [](tensor::ExtractSliceOp) { return true; });
  tensor::populateDecomposeTensorConcatPatterns(patterns);
  populateSplitNegativePadPatterns(patterns);
  patterns.add<CompareBitsByXor, DropUnitBatch, GeneralizeElementwise,
               ReadUnitsByLoops, SimplifyParameters, FoldYieldedNumbers>(
      context);
  populateZeroPointPatterns(patterns);
  populateConvolutionFormPatterns(patterns);
  populateGroupsLastPatterns(patterns);
  populateCanonicalizationPatterns(root, patterns);
  FrozenRewritePatternSet frozen(std::move(patterns), getUnusedPatterns());
  if (failed(applyPatternsGreedily(root, frozen)))
    return root->emitError("expected the preparation of ops to end");
  IRRewriter rewriter(context);
  DominanceInfo dominance(root);
  eliminateCommonSubExpressions(rewriter, dominance, root);
  return success();
}
