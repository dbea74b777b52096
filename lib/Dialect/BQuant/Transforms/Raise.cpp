//===- Raise.cpp - From linalg on tensors to bquant ops -------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of the parts, and what is left afterwards.

#include "bquant/Dialect/BQuant/Transforms/Raise.h"
#include "Elementwise.h"
#include "Products.h"
#include "SignIdiom.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/FormatVariadic.h"

namespace bquant {
#define GEN_PASS_DEF_RAISE
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

namespace {

/// A sign that takes zero or NaN elsewhere than bquant's does.
void explainOtherSigns(Operation *root) {
  root->walk([](linalg::GenericOp op) {
    if (!isPointwise(op))
      return;
    for (Value result : op.getResults()) {
      std::optional<FunctionOfSign> function = matchFunctionOfSign(result);
      if (!function || !function->isAlmostSign() || matchSign(result))
        continue;
      auto opts = remark::RemarkOpts::name("raise-sign").category("bquant");
      remark::missed(op.getLoc(), opts)
          << llvm::formatv("not bquant's sign: zero gives {0} and NaN gives "
                           "{1}, expected 1 and -1",
                           int(function->values[int(Kind::Zero)]),
                           int(function->values[int(Kind::NaN)]))
                 .str();
    }
  });
}

struct RaisePass : bquant::impl::RaiseBase<RaisePass> {
  using RaiseBase::RaiseBase;

  void runOnOperation() override {
    Operation *root = getOperation();
    if (failed(prepareForRaising(root, maxDense)))
      return signalPassFailure();
    convertToChannelsLast(root);
    RewritePatternSet signs(root->getContext()), products(root->getContext());
    populateRaiseSignPatterns(signs, assumeNoNaN, assumeNoZero);
    populateRaiseProductPatterns(products);
    if (failed(raise(root, std::move(signs))) ||
        failed(raise(root, std::move(products))))
      return signalPassFailure();
    explainOtherSigns(root);
    explainFloatProducts(root);
    // Equal quantizations of one value, and what has become dead.
    if (failed(prepareForRaising(root, maxDense)))
      return signalPassFailure();
  }

private:
  static LogicalResult raise(Operation *root, RewritePatternSet &&patterns) {
    if (failed(applyPatternsGreedily(root, std::move(patterns))))
      return root->emitError("expected raising to end");
    return success();
  }
};

} // namespace
