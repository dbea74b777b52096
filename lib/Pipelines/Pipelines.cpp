//===- Pipelines.cpp - The whole routes, and their names ------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Pipelines/Pipelines.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

void bquant::buildFastPipeline(OpPassManager &pm, const RouteOptions &options) {
  buildRaisePipeline(pm, options);
  buildSolvePipeline(pm, options);
  buildFoldPipeline(pm, options);
  buildFloatProductsPipeline(pm, options);
  buildWordsPipeline(pm, options);
  buildTilePipeline(pm, options);
  buildLLVMPipeline(pm, options);
}

void bquant::buildReferencePipeline(OpPassManager &pm,
                                    const RouteOptions &options) {
  buildRaisePipeline(pm, options);
  buildSolvePipeline(pm, options);
  buildFoldPipeline(pm, options);
  buildFloatProductsPipeline(pm, options);
  buildReferenceLoopsPipeline(pm, options);
  buildLLVMPipeline(pm, options);
}

namespace {
/// The oracle does nothing that it need not.
struct ReferenceOptions : PassPipelineOptions<ReferenceOptions> {
  Option<std::string> features{
      *this, "features",
      llvm::cl::desc("what the CPU has; checked before the code runs")};
  Option<bool> fold{*this, "fold", llvm::cl::init(false),
                    llvm::cl::desc("fold float chains before a quantize to "
                                   "thresholds")};
};
} // namespace

void bquant::registerBQuantPipelines() {
  PassPipelineRegistration<RouteOptions>(
      "bquant-fast",
      "The whole route, from linalg and bquant ops on tensors to "
      "the LLVM dialect",
      buildFastPipeline);
  PassPipelineRegistration<ReferenceOptions>(
      "bquant-reference",
      "The slow and plain route: the oracle of the fast one",
      [](OpPassManager &pm, const ReferenceOptions &options) {
        RouteOptions route;
        route.features = options.features;
        route.fold = options.fold;
        buildReferencePipeline(pm, route);
      });
  PassPipelineRegistration<RouteOptions>(
      "bquant-to-llvm",
      "The last stage: linalg and vector ops on tensors to the LLVM "
      "dialect with the C calling convention",
      buildLLVMPipeline);
}
