//===- RaiseProducts.cpp - Convolutions and matrix products ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The patterns are in Convolutions.cpp and Matmuls.cpp. Why a float product is
// left is known here only, of what was written: it stands in the IR until
// --bquant-explain-floats reads it, whatever its operands come to until then.

#include "ProductMatching.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "bquant/Dialect/BQuant/Transforms/Raise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace bquant {
#define GEN_PASS_DEF_RAISEPRODUCTS
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

namespace {

struct RaiseProductsPass : bquant::impl::RaiseProductsBase<RaiseProductsPass> {
  using RaiseProductsBase::RaiseProductsBase;

  void runOnOperation() override {
    Operation *root = getOperation();
    RaiseAssumptions assumptions{assumeNoNaN, assumeNoZero, assumeExactResidues,
                                 strictNaN};
    RewritePatternSet patterns(&getContext());
    populateRaiseProductPatterns(patterns, assumptions);
    if (failed(applyRaising(root, std::move(patterns))))
      return signalPassFailure();
    // The first reason counts: later ones are about what was computed of it.
    visitFloatProducts(root, [&](linalg::LinalgOp op) {
      if (op->hasAttr(kStaysFloat))
        return;
      (void)verifyFloatProduct(op, assumptions, [&](const Twine &message) {
        op->setDiscardableAttr(kStaysFloat,
                               StringAttr::get(&getContext(), message));
        return failure();
      });
    });
  }
};

} // namespace

void bquant::populateRaiseProductPatterns(RewritePatternSet &patterns,
                                          const RaiseAssumptions &assumptions) {
  populateRaiseConvolutionPatterns(patterns, assumptions);
  populateRaiseMatmulPatterns(patterns, assumptions);
}
