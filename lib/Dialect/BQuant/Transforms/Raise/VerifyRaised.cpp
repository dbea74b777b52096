//===- VerifyRaised.cpp - The contract of what is raised ------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"

namespace bquant {
#define GEN_PASS_DEF_VERIFYRAISED
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

namespace {

bool isScaledBinary(Type type) {
  return type.walk([](SBTensorType) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

struct VerifyRaised : bquant::impl::VerifyRaisedBase<VerifyRaised> {
  using VerifyRaisedBase::VerifyRaisedBase;

  void runOnOperation() override {
    // All of them, not only the first: the user has to see which layers.
    bool failed = false;
    getOperation()->walk([&](Operation *op) {
      StringRef name = op->getName().getStringRef();
      if (name.starts_with("linalg.") && name.contains("nchw")) {
        op->emitOpError() << "[verify_raised_c1] expected channels-last "
                             "convolutions and poolings only";
        failed = true;
      }
      // A cast stands where a program speaks words at its border.
      bool ours = isa_and_nonnull<BQuantDialect>(op->getDialect()) ||
                  isa<UnrealizedConversionCastOp>(op);
      if (!ours && (llvm::any_of(op->getOperandTypes(), isScaledBinary) ||
                    llvm::any_of(op->getResultTypes(), isScaledBinary))) {
        op->emitOpError() << "[verify_raised_c2] expected scaled-binary values "
                             "between bquant ops only";
        failed = true;
      }
      for (Region &region : op->getRegions())
        for (Block &block : region)
          if (llvm::any_of(block.getArgumentTypes(), isScaledBinary)) {
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
