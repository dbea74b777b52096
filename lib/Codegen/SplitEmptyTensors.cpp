//===- SplitEmptyTensors.cpp - An empty tensor for each use ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %e = tensor.empty()
//   %a = ... outs(%e)
//   %b = ... outs(%e)
//
// becomes
//
//   %d = tensor.empty()
//   %e = tensor.empty()
//   %a = ... outs(%e)
//   %b = ... outs(%d)
//
//===----------------------------------------------------------------------===//

#include "bquant/Codegen/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace bquant {
#define GEN_PASS_DEF_SPLITEMPTYTENSORS
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;

namespace {
struct SplitEmptyTensors
    : bquant::impl::SplitEmptyTensorsBase<SplitEmptyTensors> {
  void runOnOperation() override {
    getOperation()->walk([](tensor::EmptyOp empty) {
      if (empty->use_empty())
        return;
      OpBuilder b(empty);
      for (OpOperand &use : llvm::make_early_inc_range(
               llvm::drop_begin(empty.getResult().getUses())))
        use.set(b.clone(*empty)->getResult(0));
    });
  }
};
} // namespace
