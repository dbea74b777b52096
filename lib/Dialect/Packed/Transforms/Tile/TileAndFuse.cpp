//===- TileAndFuse.cpp - --bquant-tile-and-fuse ---------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's scf::tileConsumerAndFuseProducersUsingSCF tiles one consumer and
// pulls in the producers of its tile. It does not do for a layer: a layer has
// several consumers (a float shortcut and packed words), the border classes of
// a convolution are several regions in one scf.forall, and what the tile size
// leaves over has to be a static tile of its own. Upstream's tail is an
// affine.min, a tile of dynamic size that nothing vectorizes. To use it would
// cost a split of every region before, and a call for each consumer with what
// it fused shared again. What is one tile of one op is done by upstream's
// TilingInterface.
//
//===----------------------------------------------------------------------===//

#include "TileLayers.h"
#include "WindowLayers.h"
#include "bquant/Dialect/Packed/IR/Packed.h"
#include "bquant/Dialect/Packed/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace bquant {
#define GEN_PASS_DEF_TILEANDFUSE
#include "bquant/Dialect/Packed/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

namespace {
struct TileAndFuse : bquant::impl::TileAndFuseBase<TileAndFuse> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    return verifyThreads(context, threads);
  }

  void runOnOperation() override {
    FailureOr<TileOptions> options = getTileOptions(getOperation(), threads);
    if (failed(options))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    std::vector<Layer> layers = readLayers(getOperation());
    std::vector<WindowLayers> joined = findWindowLayers(layers, *options);
    for (Layer &layer : layers) {
      if (llvm::any_of(joined, [&](const WindowLayers &pair) {
            return pair.producer == &layer;
          }))
        continue; // By its consumer, which comes before it here.
      auto pair = llvm::find_if(joined, [&](const WindowLayers &pair) {
        return pair.consumer == &layer;
      });
      if (pair != joined.end()) {
        if (failed(emitWindowLayers(rewriter, *pair, *options)))
          return signalPassFailure();
        continue;
      }
      // A filter that the loops of its product compute by now.
      if (layer.anchor->use_empty() && layer.regions.front().ops.size() == 1) {
        rewriter.eraseOp(layer.anchor);
        continue;
      }
      if (failed(emitLayer(rewriter, layer, *options)))
        return signalPassFailure();
    }
  }
};
} // namespace
