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
// Of vectors only where AVX is: LLVM 22 lets the instruction read memory
// whatever its alignment, and that of SSE faults where it is less than 16
// bytes.
//
//===----------------------------------------------------------------------===//

#include "bquant/Codegen/Passes.h"
#include "bquant/Target/ModuleTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace bquant {
#define GEN_PASS_DEF_LOWERROUNDING
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;

namespace {
struct RoundInConversion : OpRewritePattern<arith::FPToSIOp> {
  RoundInConversion(MLIRContext *context, bool hasAVX)
      : OpRewritePattern(context), hasAVX(hasAVX) {}

  LogicalResult matchAndRewrite(arith::FPToSIOp op,
                                PatternRewriter &rewriter) const override {
    auto rounded = op.getIn().getDefiningOp<math::RoundEvenOp>();
    if (!rounded || !getElementTypeOrSelf(op.getIn()).isF32() ||
        !getElementTypeOrSelf(op.getType()).isInteger(32) ||
        !LLVM::isCompatibleType(op.getType()) ||
        (isa<VectorType>(op.getType()) && !hasAVX))
      return failure();
    rewriter.replaceOpWithNewOp<LLVM::LrintOp>(op, op.getType(),
                                               rounded.getOperand());
    return success();
  }

  bool hasAVX;
};

struct LowerRounding : bquant::impl::LowerRoundingBase<LowerRounding> {
  void runOnOperation() override {
    FailureOr<std::optional<bquant::Target>> target =
        bquant::getModuleTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    if (!*target || !(*target)->triple.isX86())
      return;
    RewritePatternSet patterns(&getContext());
    patterns.add<RoundInConversion>(&getContext(), (*target)->has("avx"));
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
