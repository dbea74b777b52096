//===- GroupLayers.cpp - Layers that may run at the same time -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Footprint.h"
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

namespace {
/// Layers that follow each other, each of which conflicts with none of the
/// others.
class Group {
public:
  bool takes(const Footprint &footprint) const {
    return llvm::none_of(footprints, [&](const Footprint &other) {
      return footprint.conflictsWith(other);
    });
  }

  void add(LayerOp layer, Footprint footprint) {
    layers.push_back(layer);
    footprints.push_back(std::move(footprint));
  }

  /// Moves the layers into an operation, if there are several.
  void end() {
    if (layers.size() > 1) {
      OpBuilder b(layers.back());
      auto group = packed::GroupOp::create(b, layers.front().getLoc());
      Block *body = b.createBlock(&group.getRegion());
      for (LayerOp layer : layers)
        layer->moveBefore(body, body->end());
    }
    layers.clear();
    footprints.clear();
  }

private:
  SmallVector<LayerOp> layers;
  SmallVector<Footprint> footprints;
};

struct GroupLayers : bquant::impl::GroupLayersBase<GroupLayers> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBlocks()) {
      Group group;
      for (Operation &op : llvm::make_early_inc_range(block)) {
        auto layer = dyn_cast<LayerOp>(op);
        if (!layer) {
          // What makes a buffer does nothing to the others.
          if (!isMemoryEffectFree(&op) && !isa<memref::AllocOp>(op))
            group.end();
          continue;
        }
        Footprint footprint(layer.getOperation());
        if (!group.takes(footprint))
          group.end();
        group.add(layer, std::move(footprint));
      }
      group.end();
    }
  }
};
} // namespace
