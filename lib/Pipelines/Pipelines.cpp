//===- Pipelines.cpp - The whole routes, and their names ------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Pipelines/Pipelines.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

void bquant::buildFastPipeline(OpPassManager &pm, const RouteOptions &options) {
  pm.nest<func::FuncOp>().addPass(createBQuantFloatProducts());
  buildSolvePipeline(pm, options);
  buildFoldPipeline(pm, options);
  buildWordsPipeline(pm, options);
  buildTilePipeline(pm, options);
  buildLLVMPipeline(pm, options);
}

void bquant::buildReferencePipeline(OpPassManager &pm,
                                    const RouteOptions &options) {
  pm.nest<func::FuncOp>().addPass(createBQuantFloatProducts());
  buildSolvePipeline(pm, options);
  buildReferenceLoopsPipeline(pm, options);
  buildLLVMPipeline(pm, options);
}

void bquant::registerBQuantPipelines() {
  PassPipelineRegistration<RouteOptions>(
      "bquant-fast",
      "The whole route, from linalg and bquant ops on tensors to "
      "the LLVM dialect",
      buildFastPipeline);
  PassPipelineRegistration<RouteOptions>(
      "bquant-reference",
      "The slow and plain route: the oracle of the fast one",
      buildReferencePipeline);
  PassPipelineRegistration<RouteOptions>(
      "bquant-to-llvm",
      "Stage 9: linalg and vector ops on tensors to the LLVM "
      "dialect with the C calling convention",
      buildLLVMPipeline);
}
