//===- InlineLayers.cpp - Replace layers by their bodies ------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/Packed/IR/Packed.h"
#include "bquant/Dialect/Packed/Transforms/Passes.h"
#include "mlir/IR/PatternMatch.h"

namespace bquant {
#define GEN_PASS_DEF_INLINELAYERS
#include "bquant/Dialect/Packed/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant::packed;

namespace {
struct InlineLayers : bquant::impl::InlineLayersBase<InlineLayers> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<GroupOp> groups;
    SmallVector<LayerOp> layers;
    getOperation()->walk([&](Operation *op) {
      if (auto group = dyn_cast<GroupOp>(op))
        groups.push_back(group);
      else if (auto layer = dyn_cast<LayerOp>(op))
        layers.push_back(layer);
    });
    for (LayerOp layer : layers) {
      YieldOp yield = layer.getYield();
      rewriter.replaceAllUsesWith(layer.getResults(), yield.getValues());
      rewriter.eraseOp(yield);
      rewriter.inlineBlockBefore(layer.getBody(), layer, layer.getOperands());
      rewriter.eraseOp(layer);
    }
    for (GroupOp group : groups) {
      rewriter.inlineBlockBefore(group.getBody(), group);
      rewriter.eraseOp(group);
    }
  }
};
} // namespace
