//===- LowerLinalgPack.cpp - Tiles of a layout to dimensions --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By upstream's functions, which no pass of upstream calls. It comes before all
// canonicalization: that of MLIR 22 unpacks a slice of an unpacked tensor from
// the tiles of all of it, which does not verify.
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace bquant {
#define GEN_PASS_DEF_LOWERLINALGPACK
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;

static LogicalResult lowerPack(linalg::PackOp op, PatternRewriter &rewriter) {
  return linalg::lowerPack(rewriter, op, /*lowerPadLikeWithInsertSlice=*/false);
}

static LogicalResult lowerUnPack(linalg::UnPackOp op,
                                 PatternRewriter &rewriter) {
  return linalg::lowerUnPack(rewriter, op,
                             /*lowerUnpadLikeWithExtractSlice=*/false);
}

namespace {
struct LowerLinalgPack : bquant::impl::LowerLinalgPackBase<LowerLinalgPack> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add(lowerPack);
    patterns.add(lowerUnPack);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
