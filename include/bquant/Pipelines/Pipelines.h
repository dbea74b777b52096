//===- Pipelines.h - The order of the passes --------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The route is a list of stages, each a pipeline of its own by name, so that a
// text pipeline, C, Python and `bquant-compile --stop-after` can end at any of
// them. Another compiler may take any prefix. What the code is for stands in
// the IR (`--bquant-set-target`), not in an option.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_PIPELINES_PIPELINES_H
#define BQUANT_PIPELINES_PIPELINES_H

#include "bquant/Dialect/BQuant/Transforms/Raise.h"
#include "bquant/Support/Options.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace bquant {

/// What stages are told; each reads what is its own.
struct RouteOptions {
  /// Raise: what signs may take for granted.
  RaiseAssumptions assumptions;
  /// Raise: resource constants of at most so many elements become dense.
  int64_t maxDense = 65536;
  /// Fold: whether to, and whether each folded chain is checked around its
  /// thresholds by an interpreter of the chain.
  bool fold = true, verifyFolding = false;
  /// Select: the kernel asked for.
  Strategy strategy = Strategy::Auto;
  /// Select: what products of floats are rounded to.
  FloatPrecision floatPrecision = FloatPrecision::F32;
  /// Select: whether what becomes of each layer is written into the module.
  bool describeLayers = false;
  /// Pack, tile, LLVM: the most threads that a call may use.
  int threads = 1;
  /// LLVM: whether what threads share is checked to be independent.
  bool verifyTiles = false;
  /// LLVM: what is worth a claim of one of several threads. One has to wake,
  /// and all count what they claim.
  int64_t claimNanoseconds = 2500;
  /// LLVM: whether the code clocks its layers.
  bool clockLayers = false;
};

/// `bquant-raise`, the passes that recognise sign idioms and fake-quantized
/// products, channels-last. For shapes that may be dynamic, and with what only
/// a whole compilation does left out: the middle of the stage raise.
void buildRecognitionPipeline(mlir::OpPassManager &pm,
                              const RouteOptions &options = {});

/// Import: TOSA becomes linalg, tensor and arith.
void buildImportPipeline(mlir::OpPassManager &pm, const RouteOptions &options);

/// Raise: a batch of any size becomes one sample, sign idioms and products
/// become bquant ops, channels-last.
void buildRaisePipeline(mlir::OpPassManager &pm, const RouteOptions &options);

/// Solve: quantized constants become `bquant.constant`.
void buildSolvePipeline(mlir::OpPassManager &pm, const RouteOptions &options);

/// Fold: float chains before a quantize become thresholds.
void buildFoldPipeline(mlir::OpPassManager &pm, const RouteOptions &options);

/// Select: each product gets a kernel.
void buildSelectPipeline(mlir::OpPassManager &pm, const RouteOptions &options);

/// Pack: scaled-binary values become packed planes, and layers operations; of
/// bquant only the products and `bquant.solve` are left.
void buildPackPipeline(mlir::OpPassManager &pm, const RouteOptions &options);

/// Tile: one loop nest a layer.
void buildTilePipeline(mlir::OpPassManager &pm, const RouteOptions &options);

/// Vectorize: tiles become vector code.
void buildVectorizePipeline(mlir::OpPassManager &pm,
                            const RouteOptions &options);

/// LLVM: linalg and vector ops on tensors to buffers in one arena, the C
/// interface, and the LLVM dialect.
void buildLLVMPipeline(mlir::OpPassManager &pm, const RouteOptions &options);

/// In place of pack, tile and vectorize on the reference route: every bquant op
/// to i8 signs and plain loops, the slow way.
void buildReferenceLoopsPipeline(mlir::OpPassManager &pm,
                                 const RouteOptions &options);

/// A stage of the route.
struct Stage {
  /// As in `--stop-after=NAME` and `bquant-NAME-pipeline`.
  llvm::StringLiteral name;
  llvm::StringLiteral summary;
  /// The argument of a pass that no other stage has, one of its first.
  llvm::StringLiteral pass;
  void (*build)(mlir::OpPassManager &pm, const RouteOptions &options);
};

/// The stages of the fast route, in their order.
llvm::ArrayRef<Stage> getStages();
/// The same of the reference route.
llvm::ArrayRef<Stage> getReferenceStages();

/// The stages up to `last`, or all of them where it is empty. False if none of
/// them has that name.
bool buildRoute(mlir::OpPassManager &pm, llvm::ArrayRef<Stage> stages,
                const RouteOptions &options, llvm::StringRef last = {});

/// `bquant-NAME-pipeline` for each stage, `bquant-raise`, and the whole routes
/// `bquant-fast` and `bquant-reference`.
void registerBQuantPipelines();

} // namespace bquant

#endif // BQUANT_PIPELINES_PIPELINES_H
