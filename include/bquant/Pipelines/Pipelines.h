//===- Pipelines.h - The order of the passes --------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function a stage of the route, and the two whole routes made of them.
// Each stage runs on a module. Another compiler may take any prefix.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_PIPELINES_PIPELINES_H
#define BQUANT_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace bquant {

/// Options of the whole routes, `bquant-fast{...}` and `bquant-reference{...}`.
struct RouteOptions : mlir::PassPipelineOptions<RouteOptions> {
  Option<std::string> strategy{
      *this, "strategy", llvm::cl::init("auto"),
      llvm::cl::desc("how products count: auto, vpopcnt, scalar, ...")};
  Option<std::string> features{
      *this, "features",
      llvm::cl::desc("what the CPU has, as in +avx2,+avx512f; decides `auto` "
                     "and is checked before the code runs")};
  Option<bool> fold{*this, "fold", llvm::cl::init(true),
                    llvm::cl::desc("fold float chains before a quantize to "
                                   "thresholds")};
  Option<bool> verifyFolding{
      *this, "verify-folding", llvm::cl::init(false),
      llvm::cl::desc("check every folded chain around its thresholds by an "
                     "interpreter of the chain")};
  Option<bool> assumeNoNaN{*this, "assume-no-nan", llvm::cl::init(false),
                           llvm::cl::desc("as of bquant-raise")};
  Option<bool> assumeNoZero{*this, "assume-no-zero", llvm::cl::init(false),
                            llvm::cl::desc("as of bquant-raise")};
  Option<bool> assumeExactResidues{*this, "assume-exact-residues",
                                   llvm::cl::init(false),
                                   llvm::cl::desc("as of bquant-raise")};
};

/// Raise: a batch of any size becomes one sample, sign idioms and products
/// become bquant ops, channels-last.
void buildRaisePipeline(mlir::OpPassManager &pm, const RouteOptions &options);

/// Solve: quantized constants become `bquant.constant`.
void buildSolvePipeline(mlir::OpPassManager &pm, const RouteOptions &options);

/// Fold: float chains before a quantize become thresholds, if `fold` is set.
void buildFoldPipeline(mlir::OpPassManager &pm, const RouteOptions &options);

/// Float products become generics that sum by fma.
void buildFloatProductsPipeline(mlir::OpPassManager &pm,
                                const RouteOptions &options);

/// Pack: scaled-binary values become words; only `bquant.pack`,
/// `bquant.unpack` and `bquant.solve` are left.
void buildWordsPipeline(mlir::OpPassManager &pm, const RouteOptions &options);

/// Tile and vectorize: one loop nest a layer, its tiles as vector code.
void buildTilePipeline(mlir::OpPassManager &pm, const RouteOptions &options);

/// Every bquant op to i8 signs and plain loops, the slow way.
void buildReferenceLoopsPipeline(mlir::OpPassManager &pm,
                                 const RouteOptions &options);

/// LLVM: linalg and vector ops on tensors to buffers in one arena, the C
/// interface, and the LLVM dialect.
void buildLLVMPipeline(mlir::OpPassManager &pm, const RouteOptions &options);

/// All of these, the fast route.
void buildFastPipeline(mlir::OpPassManager &pm, const RouteOptions &options);

/// Raise, solve, the plain loops of `--convert-bquant-to-reference`, LLVM.
void buildReferencePipeline(mlir::OpPassManager &pm,
                            const RouteOptions &options);

/// `bquant-fast`, `bquant-reference` and the stages that stand alone.
void registerBQuantPipelines();

} // namespace bquant

#endif // BQUANT_PIPELINES_PIPELINES_H
