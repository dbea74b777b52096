//===- LowerPads.cpp - Padding to a fill and an insertion -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %p = tensor.pad %x low[..] high[..] { %c }
//
// becomes a tensor.insert_slice into a linalg.fill.
//
// The pattern is upstream's, which no upstream pass but the transform dialect's
// apply_patterns.linalg.decompose_pad has: that would cost an interpreter and a
// script in the route.
//
//===----------------------------------------------------------------------===//

#include "bquant/Codegen/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace bquant {
#define GEN_PASS_DEF_LOWERPADS
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;

namespace {
struct LowerPads : bquant::impl::LowerPadsBase<LowerPads> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    linalg::populateDecomposePadPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
