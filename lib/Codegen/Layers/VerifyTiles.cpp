//===- VerifyTiles.cpp - That what threads share is independent -----------===//
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

namespace bquant {
#define GEN_PASS_DEF_VERIFYTILES
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;
using packed::LayerOp;

/// All that operations touch: a hull could reach what none of them does.
static Footprint getExactFootprint(ArrayRef<Operation *> ops) {
  return readFootprint(ops, std::numeric_limits<size_t>::max());
}

/// The indices of each iteration of `loop`.
static SmallVector<SmallVector<int64_t>> getIterations(scf::ForallOp loop) {
  SmallVector<SmallVector<int64_t>> iterations{{}};
  for (auto [start, end, step] :
       llvm::zip(loop.getStaticLowerBound(), loop.getStaticUpperBound(),
                 loop.getStaticStep())) {
    SmallVector<SmallVector<int64_t>> next;
    for (ArrayRef<int64_t> indices : iterations)
      for (int64_t index = start; index < end; index += step) {
        next.emplace_back(indices);
        next.back().push_back(index);
      }
    iterations = std::move(next);
  }
  return iterations;
}

namespace {
struct VerifyTiles : bquant::impl::VerifyTilesBase<VerifyTiles> {
  void runOnOperation() override {
    WalkResult result =
        getOperation()->walk<WalkOrder::PreOrder>([](Operation *op) {
          LogicalResult verified = success();
          if (auto group = dyn_cast<packed::GroupOp>(op))
            verified = verify(group);
          else if (auto layer = dyn_cast<LayerOp>(op))
            verified = verify(layer);
          else if (auto loop = dyn_cast<scf::ForallOp>(op))
            verified = verify(loop);
          return failed(verified) ? WalkResult::interrupt()
                                  : WalkResult::advance();
        });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  static LogicalResult verify(packed::GroupOp group) {
    SmallVector<std::pair<LayerOp, Footprint>> layers;
    for (auto layer : group.getBody()->getOps<LayerOp>()) {
      Footprint footprint = getExactFootprint(layer.getOperation());
      for (auto &[other, theirs] : layers)
        if (footprint.conflictsWith(theirs))
          return layer.emitOpError("expected memory apart from what the layer ")
                 << other.getNameAttr() << " of the group touches";
      layers.emplace_back(layer, std::move(footprint));
    }
    return success();
  }

  /// Parallel loops, and all that is between two of them.
  static LogicalResult verify(LayerOp layer) {
    SmallVector<SmallVector<Operation *>> parts;
    bool isParallel = true;
    for (Operation &op : layer.getBody()->without_terminator()) {
      bool was = std::exchange(isParallel, isa<scf::ForallOp>(op));
      if (was || isParallel)
        parts.emplace_back();
      parts.back().push_back(&op);
    }
    SmallVector<Footprint> footprints;
    for (ArrayRef<Operation *> part : parts) {
      Footprint footprint = getExactFootprint(part);
      if (llvm::any_of(footprints, [&](const Footprint &other) {
            return footprint.conflictsWith(other);
          }))
        return part.front()->emitOpError(
                   "expected memory apart from what another part of the layer ")
               << layer.getNameAttr() << " touches";
      footprints.push_back(std::move(footprint));
    }
    return success();
  }

  static LogicalResult verify(scf::ForallOp loop) {
    SmallVector<SmallVector<int64_t>> iterations = getIterations(loop);
    SmallVector<Footprint> footprints;
    for (ArrayRef<int64_t> iteration : iterations) {
      Footprint footprint = readFootprint(loop, iteration);
      for (auto [other, theirs] : llvm::zip(iterations, footprints))
        if (footprint.conflictsWith(theirs))
          return loop.emitOpError("expected independent iterations, but got "
                                  "ones that touch the same memory: [")
                 << other << "] and [" << iteration << "]";
      footprints.push_back(std::move(footprint));
    }
    return success();
  }
};
} // namespace
