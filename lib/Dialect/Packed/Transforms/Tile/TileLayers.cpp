//===- TileLayers.cpp - What tiling is told -------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileLayers.h"
#include "Dialect/BQuant/Analysis/TileableOps.h"
#include "bquant/Target/ModuleTarget.h"

using namespace mlir;
using namespace bquant;

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

Location bquant::getLocation(const Layer &layer) {
  for (const TileRegion &region : layer.regions)
    for (Operation *op : region.ops)
      if (isReduction(op))
        return op->getLoc();
  return layer.anchor->getLoc();
}
