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
#include "Dialect/BQuant/Analysis/Elementwise.h"
#include "MatchSign.h"
#include "ProductMatching.h"
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
void explainOtherSigns(Operation *root, RaiseAssumptions assumptions) {
  assumptions.exactResidues = true;
  root->walk([&](linalg::GenericOp op) {
    if (!isPointwise(op))
      return;
    for (Value result : op.getResults()) {
      std::optional<FunctionOfSign> function =
          matchFunctionOfSign(result, assumptions);
      if (!function || !function->isAlmostSign())
        continue;
      auto opts = remark::RemarkOpts::name("raise-sign").category("bquant");
      auto remark = remark::missed(op.getLoc(), opts);
      if (function->isSign(assumptions))
        remark << "not bquant's sign: (s - x) + x is s up to 2^24 only "
                  "(assume-exact-residues takes it for s)";
      else
        remark << "not bquant's sign: " + function->describeOthers();
    }
  });
}

struct RaisePass : bquant::impl::RaiseBase<RaisePass> {
  using RaiseBase::RaiseBase;

  void runOnOperation() override {
    root = getOperation();
    RaiseAssumptions assumptions;
    assumptions.noNaN = assumeNoNaN;
    assumptions.noZero = assumeNoZero;
    assumptions.exactResidues = assumeExactResidues;
    assumptions.strictNaN = strictNaN;
    auto signs = [&](RewritePatternSet &patterns) {
      populateRaiseSignPatterns(patterns, assumptions);
    };
    auto products = [&](RewritePatternSet &patterns) {
      populateRaiseProductPatterns(patterns, assumptions);
    };
    // Before the products that read them.
    auto pools = [&](RewritePatternSet &patterns) {
      populateRaiseMaxPoolPatterns(patterns, assumptions);
    };
    auto constants = [&](RewritePatternSet &patterns) {
      populateFoldConstantPatterns(patterns, [&](Value result) {
        std::string reason;
        return matchCascade(result, assumptions, reason) || !reason.empty();
      });
    };
    auto all = [](RewritePatternSet &patterns) {
      populateFoldConstantPatterns(patterns);
    };
    if (failed(prepareForRaising(root, maxDense)))
      return signalPassFailure();
    convertToChannelsLast(root);
    auto flattened = [](RewritePatternSet &patterns) {
      populateNaturalMatmulPatterns(patterns);
      populateFlattenPatterns(patterns);
    };
    // Each consumer of an image has flattened it anew: they become one again.
    if (failed(apply(flattened)) || failed(prepareForRaising(root, maxDense)))
      return signalPassFailure();
    // The signs of a filter before what is computed of constants: its cascade
    // says more than what it comes to. What is left of that is a constant then.
    if (failed(apply(signs)) || failed(apply(constants)) ||
        failed(apply(signs)) || failed(apply(pools)) || failed(apply(products)))
      return signalPassFailure();
    // The reasons are about what was written, not about what it comes to.
    llvm::DenseMap<Location, std::string> reasons;
    visitFloatProducts(root, [&](linalg::LinalgOp op) {
      reasons[op.getLoc()] = explainFloatProduct(op, assumptions);
    });
    if (failed(apply(all)) || failed(apply(pools)) || failed(apply(products)))
      return signalPassFailure();
    explainOtherSigns(root, assumptions);
    visitFloatProducts(root, [&](linalg::LinalgOp op) {
      std::string why = reasons.lookup(op.getLoc());
      if (why.empty())
        why = explainFloatProduct(op, assumptions);
      if (why.empty())
        why = explainFloatInput(op.getDpsInputs()[0], assumptions);
      auto opts = remark::RemarkOpts::name("raise-product").category("bquant");
      remark::missed(op.getLoc(), opts) << why;
    });
    root->walk([&](Operation *op) {
      if (!isa<Conv2DOp, MatmulOp>(op) ||
          !isa<RankedTensorType>(op->getOperand(0).getType()))
        return;
      auto opts = remark::RemarkOpts::name("raise-product").category("bquant");
      remark::missed(op->getLoc(), opts)
          << explainFloatInput(op->getOperand(0), assumptions);
    });
    // Equal quantizations of one value, and what has become dead.
    if (failed(prepareForRaising(root, maxDense)))
      return signalPassFailure();
  }

private:
  LogicalResult apply(function_ref<void(RewritePatternSet &)> populate) {
    RewritePatternSet patterns(root->getContext());
    populate(patterns);
    if (failed(applyPatternsGreedily(root, std::move(patterns))))
      return root->emitError("expected raising to end");
    return success();
  }

  Operation *root;
};

} // namespace
