//===- Reference.cpp - bquant ops to i8 signs and plain loops -------------===//
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

void bquant::buildReferenceLoopsPipeline(OpPassManager &pm,
                                         const RouteOptions &) {
  pm.addPass(createConvertBQuantToReference());
  pm.addPass(createVerifyWords());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}
