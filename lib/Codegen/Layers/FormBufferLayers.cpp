//===- FormBufferLayers.cpp - All that writes memory in layers ------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %part = memref.subview %image[0, 0] [4, 8] [1, 1]
//   memref.copy %x, %part
//   %other_part = memref.subview %image[0, 8] [4, 8] [1, 1]
//   bquant_packed.layer "conv1" ins(%i = %x) outs(%o = %other_part) { ... }
//
// becomes
//
//   bquant_packed.layer "copy" ins(%i = %x) outs(%o = %image) {
//     %part = memref.subview %o[0, 0] [4, 8] [1, 1]
//     memref.copy %i, %part
//   }
//   bquant_packed.layer "conv1" ins(%i = %x) outs(%o = %image) {
//     %other_part = memref.subview %o[0, 8] [4, 8] [1, 1]
//     ...
//   }
//
//===----------------------------------------------------------------------===//

#include "Effects.h"
#include "LayerBuilder.h"
#include "bquant/Codegen/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace bquant {
#define GEN_PASS_DEF_FORMBUFFERLAYERS
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

namespace {
struct FormBufferLayers : bquant::impl::FormBufferLayersBase<FormBufferLayers> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal() || !func.getBody().hasOneBlock())
      return;
    Block &body = func.getBody().front();
    for (Operation &op :
         llvm::make_early_inc_range(body.without_terminator())) {
      if (op.getNumResults() != 0) // as a layer on tensors
        continue;
      if (auto layer = dyn_cast<packed::LayerOp>(op))
        LayerBuilder::replaceViews(layer);
      else if (mayWrite(&op) && !isa<memref::DeallocOp>(op))
        form(&op);
    }
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
      if (isOpTriviallyDead(&op))
        op.erase();
  }

private:
  static void form(Operation *op) {
    LayerBuilder layer(op);
    if (layer.isOnBuffers())
      layer.create(
          StringAttr::get(op->getContext(), op->getName().stripDialect()));
  }
};
} // namespace
