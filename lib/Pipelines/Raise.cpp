//===- Raise.cpp - What a program means, channels-last --------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "bquant/Pipelines/Pipelines.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void bquant::buildRaisePipeline(OpPassManager &pm,
                                const RouteOptions &options) {
  pm.addPass(createInlinerPass());
  // From here on shapes are static.
  pm.addNestedPass<func::FuncOp>(createBatchToSample());
  RaiseOptions raise;
  raise.assumeNoNaN = options.assumeNoNaN;
  raise.assumeNoZero = options.assumeNoZero;
  raise.assumeExactResidues = options.assumeExactResidues;
  pm.addPass(createRaise(raise));
  // Those that are left are on data.
  pm.addPass(createDropAsserts());
  pm.addPass(createVerifyRaised());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}
