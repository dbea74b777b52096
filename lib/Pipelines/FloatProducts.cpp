//===- FloatProducts.cpp - The arithmetic of float products ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "bquant/Pipelines/Pipelines.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

void bquant::buildFloatProductsPipeline(OpPassManager &pm,
                                        const RouteOptions &) {
  // Before the routes part: both sum in one order, by fma.
  pm.nest<func::FuncOp>().addPass(createFloatProducts());
}
