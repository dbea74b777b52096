//===- LowerRounding.cpp - Rounding as a part of the conversion -----------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x86 rounds where it converts to integers. Its back end does so for lrint
// alone, while AArch64's finds the two ops; arith and math have no such op.
//
//===----------------------------------------------------------------------===//

#include "bquant/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/TargetParser/Triple.h"

namespace bquant {
#define GEN_PASS_DEF_LOWERROUNDING
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;

namespace {
struct RoundInConversion : OpRewritePattern<arith::FPToSIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::FPToSIOp op,
                                PatternRewriter &rewriter) const override {
    auto rounded = op.getIn().getDefiningOp<math::RoundEvenOp>();
    if (!rounded || !getElementTypeOrSelf(op.getIn()).isF32() ||
        !getElementTypeOrSelf(op.getType()).isInteger(32))
      return failure();
    rewriter.replaceOpWithNewOp<LLVM::LrintOp>(op, op.getType(),
                                               rounded.getOperand());
    return success();
  }
};

struct LowerRounding : bquant::impl::LowerRoundingBase<LowerRounding> {
  void runOnOperation() override {
    auto target = getOperation()->getAttrOfType<LLVM::TargetAttr>(
        LLVM::LLVMDialect::getTargetAttrName());
    if (!target || !llvm::Triple(target.getTriple().getValue()).isX86())
      return;
    RewritePatternSet patterns(&getContext());
    patterns.add<RoundInConversion>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
