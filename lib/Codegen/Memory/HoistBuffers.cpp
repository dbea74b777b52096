//===- HoistBuffers.cpp - Buffers of layers as their operands -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's --buffer-hoisting and --buffer-loop-hoisting move an allocation
// out of loops, but not out of what is isolated from above.
//
//===----------------------------------------------------------------------===//

#include "BufferLives.h"
#include "bquant/Codegen/Passes.h"
#include "bquant/Dialect/Packed/IR/Packed.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace bquant {
#define GEN_PASS_DEF_HOISTBUFFERS
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;
using packed::LayerOp;

namespace {
struct HoistBuffers : bquant::impl::HoistBuffersBase<HoistBuffers> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](LayerOp layer) {
      return failed(hoist(layer)) ? WalkResult::interrupt()
                                  : WalkResult::skip();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  static LogicalResult hoist(LayerOp layer) {
    BufferViewFlowAnalysis views(layer);
    SmallVector<memref::AllocOp> allocs;
    layer.walk([&](memref::AllocOp alloc) {
      // Each thread has buffers of its own in a loop that threads share.
      if (alloc->getNumOperands() == 0 && !isInParallelLoop(alloc, layer))
        allocs.push_back(alloc);
    });
    for (memref::AllocOp alloc : allocs) {
      if (failed(verifyLife(alloc, views)))
        return failure();
      BlockArgument inside =
          layer.getBody()->addArgument(alloc.getType(), alloc.getLoc());
      alloc->replaceAllUsesWith(ValueRange(inside));
      alloc->moveBefore(layer);
      layer.getInitsMutable().append(alloc.getResult());
    }
    SmallVector<memref::DeallocOp> deallocs;
    layer.walk([&](memref::DeallocOp dealloc) { deallocs.push_back(dealloc); });
    for (memref::DeallocOp dealloc : deallocs)
      dealloc.erase();
    return success();
  }
};
} // namespace
