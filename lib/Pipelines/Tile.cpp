//===- Tile.cpp - Loops over tiles, tiles to vectors ----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "bquant/Pipelines/Pipelines.h"
#include "bquant/Target/TargetDescription.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

/// `auto` is what the features allow. Whoever compiles for a machine has asked
/// before whether it can do the rest.
static std::string getStrategy(const bquant::RouteOptions &options) {
  auto target = bquant::TargetDescription::get(options.features);
  llvm::Expected<std::string> strategy =
      target.chooseStrategy(options.strategy.getValue());
  if (strategy)
    return *strategy;
  llvm::consumeError(strategy.takeError());
  return options.strategy;
}

void bquant::buildTilePipeline(OpPassManager &pm, const RouteOptions &options) {
  OpPassManager &func = pm.nest<func::FuncOp>();
  // Arithmetic on whole tensors has no tiles.
  func.addPass(createConvertElementwiseToLinalgPass());
  TileAndFuseOptions tile;
  tile.strategy = getStrategy(options);
  auto target = bquant::TargetDescription::get(options.features);
  tile.vectorBits = target.vectorBits;
  tile.vectorRegisters = target.vectorRegisters;
  func.addPass(createTileAndFuse(tile));
  func.addPass(createCanonicalizerPass());
  func.addPass(createCSEPass());
  VectorizeOptions vectorize;
  vectorize.strategy = tile.strategy;
  func.addPass(createVectorize(vectorize));
  func.addPass(createCanonicalizerPass());
  func.addPass(createCSEPass());
  func.addPass(createLoopInvariantCodeMotionPass());
}
