//===- Fold.cpp - Float chains become thresholds --------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "bquant/Pipelines/Pipelines.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void bquant::buildFoldPipeline(OpPassManager &pm, const RouteOptions &options) {
  if (!options.fold)
    return;
  // A value computed twice would look like two operands.
  pm.addPass(createCSEPass());
  FoldSignCascadesOptions fold;
  fold.verifyFolding = options.verifyFolding;
  pm.addPass(createFoldSignCascades(fold));
}
