//===- VerifyRaised.cpp - The contract of what is raised ------------------===//
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
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace bquant {
#define GEN_PASS_DEF_VERIFYRAISED
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

namespace {

struct VerifyRaised : bquant::impl::VerifyRaisedBase<VerifyRaised> {
  using VerifyRaisedBase::VerifyRaisedBase;

  void runOnOperation() override {
    // All of them, not only the first: the user has to see which layers.
    bool failed = false;
    getOperation()->walk([&](Operation *op) {
      StringRef name = op->getName().getStringRef();
      if (name.starts_with("linalg.") && name.contains("nchw")) {
        auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
        bool onTensors = linalgOp && linalgOp.hasPureTensorSemantics();
        op->emitOpError() << "[verify_raised_c1] expected a convolution or "
                             "pooling on tensors that has a channels-last "
                             "form, but got "
                          << name << (onTensors ? "" : " on memrefs");
        failed = true;
      }
      if (misusesScaledBinary(op)) {
        op->emitOpError() << "[verify_raised_c2] expected scaled-binary values "
                             "between bquant ops only";
        failed = true;
      }
      if (!getScaledBinaryArguments(op).empty()) {
        op->emitOpError() << "[verify_raised_c3] expected no scaled-binary "
                             "block arguments";
        failed = true;
      }
    });
    if (failed)
      signalPassFailure();
  }
};

} // namespace
