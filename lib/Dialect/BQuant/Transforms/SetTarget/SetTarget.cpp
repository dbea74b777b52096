//===- SetTarget.cpp - The machine, as an attribute of the module ---------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "bquant/Target/ModuleTarget.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace bquant {
#define GEN_PASS_DEF_SETTARGET
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

namespace {
struct SetTarget : bquant::impl::SetTargetBase<SetTarget> {
  using SetTargetBase::SetTargetBase;

  void runOnOperation() override {
    llvm::Expected<Target> target = resolveTarget({triple, chip, features});
    if (target)
      return setModuleTarget(getOperation(), *target);
    getOperation()->emitError(llvm::toString(target.takeError()));
    signalPassFailure();
  }
};
} // namespace
