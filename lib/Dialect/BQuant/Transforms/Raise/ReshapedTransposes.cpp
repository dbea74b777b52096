//===- ReshapedTransposes.cpp - Transposes on both sides of a view --------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %t = linalg.transpose ins(%x : 4x5x12) permutation = [2, 0, 1]
//   %e = tensor.expand_shape %t [[0, 1], [2], [3]] into 3x4x4x5
//   %r = linalg.transpose ins(%e) permutation = [1, 2, 0, 3]
//
// becomes
//
//   %e = tensor.expand_shape %x [[0], [1], [2, 3]] into 4x5x3x4
//   %r = linalg.transpose ins(%e) permutation = [3, 0, 2, 1]
//
// The tiles that a transposed convolution writes are such, channels first: the
// product's transpose back, their own, and that to channels last again.
//
// Upstream moves a linalg.generic past a reshape
// (linalg::populateFoldReshapeOpsByExpansionPatterns), and folds a transpose of
// a transpose; not a transpose past a reshape.
//
//===----------------------------------------------------------------------===//

#include "ReshapedTransposes.h"
#include "Transposes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;

static linalg::TransposeOp getTranspose(Value value) {
  auto op = value.getDefiningOp<linalg::TransposeOp>();
  return op && op.hasPureTensorSemantics() ? op : nullptr;
}

namespace {
struct TransposeOfExpanded : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto expand = op.getInput().getDefiningOp<tensor::ExpandShapeOp>();
    linalg::TransposeOp inner =
        expand ? getTranspose(expand.getSrc()) : nullptr;
    if (!inner || !op.hasPureTensorSemantics() ||
        !expand.getResultType().hasStaticShape())
      return failure();
    ArrayRef<int64_t> shape = expand.getResultType().getShape();
    SmallVector<ReassociationIndices> groups = expand.getReassociationIndices();
    // Dimension i of what is expanded is permutation[i] of the input.
    ArrayRef<int64_t> permutation = inner.getPermutation();
    SmallVector<ReassociationIndices> own(groups.size());
    SmallVector<int64_t> sizes, position(shape.size());
    for (size_t dim = 0; dim < groups.size(); ++dim)
      for (int64_t part : groups[llvm::find(permutation, int64_t(dim)) -
                                 permutation.begin()]) {
        position[part] = sizes.size();
        own[dim].push_back(sizes.size());
        sizes.push_back(shape[part]);
      }
    Value expanded = tensor::ExpandShapeOp::create(
        rewriter, expand.getLoc(), expand.getResultType().clone(sizes),
        inner.getInput(), own);
    SmallVector<int64_t> composed;
    for (int64_t dim : op.getPermutation())
      composed.push_back(position[dim]);
    rewriter.replaceOp(
        op, createTranspose(rewriter, op.getLoc(), expanded, composed));
    return success();
  }
};

struct TransposeOfCollapsed : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto collapse = op.getInput().getDefiningOp<tensor::CollapseShapeOp>();
    linalg::TransposeOp inner =
        collapse ? getTranspose(collapse.getSrc()) : nullptr;
    if (!inner || !op.hasPureTensorSemantics() ||
        !collapse.getSrcType().hasStaticShape())
      return failure();
    SmallVector<ReassociationIndices> groups =
        collapse.getReassociationIndices();
    SmallVector<ReassociationIndices> own;
    SmallVector<int64_t> composed;
    for (int64_t dim : op.getPermutation()) {
      own.emplace_back();
      for (int64_t part : groups[dim]) {
        own.back().push_back(composed.size());
        composed.push_back(inner.getPermutation()[part]);
      }
    }
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
        op, op->getResult(0).getType(),
        createTranspose(rewriter, inner.getLoc(), inner.getInput(), composed),
        own);
    return success();
  }
};
} // namespace

void bquant::populateReshapedTransposePatterns(RewritePatternSet &patterns) {
  patterns.add<TransposeOfExpanded, TransposeOfCollapsed>(
      patterns.getContext());
}
