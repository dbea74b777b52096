//===- FloatProducts.cpp - --bquant-float-products ------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The generics are those of upstream's linalg::generalizeNamedOp.
// --linalg-generalize-named-ops alone would take all named ops, and leave mulf
// and addf in the body: two roundings, where the fast route and the reference
// have to agree on one.
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace bquant {
#define GEN_PASS_DEF_FLOATPRODUCTS
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

/// Replaces `acc + a * b` in the body of a product by an fma.
static void useFma(RewriterBase &rewriter, linalg::GenericOp op) {
  auto yield = cast<linalg::YieldOp>(op.getBody()->getTerminator());
  auto add = yield.getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!add)
    return;
  BlockArgument acc = op.getRegionOutputArgs()[0];
  Value product = add.getLhs() == acc ? add.getRhs() : add.getLhs();
  auto mul = product.getDefiningOp<arith::MulFOp>();
  if (!mul || !mul->hasOneUse() || (add.getLhs() != acc && add.getRhs() != acc))
    return;
  rewriter.setInsertionPoint(add);
  rewriter.replaceOpWithNewOp<math::FmaOp>(add, mul.getLhs(), mul.getRhs(),
                                           acc);
  rewriter.eraseOp(mul);
}

namespace {
struct FloatProducts : bquant::impl::FloatProductsBase<FloatProducts> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> products;
    getOperation().walk([&](linalg::LinalgOp op) {
      bool named = !isa<linalg::GenericOp, linalg::MapOp, linalg::ReduceOp,
                        linalg::FillOp>(op.getOperation());
      if (named && op.getNumReductionLoops() > 0 && op.getNumDpsInputs() == 2 &&
          op.getNumDpsInits() == 1 &&
          getElementTypeOrSelf(op.getDpsInits()[0].getType()).isF32())
        products.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : products) {
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::GenericOp> generic =
          linalg::generalizeNamedOp(rewriter, op);
      if (succeeded(generic))
        useFma(rewriter, *generic);
    }
  }
};
} // namespace
