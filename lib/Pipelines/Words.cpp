//===- Words.cpp - Scaled-binary values to packed words -------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Conversion/Passes.h"
#include "bquant/Pipelines/Pipelines.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void bquant::buildWordsPipeline(OpPassManager &pm, const RouteOptions &) {
  pm.addPass(createConvertBQuantToWords());
  pm.addPass(createVerifyWords());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}
