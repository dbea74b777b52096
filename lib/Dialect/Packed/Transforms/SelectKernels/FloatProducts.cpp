//===- FloatProducts.cpp - Linalg's products of floats --------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A named op leaves open whether a product is rounded before it is added;
// `bquant_packed.product` says it.
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/LinalgProducts.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/Packed/Transforms/SelectKernels.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace bquant;

namespace {
struct ConvertFloatProduct : OpInterfaceRewritePattern<linalg::LinalgOp> {
  ConvertFloatProduct(MLIRContext *context, bool fused)
      : OpInterfaceRewritePattern(context), fused(fused) {}

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<LinalgProduct> loops =
        getFloatProduct(op, [&](const Twine &reason) {
          return rewriter.notifyMatchFailure(op, reason);
        });
    if (failed(loops))
      return failure();
    rewriter.replaceOpWithNewOp<ProductOp>(
        op, /*kernel=*/Attribute(), fused, loops->operands[0],
        ValueRange(loops->operands[1]),
        /*levels=*/ValueRange(), op.getDpsInits(), loops->maps,
        /*ratios=*/DenseI64ArrayAttr());
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
