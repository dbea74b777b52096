//===- LLVM.cpp - Tensors to memory, the C interface, LLVM ----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Codegen/Passes.h"
#include "bquant/Conversion/Passes.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "bquant/Pipelines/Pipelines.h"
#include "bquant/Target/TargetDescription.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

/// Tensors become buffers; results are written where the caller says.
static void addBufferization(OpPassManager &pm) {
  // Each would end the caller's process.
  pm.addPass(bquant::createDropAsserts());
  pm.addPass(createInlinerPass());
  // Arithmetic on whole tensors has no buffers.
  pm.nest<func::FuncOp>().addPass(createConvertElementwiseToLinalgPass());
  // Chains become one loop, and none names its input as a place for its output.
  pm.addPass(createLinalgElementwiseOpFusionPass());
  // What was not vectorized.
  pm.addPass(bquant::createLowerPack());
  // Whoever computes what is padded writes it to its place.
  pm.addPass(bquant::createLowerPads());
  pm.addPass(bquant::createResultsToArguments());
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(options));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// No structured op and no allocation is left.
static void addLoops(OpPassManager &pm) {
  pm.addPass(bquant::createLowerCopies());
  OpPassManager &func = pm.nest<func::FuncOp>();
  func.addPass(createConvertLinalgToLoopsPass());
  func.addPass(createForallToForLoopPass());
  func.addPass(bquant::createPlanArena());
  pm.addPass(memref::createFoldMemRefAliasOpsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(bquant::createOutlineLoops());
}

static void addLLVM(OpPassManager &pm, const bquant::RouteOptions &options) {
  // Nothing is known of a target without features.
  if (!options.features.empty() &&
      !bquant::TargetDescription::get(options.features).fusesMultiplyAdd)
    pm.addPass(bquant::createExpandFma());
  pm.addPass(bquant::createLowerSolve());
  VectorTransferToSCFOptions unrolled;
  unrolled.unroll = true;
  pm.nest<func::FuncOp>().addPass(createConvertVectorToSCFPass(unrolled));
  pm.addPass(createLowerAffinePass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertMathToLLVMPass());
  // What has no intrinsic: erf and the like, by the C library, one value at a
  // time.
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  // Shapes are static: a buffer is one pointer.
  ConvertFuncToLLVMPassOptions func;
  func.useBarePtrCallConv = true;
  pm.addPass(createConvertFuncToLLVMPass(func));
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  // Blocks are LLVM's to merge: MLIR takes most of a compilation for it.
  pm.addPass(createCanonicalizerPass(
      GreedyRewriteConfig().setRegionSimplificationLevel(
          GreedySimplifyRegionLevel::Disabled)));
  pm.addPass(createCSEPass());
}

void bquant::buildLLVMPipeline(OpPassManager &pm, const RouteOptions &options) {
  addBufferization(pm);
  addLoops(pm);
  addLLVM(pm, options);
  WrapEntryPointsOptions wrap;
  wrap.features = options.features;
  pm.addPass(createWrapEntryPoints(wrap));
}
