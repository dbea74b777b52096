//===- VerifyWords.cpp - No scaled-binary value is left -------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A ConversionTarget without patterns, upstream's way to check a contract,
// stops at the first operation; here all of them are reported.
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/IR/ScaledBinaryUses.h"
#include "bquant/Conversion/Passes.h"
#include "mlir/IR/BuiltinOps.h"

namespace bquant {
#define GEN_PASS_DEF_VERIFYWORDS
#include "bquant/Conversion/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

namespace {
struct VerifyWords : bquant::impl::VerifyWordsBase<VerifyWords> {
  using Base::Base;

  void runOnOperation() override {
    // All of them, not only the first: the user has to see which layers.
    bool failed = false;
    getOperation()->walk([&](Operation *op) {
      bool ours = isa_and_nonnull<BQuantDialect>(op->getDialect());
      if (isa<SolveOp>(op))
        return;
      // Casts around an op that stayed are reported as that op.
      if (!ours && (isa<UnrealizedConversionCastOp>(op) ||
                    llvm::none_of(op->getResultTypes(), isScaledBinary)))
        return;
      failed = true;
      if (auto quantize = dyn_cast<QuantizeOp>(op);
          quantize && quantize.getSchemeAttr()) {
        emitError(op->getLoc())
            << "[verify_words_c2] expected a scheme that can be solved at run "
               "time (ls of 1, 2 or T, gf, twn) and a static shape, but got "
            << quantize.getSchemeAttr() << " of " << quantize.getType()
            << ", a value computed at run time";
        return;
      }
      emitError(op->getLoc())
          << "[verify_words_c1] expected no bquant op but solve here, but got '"
          << op->getName() << "'";
    });
    if (failed)
      signalPassFailure();
  }
};
} // namespace
