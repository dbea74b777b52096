//===- FloatProducts.cpp - Linalg's products of floats --------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A named op leaves open whether a product is rounded before it is added;
// `bquant.float_product` says it. The loops become those of the result in its
// order, then the reductions in theirs: the order of each sum stays.
//
//===----------------------------------------------------------------------===//

#include "FloatProducts.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/BQuant/Transforms/SelectKernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace bquant;

/// Whether the body of `op` is `acc + a * b`.
static bool sumsProducts(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  Value a = body->getArgument(0), b = body->getArgument(1),
        acc = body->getArgument(2);
  auto add =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!add || (add.getLhs() != acc && add.getRhs() != acc))
    return false;
  Value product = add.getLhs() == acc ? add.getRhs() : add.getLhs();
  auto mul = product.getDefiningOp<arith::MulFOp>();
  return mul && ((mul.getLhs() == a && mul.getRhs() == b) ||
                 (mul.getLhs() == b && mul.getRhs() == a));
}

/// The loops of the result of `op` in its order, then the reductions.
static FailureOr<SmallVector<unsigned>> orderLoops(linalg::LinalgOp op) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!map.isProjectedPermutation())
    return failure();
  SmallVector<unsigned> order, reductions;
  for (AffineExpr index : map.getResults())
    order.push_back(cast<AffineDimExpr>(index).getPosition());
  op.getReductionDims(reductions);
  llvm::append_range(order, reductions);
  if (order.size() != op.getNumLoops())
    return failure();
  return order;
}

FailureOr<FloatProductLoops>
bquant::getFloatProductLoops(linalg::LinalgOp op,
                             function_ref<void(const Twine &)> explain) {
  auto fail = [&](const Twine &reason) {
    explain(reason);
    return failure();
  };
  if (isa<linalg::GenericOp, linalg::MapOp, linalg::ReduceOp>(
          op.getOperation()))
    return fail("its body is written out");
  if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() == 0 ||
      op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return fail("no product of two tensors");
  for (Type type : op->getOperandTypes())
    if (!isa<RankedTensorType>(type) || !getElementTypeOrSelf(type).isF32())
      return fail("not all of it is f32");
  if (!sumsProducts(op))
    return fail("no sum of products");
  FailureOr<SmallVector<unsigned>> order = orderLoops(op);
  if (failed(order))
    return fail("the result is not indexed by all parallel loops");

  SmallVector<AffineExpr> loops(order->size());
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  FloatProductLoops result;
  for (auto [to, from] : llvm::enumerate(*order)) {
    loops[from] = getAffineDimExpr(to, op.getContext());
    result.sizes.push_back(ranges[from]);
  }
  result.parallel = op.getNumParallelLoops();
  for (OpOperand *input : op.getDpsInputOperands()) {
    result.operands.push_back(input->get());
    result.maps.push_back(
        op.getMatchingIndexingMap(input).replaceDimsAndSymbols(
            loops, {}, loops.size(), 0));
  }
  // The filter has the channels: of a matrix by a vector it is the matrix.
  if (result.parallel > 0 &&
      !result.maps[1].isFunctionOfDim(result.parallel - 1)) {
    std::swap(result.maps[0], result.maps[1]);
    std::swap(result.operands[0], result.operands[1]);
  }
  return result;
}

namespace {
struct ConvertFloatProduct : OpInterfaceRewritePattern<linalg::LinalgOp> {
  ConvertFloatProduct(MLIRContext *context, bool fused)
      : OpInterfaceRewritePattern(context), fused(fused) {}

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<FloatProductLoops> loops =
        getFloatProductLoops(op, [&](const Twine &reason) {
          (void)rewriter.notifyMatchFailure(op, reason);
        });
    if (failed(loops))
      return failure();
    rewriter.replaceOpWithNewOp<FloatProductOp>(
        op, op->getResultTypes(), /*kernel=*/Attribute(), fused,
        loops->operands[0], ValueRange(loops->operands[1]), op.getDpsInits(),
        rewriter.getAffineMapArrayAttr(loops->maps), DenseI64ArrayAttr());
    return success();
  }

private:
  bool fused;
};
} // namespace

void bquant::populateFloatProductPatterns(RewritePatternSet &patterns,
                                          bool fused) {
  patterns.add<ConvertFloatProduct>(patterns.getContext(), fused);
}
