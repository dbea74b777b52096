//===- GroupLayers.cpp - Layers that may run at the same time -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadFootprint.h"
#include "bquant/Codegen/Passes.h"
#include "bquant/Dialect/Packed/IR/Packed.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace bquant {
#define GEN_PASS_DEF_GROUPLAYERS
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;
using packed::LayerOp;

/// Moves layers into an operation, if there are several.
static void createGroup(ArrayRef<LayerOp> layers) {
  if (layers.size() == 1)
    return;
  OpBuilder b(layers.back());
  auto group = packed::GroupOp::create(b, layers.front()->getLoc());
  Block *body = b.createBlock(&group.getRegion());
  for (LayerOp layer : layers)
    layer->moveBefore(body, body->end());
}

/// Groups layers that nothing else comes between.
static void group(ArrayRef<LayerOp> layers) {
  auto footprints = llvm::map_to_vector(layers, [](LayerOp layer) {
    return readFootprint(layer.getOperation());
  });
  for (size_t size : cutIntoGroups(footprints)) {
    createGroup(layers.take_front(size));
    layers = layers.drop_front(size);
  }
}

namespace {
struct GroupLayers : bquant::impl::GroupLayersBase<GroupLayers> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBlocks()) {
      SmallVector<SmallVector<LayerOp>> runs(1);
      for (Operation &op : block)
        if (auto layer = dyn_cast<LayerOp>(op);
            layer && layer.getNumResults() == 0) // on buffers
          runs.back().push_back(layer);
        // What makes a buffer does nothing to the others.
        else if (!isMemoryEffectFree(&op) && !isa<memref::AllocOp>(op))
          runs.emplace_back();
      for (ArrayRef<LayerOp> run : runs)
        group(run);
    }
  }
};
} // namespace
