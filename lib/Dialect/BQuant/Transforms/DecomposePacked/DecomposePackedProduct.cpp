//===- DecomposePackedProduct.cpp - Packed products to linalg -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One generic whose body is what the kernel says that a step means, for each
// pair of planes. Channels are found in the blocks of the filter by the maps.
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/BQuant/Transforms/DecomposePacked.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace bquant;

namespace {
struct DecomposePackedProduct : OpRewritePattern<PackedProductOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PackedProductOp op,
                                PatternRewriter &rewriter) const override {
    KernelAttrInterface kernel = op.getKernelInterface();
    if (!kernel)
      return rewriter.notifyMatchFailure(op, "has a kernel without a meaning");
    ProductForm form = op.getForm();
    unsigned channel = op.getNumParallelLoops() - 1;
    AffineExpr lane =
        kernel.getLane(rewriter.getAffineDimExpr(channel) % kernel.getBlock());
    SmallVector<AffineMap> maps = op.getMaps();
    SmallVector<Value> operands(op.getInputs());
    llvm::append_range(operands, op.getFilters());
    for (auto [map, operand] : llvm::zip_equal(maps, operands))
      if (int64_t(map.getNumResults()) <
          cast<RankedTensorType>(operand.getType()).getRank())
        map = map.insertResult(lane, map.getNumResults());
    maps.append(op.getInits().size(),
                rewriter.getMultiDimIdentityMap(maps.front().getNumDims())
                    .getMajorSubMap(channel + 1));
    size_t inputs = op.getInputs().size(), filters = op.getFilters().size();
    size_t inputParts = form.maskedInput ? 2 : 1,
           filterParts = form.maskedFilter ? 2 : 1;
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, op->getResultTypes(), operands, op.getInits(), maps,
        op.getLoopIteratorTypes(),
        [&](OpBuilder &builder, Location loc, ValueRange args) {
          ImplicitLocOpBuilder b(loc, builder);
          SmallVector<Value> sums(args.drop_front(inputs + filters));
          size_t pair = 0, pairs = sums.size() / form.getNumResults();
          for (size_t i = 0; i < inputs; i += inputParts)
            for (size_t j = 0; j < filters; j += filterParts, ++pair)
              for (auto [k, value] : llvm::enumerate(kernel.emitMeaning(
                       b, form, args.slice(i, inputParts),
                       args.slice(inputs + j, filterParts)))) {
                Value &sum = sums[k * pairs + pair];
                sum = arith::AddIOp::create(b, sum, value);
              }
          linalg::YieldOp::create(b, sums);
        });
    return success();
  }
};
} // namespace

void bquant::populateDecomposePackedProductPatterns(
    RewritePatternSet &patterns) {
  patterns.add<DecomposePackedProduct>(patterns.getContext());
}
