//===- LowerMaxNum.cpp - maxnum by comparisons ----------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a loop that reduces by llvm.maxnum LLVM 22's vectorizer leaves the last
// steps out where there are few. Upstream's --arith-expand makes comparisons of
// it, but of maximumf, too, which is an instruction or two. This pass has its
// patterns for maxnumf and minnumf alone.
//
//===----------------------------------------------------------------------===//

#include "bquant/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Transforms/DialectConversion.h"

namespace bquant {
#define GEN_PASS_DEF_LOWERMAXNUM
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;

namespace {
struct LowerMaxNum : bquant::impl::LowerMaxNumBase<LowerMaxNum> {
  void runOnOperation() override {
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *op) {
      return !isa<arith::MaxNumFOp, arith::MinNumFOp>(op);
    });
    RewritePatternSet patterns(&getContext());
    arith::populateArithExpandOpsPatterns(patterns);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
