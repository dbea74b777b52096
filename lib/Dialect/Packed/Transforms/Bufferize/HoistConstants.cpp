//===- HoistConstants.cpp - Constant tensors in front of layers -----------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/Packed/IR/Packed.h"
#include "bquant/Dialect/Packed/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace bquant {
#define GEN_PASS_DEF_HOISTCONSTANTS
#include "bquant/Dialect/Packed/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

namespace {
struct HoistConstants : bquant::impl::HoistConstantsBase<HoistConstants> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](packed::LayerOp layer) {
      SmallVector<Operation *> constants;
      layer.getBody()->walk([&](Operation *op) {
        if (op->hasTrait<OpTrait::ConstantLike>() &&
            isa<TensorType>(op->getResult(0).getType()))
          constants.push_back(op);
      });
      for (Operation *op : constants) {
        Value constant = op->getResult(0);
        rewriter.moveOpBefore(op, layer);
        unsigned index = layer.getInputs().size();
        BlockArgument argument = layer.getBody()->insertArgument(
            index, constant.getType(), constant.getLoc());
        rewriter.replaceAllUsesWith(constant, argument);
        layer.getInputsMutable().append(constant);
      }
    });
  }
};
} // namespace
