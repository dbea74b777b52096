//===- Stages.cpp - The stages of the route, first to last ----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Canonicalization.h"
#include "bquant/Codegen/Passes.h"
#include "bquant/Conversion/Passes.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "bquant/Dialect/Packed/IR/Packed.h"
#include "bquant/Dialect/Packed/Transforms/Passes.h"
#include "bquant/Pipelines/Pipelines.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

static void addCanonicalizer(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass(GreedyRewriteConfig(),
                                     bquant::getUnusedPatterns()));
}

static void addCleanUp(OpPassManager &pm) {
  addCanonicalizer(pm);
  pm.addPass(createCSEPass());
}

static OpPassManager &nestOnLayers(OpPassManager &pm) {
  return pm.nest<func::FuncOp>().nest<bquant::packed::LayerOp>();
}

//===----------------------------------------------------------------------===//
// Import
//===----------------------------------------------------------------------===//

void bquant::buildImportPipeline(OpPassManager &pm, const RouteOptions &) {
  pm.addPass(createLowerLinalgPack());
  pm.addPass(createPrepareTosa());
  // As upstream's tosa-to-linalg-pipeline, but for what it assumes of a
  // target's profile; and what that leaves: constants, shapes and slices.
  OpPassManager &func = pm.nest<func::FuncOp>();
  func.addPass(tosa::createTosaOptionalDecompositionsPass());
  func.addPass(tosa::createTosaMakeBroadcastablePass());
  func.addPass(tosa::createTosaToLinalgNamed());
  func.addPass(tosa::createTosaMakeBroadcastablePass());
  func.addPass(tosa::createTosaToLinalg());
  func.addPass(createTosaToSCFPass());
  func.addPass(createTosaToTensorPass());
  TosaToArithPassOptions arith;
  arith.includeApplyRescale = true;
  func.addPass(createTosaToArithPass(arith));
}

//===----------------------------------------------------------------------===//
// Raise
//===----------------------------------------------------------------------===//

template <typename PassOptions>
static PassOptions assuming(const bquant::RaiseAssumptions &assumptions) {
  PassOptions options;
  options.assumeNoNaN = assumptions.noNaN;
  options.assumeNoZero = assumptions.noZero;
  options.assumeExactResidues = assumptions.exactResidues;
  options.strictNaN = assumptions.strictNaN;
  return options;
}

void bquant::buildRecognitionPipeline(OpPassManager &pm,
                                      const RouteOptions &options) {
  const RaiseAssumptions &assumptions = options.assumptions;
  PrepareForRaisingOptions prepare;
  prepare.maxDense = options.maxDense;
  auto signs = assuming<RaiseSignsOptions>(assumptions);
  auto constants = assuming<FoldConstantsOptions>(assumptions);
  // Before the products that read them.
  auto addPoolsAndProducts = [&] {
    pm.addPass(
        createRaiseMaxPools(assuming<RaiseMaxPoolsOptions>(assumptions)));
    pm.addPass(
        createRaiseProducts(assuming<RaiseProductsOptions>(assumptions)));
  };

  pm.addPass(createPrepareForRaising(prepare));
  pm.addPass(createChannelsLast());
  // Each consumer of an image has flattened it anew: they become one again.
  pm.addPass(createFlattenColumns());
  pm.addPass(createPrepareForRaising(prepare));
  if (assumptions.exactResidues)
    pm.addPass(createDropResidues());
  pm.addPass(createStepsBeforeMoves());
  // The signs of a filter before what is computed of constants: its cascade
  // says more than what it comes to. What is left of that is a constant then.
  pm.addPass(createRaiseSigns(signs));
  constants.keepCascades = true;
  pm.addPass(createFoldConstants(constants));
  pm.addPass(createRaiseSigns(signs));
  addPoolsAndProducts();
  constants.keepCascades = false;
  pm.addPass(createFoldConstants(constants));
  addPoolsAndProducts();
  pm.addPass(createExplainFloats(assuming<ExplainFloatsOptions>(assumptions)));
  pm.addPass(createRaiseDepthwise());
  // Equal quantizations of one value, and what has become dead.
  pm.addPass(createPrepareForRaising(prepare));
}

void bquant::buildRaisePipeline(OpPassManager &pm,
                                const RouteOptions &options) {
  pm.addPass(createInlinerPass({}, addCanonicalizer));
  // From here on shapes are static.
  pm.addPass(createBatchToSample());
  buildRecognitionPipeline(pm, options);
  // Those that are left are on data.
  pm.addPass(createDropAsserts());
  pm.addPass(createVerifyRaised());
  addCleanUp(pm);
}

//===----------------------------------------------------------------------===//
// Solve
//===----------------------------------------------------------------------===//

void bquant::buildSolvePipeline(OpPassManager &pm, const RouteOptions &) {
  pm.addPass(createSolveScalars());
  pm.addPass(createSplitFilterOffsets());
}

//===----------------------------------------------------------------------===//
// Fold
//===----------------------------------------------------------------------===//

void bquant::buildFoldPipeline(OpPassManager &pm, const RouteOptions &options) {
  if (!options.fold)
    return;
  // A value computed twice would look like two operands.
  pm.addPass(createCSEPass());
  FoldSignCascadesOptions fold;
  fold.verifyFolding = options.verifyFolding;
  pm.addPass(createFoldSignCascades(fold));
}

//===----------------------------------------------------------------------===//
// Select
//===----------------------------------------------------------------------===//

void bquant::buildSelectPipeline(OpPassManager &pm,
                                 const RouteOptions &options) {
  SelectKernelsOptions select;
  select.strategy = options.strategy;
  select.floatPrecision = options.floatPrecision;
  select.describeLayers = options.describeLayers;
  pm.addPass(createSelectKernels(select));
  bool isReference = options.strategy == Strategy::Reference;
  ConvertLinalgToProductOptions convert;
  convert.bytes = !isReference;
  pm.addPass(createConvertLinalgToProduct(convert));
  if (options.floatPrecision == FloatPrecision::BF16) {
    RoundToBF16Options round;
    round.emulate = isReference;
    pm.addPass(createRoundToBF16(round));
  }
  if (!isReference)
    pm.addPass(createPackFilterLevels());
}

//===----------------------------------------------------------------------===//
// Pack
//===----------------------------------------------------------------------===//

void bquant::buildPackPipeline(OpPassManager &pm, const RouteOptions &options) {
  pm.addPass(createConvertBQuantToPacked());
  pm.addPass(createLowerRelayouts());
  pm.addPass(createVerifyWords());
  addCleanUp(pm);
  OpPassManager &func = pm.nest<func::FuncOp>();
  // Arithmetic on whole tensors has no tiles.
  func.addPass(createConvertElementwiseToLinalgPass());
  func.addPass(createNormalizeGenerics());
  func.addPass(createEncodeMaps());
  func.addPass(createBoundCodes());
  // Pools are apart from what they pool, later.
  func.addPass(createSimplifyMaxima());
  func.addPass(createSinkIntoRegions());
  FormLayersOptions form;
  form.threads = options.threads;
  func.addPass(createFormLayers(form));
  addCleanUp(func);
  func.addPass(createNameLayers());
}

void bquant::buildReferenceLoopsPipeline(OpPassManager &pm,
                                         const RouteOptions &) {
  // As on the fast route: both sum floats in one order, with the same
  // roundings.
  pm.addPass(createDecomposePacked());
  pm.addPass(createConvertBQuantToReference());
  pm.addPass(createVerifyWords());
  addCleanUp(pm);
}

//===----------------------------------------------------------------------===//
// Tile, vectorize
//===----------------------------------------------------------------------===//

void bquant::buildTilePipeline(OpPassManager &pm, const RouteOptions &options) {
  OpPassManager &layer = nestOnLayers(pm);
  TileAndFuseOptions tile;
  tile.threads = options.threads;
  layer.addPass(createTileAndFuse(tile));
  addCleanUp(layer);
}

void bquant::buildVectorizePipeline(OpPassManager &pm, const RouteOptions &) {
  OpPassManager &tiles = nestOnLayers(pm);
  tiles.addPass(createCompareSelected());
  tiles.addPass(createSimplifyMaxima());
  tiles.addPass(createMultiplyByReciprocals());
  tiles.addPass(createVectorize());
  pm.addPass(createExplainScalars());
  OpPassManager &layer = nestOnLayers(pm);
  addCleanUp(layer);
  layer.addPass(createLoopInvariantCodeMotionPass());
}

//===----------------------------------------------------------------------===//
// LLVM
//===----------------------------------------------------------------------===//

/// Tensors become buffers; results are written where the caller says.
static void addBufferization(OpPassManager &pm) {
  // Each would end the caller's process.
  pm.addPass(bquant::createDropAsserts());
  pm.addPass(createInlinerPass({}, addCanonicalizer));
  // Arithmetic on whole tensors has no buffers.
  pm.nest<func::FuncOp>().addPass(createConvertElementwiseToLinalgPass());
  // Chains become one loop, and none names its input as a place for its output.
  pm.addPass(bquant::createReadInitsAsInputs());
  pm.addPass(createLinalgElementwiseOpFusionPass());
  // What was not vectorized.
  pm.addPass(bquant::createDecomposePacked());
  pm.addPass(bquant::createLowerPack());
  // Whoever computes what is padded writes it to its place.
  pm.addPass(bquant::createLowerPads());
  pm.addPass(bquant::createResultsToArguments());
  addCanonicalizer(nestOnLayers(pm));
  pm.nest<func::FuncOp>().addPass(bquant::createHoistConstants());
  pm.addPass(bquant::createSplitEmptyTensors());
  pm.addPass(bquant::createBufferizeLayers());
  OpPassManager &layer = nestOnLayers(pm);
  layer.addPass(bquant::createBufferizeLayerBody());
  addCleanUp(layer);
  pm.addPass(bquant::createLowerElementWrites());
  addCleanUp(pm);
}

/// Layers become functions; no structured op and no allocation is left.
static void addLoops(OpPassManager &pm, const bquant::RouteOptions &options) {
  // One thread is in one layer at a time where clocks are read.
  bool threads = options.threads > 1 && !options.clockLayers;
  pm.addPass(bquant::createDropLayouts());
  pm.addPass(bquant::createLowerCopies());
  pm.addPass(bquant::createLowerTranspositions());
  OpPassManager &func = pm.nest<func::FuncOp>();
  if (threads)
    func.addPass(bquant::createSplitSolves());
  else
    func.addPass(createForallToForLoopPass());
  func.addPass(bquant::createFormBufferLayers());
  func.addPass(createConvertLinalgToLoopsPass());
  func.addPass(bquant::createHoistBuffers());
  if (threads) {
    func.addPass(bquant::createSplitLayers());
    func.addPass(bquant::createGroupLayers());
    if (options.verifyTiles)
      func.addPass(bquant::createVerifyTiles());
  }
  bquant::PlanArenaOptions arena;
  arena.slices = threads;
  func.addPass(bquant::createPlanArena(arena));
  pm.addPass(bquant::createOutlineLayers());
  // From here on cores share the functions.
  OpPassManager &layer = pm.nest<func::FuncOp>();
  addCleanUp(layer);
  layer.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(func::createDuplicateFunctionEliminationPass());
  if (options.clockLayers)
    pm.addPass(bquant::createClockLayers());
}

static void addLLVM(OpPassManager &pm) {
  pm.addPass(bquant::createLowerSolve());
  OpPassManager &loops = pm.nest<func::FuncOp>();
  VectorTransferToSCFOptions unrolled;
  unrolled.unroll = true;
  loops.addPass(createConvertVectorToSCFPass(unrolled));
  loops.addPass(createLowerAffinePass());
  loops.addPass(memref::createExpandStridedMetadataPass());
  loops.addPass(createLowerAffinePass());
  loops.addPass(createSCFToControlFlowPass());
  pm.addPass(bquant::createLowerExpm1());
  pm.addPass(bquant::createLowerMaxNum());
  pm.addPass(bquant::createLowerNarrowing());
  pm.addPass(bquant::createLowerRounding());
  ConvertMathToLLVMPassOptions math;
  math.approximateLog1p = false; // It is 0 for small numbers.
  pm.nest<func::FuncOp>().addPass(createConvertMathToLLVMPass(math));
  // What has no intrinsic: erf and the like, by the C library, one value at a
  // time.
  pm.addPass(createConvertMathToLibmPass());
  OpPassManager &values = pm.nest<func::FuncOp>();
  values.addPass(createConvertVectorToLLVMPass());
  values.addPass(createUBToLLVMConversionPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  OpPassManager &numbers = pm.nest<func::FuncOp>();
  numbers.addPass(createArithToLLVMConversionPass());
  numbers.addPass(createConvertIndexToLLVMPass());
  // Shapes are static: a buffer is one pointer.
  ConvertFuncToLLVMPassOptions func;
  func.useBarePtrCallConv = true;
  pm.addPass(createConvertFuncToLLVMPass(func));
  pm.addPass(createConvertControlFlowToLLVMPass());
  OpPassManager &code = pm.nest<LLVM::LLVMFuncOp>();
  code.addPass(createReconcileUnrealizedCastsPass());
  // Blocks are LLVM's to merge: MLIR takes most of a compilation for it.
  code.addPass(createCanonicalizerPass(
      GreedyRewriteConfig().setRegionSimplificationLevel(
          GreedySimplifyRegionLevel::Disabled)));
  code.addPass(createCSEPass());
}

void bquant::buildLLVMPipeline(OpPassManager &pm, const RouteOptions &options) {
  addBufferization(pm);
  addLoops(pm, options);
  addLLVM(pm);
  WrapEntryPointsOptions entry;
  entry.threads = options.clockLayers ? 1 : options.threads;
  entry.claimNanoseconds = options.claimNanoseconds;
  pm.addPass(createWrapEntryPoints(entry));
}
