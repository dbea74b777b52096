//===- Solve.cpp - Quantized constants become words -----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "bquant/Pipelines/Pipelines.h"

using namespace mlir;

void bquant::buildSolvePipeline(OpPassManager &pm, const RouteOptions &) {
  pm.addPass(createSolveScalars());
}
