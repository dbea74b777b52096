//===- DropAsserts.cpp - --bquant-drop-asserts ----------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Remarks.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

namespace bquant {
#define GEN_PASS_DEF_DROPASSERTS
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;

namespace {
struct DropAsserts : bquant::impl::DropAssertsBase<DropAsserts> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](cf::AssertOp op) {
      bquant::remarks::missed(op.getLoc(), "drop-asserts")
          << remark::add("left out the assert \"{0}\": where it fails the "
                         "program computes on",
                         op.getMsg());
      op.erase();
    });
  }
};
} // namespace
