//===- TileLayers.cpp - What tiling is told -------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileLayers.h"
#include "Dialect/BQuant/Analysis/TileableOps.h"
#include "FilterBlocks.h"
#include "bquant/Target/ModuleTarget.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

/// What a loop carries for a maximum that keeps NaN.
static constexpr int64_t kMaximumSums = 3;

LogicalResult bquant::verifyThreads(MLIRContext *context, int64_t threads) {
  if (threads >= 1)
    return success();
  return emitError(UnknownLoc::get(context),
                   "expected at least 1 thread, but got ")
         << threads;
}

FailureOr<TileOptions> bquant::getTileOptions(Operation *op, int64_t threads) {
  FailureOr<TargetDescription> target = getModuleDescription(op);
  if (failed(target))
    return failure();
  TileOptions options;
  options.registers = target->vectorRegisters;
  options.registerLanes = target->getLanes(32);
  options.costs = target->otherCosts;
  options.l2Bytes = target->l2Bytes;
  options.threads = threads;
  return options;
}

static int64_t countBytes(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return llvm::divideCeil(
      tensor.getNumElements() * tensor.getElementTypeBitWidth(), 8);
}

static RegionShape getRegionShape(const TileRegion &region) {
  RegionShape shape;
  shape.offsets = region.offsets;
  shape.sizes.assign(getDomain(region.ops.back()));
  shape.packedChannels = getPackedChannels(region.ops);
  for (Operation *op : region.ops) {
    if (auto product = dyn_cast<ProductOp>(op);
        product && shape.kernelRows == 0) {
      KernelAttrInterface kernel = product.getKernelInterface();
      shape.kernelRows = kernel.getRows();
      shape.kernelChannels = kernel.getChannels();
      shape.sharesColumns = kernel.getStepSize() > 1 &&
                            readsLanes(product.getMaps().front(),
                                       product.getNumParallelLoops() - 1);
    }
    if (isReduction(op))
      shape.sums += getMaximized(op) ? kMaximumSums : op->getNumResults();
    shape.hasChannelVectors &= hasChannelVectors(op);
    if (std::optional<int64_t> block = getChannelBlock(op))
      shape.channelBlocks.push_back(*block);
  }
  for (const ComputedFilter &filter : getComputedFilters(region)) {
    auto &dependsOn = shape.computedFilters.emplace_back();
    for (unsigned d = 0; d < shape.sizes.size(); ++d)
      dependsOn.push_back(filter.dependsOn(d));
  }
  return shape;
}

LayerShape bquant::getLayerShape(const Layer &layer) {
  LayerShape shape;
  for (const TileRegion &region : layer.regions)
    shape.regions.push_back(getRegionShape(region));
  if (shape.regions[0].kernelRows == 0)
    return shape;
  for (Operation *op : layer.regions[0].ops)
    if (auto product = dyn_cast<ProductOp>(op))
      for (unsigned i = 0; i < product.getFilters().size(); ++i)
        shape.filterBytes += countBytes(
            op->getOperand(product.getInputs().size() + i).getType());
  for (const Dest &dest : layer.dests)
    shape.writtenBytes += countBytes(dest.value.getType());
  return shape;
}

int64_t bquant::countRollable(const TileRegion &region) {
  int64_t counts = 0;
  bool follows = false;
  // Bits of counts take a few instructions a row.
  auto makesBits = [](Operation *op) {
    return isa<packed::PackOp>(op) ||
           llvm::all_of(op->getResultTypes(), [](Type type) {
             return getElementTypeOrSelf(type).isInteger(1);
           });
  };
  for (Operation *op : region.ops) {
    if (auto product = dyn_cast<ProductOp>(op);
        product && product.getKernelInterface().finishesRows())
      return 0;
    if (countsBits(op))
      counts += op->getNumResults();
    else if (isReduction(op))
      return 0; // Its rows share what it reads.
    else if (!isa<linalg::FillOp>(op))
      follows |= !makesBits(op);
  }
  bool leave = llvm::any_of(region.liveOuts, [](const auto &liveOut) {
    return countsBits(liveOut.first.getOwner());
  });
  return follows && !leave ? counts : 0;
}

Location bquant::getLocation(const Layer &layer) {
  for (const TileRegion &region : layer.regions)
    for (Operation *op : region.ops)
      if (isReduction(op))
        return op->getLoc();
  return layer.anchor->getLoc();
}
