//===- Pipelines.cpp - The whole routes, and all names --------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Pipelines/Pipelines.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace bquant;

static constexpr Stage kStages[] = {
    {"import", "TOSA to linalg", "bquant-prepare-tosa", buildImportPipeline},
    {"raise", "sign idioms and float products to bquant ops, channels-last",
     "bquant-batch-to-sample", buildRaisePipeline},
    {"solve", "quantized constants to bquant.constant", "bquant-solve-scalars",
     buildSolvePipeline},
    {"fold", "float chains before a quantize to thresholds",
     "bquant-fold-sign-cascades", buildFoldPipeline},
    {"select", "a kernel for each product", "bquant-select-kernels",
     buildSelectPipeline},
    {"pack", "scaled-binary values to packed words", "convert-bquant-to-packed",
     buildPackPipeline},
    {"tile", "one loop nest a layer", "bquant-tile-and-fuse",
     buildTilePipeline},
    {"vectorize", "tiles to vector code", "bquant-vectorize",
     buildVectorizePipeline},
    {"llvm", "tensors to one arena and the LLVM dialect, with the C interface",
     "bquant-lower-pack", buildLLVMPipeline},
};

static constexpr Stage kReferenceStages[] = {
    kStages[0],
    kStages[1],
    kStages[2],
    kStages[3],
    kStages[4],
    {"reference-loops", "every bquant op to i8 signs and plain loops",
     "convert-bquant-to-reference", buildReferenceLoopsPipeline},
    kStages[8],
};

llvm::ArrayRef<Stage> bquant::getStages() { return kStages; }
llvm::ArrayRef<Stage> bquant::getReferenceStages() { return kReferenceStages; }

bool bquant::buildRoute(OpPassManager &pm, llvm::ArrayRef<Stage> stages,
                        const RouteOptions &options, llvm::StringRef last) {
  if (!last.empty() && llvm::none_of(stages, [&](const Stage &stage) {
        return stage.name == last;
      }))
    return false;
  for (const Stage &stage : stages) {
    stage.build(pm, options);
    if (stage.name == last)
      break;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Options in text
//===----------------------------------------------------------------------===//

namespace {
template <typename T> using Option = mlir::detail::PassOptions::Option<T>;

/// An option that sets a member, by default as RouteOptions has it.
template <auto Member> struct Text {
  using Value = std::decay_t<decltype(RouteOptions().*Member)>;
  Option<Value> option;

  Text(mlir::detail::PassOptions &parent, llvm::StringRef name,
       llvm::StringRef description)
      : option(parent, name, llvm::cl::desc(description),
               llvm::cl::init(RouteOptions().*Member)) {}
  void read(RouteOptions &route) const { route.*Member = option; }
};

// The options of a stage, for its own pipeline and for whole routes.

struct RaiseTexts : Text<&RouteOptions::maxDense> {
  Option<bool> assumeNoNaN, assumeNoZero, assumeExactResidues, strictNaN;

  explicit RaiseTexts(mlir::detail::PassOptions &parent)
      : Text(parent, "max-dense",
             "resource constants of at most so many elements become dense"),
        assumeNoNaN(parent, "assume-no-nan",
                    llvm::cl::desc("take signs that treat NaN otherwise than "
                                   "bquant.sign for it")),
        assumeNoZero(parent, "assume-no-zero",
                     llvm::cl::desc("take signs that treat zero otherwise than "
                                    "bquant.sign for it")),
        assumeExactResidues(parent, "assume-exact-residues",
                            llvm::cl::desc("take straight-through residues "
                                           "(q - c) + c for q")),
        strictNaN(parent, "strict-nan",
                  llvm::cl::desc("leave signs alone that give NaN neither "
                                 "sign")) {}
  void read(RouteOptions &route) const {
    Text::read(route);
    route.assumptions = {assumeNoNaN, assumeNoZero, assumeExactResidues,
                         strictNaN};
  }
};

struct FoldTexts : Text<&RouteOptions::verifyFolding> {
  explicit FoldTexts(mlir::detail::PassOptions &parent)
      : Text(parent, "verify-folding",
             "check every folded chain around its thresholds by an interpreter "
             "of the chain") {}
};

struct StrategyTexts : Text<&RouteOptions::strategy> {
  explicit StrategyTexts(mlir::detail::PassOptions &parent)
      : Text(parent, "strategy", "the kernel of products of bits") {}
};

struct PrecisionTexts : Text<&RouteOptions::floatPrecision> {
  explicit PrecisionTexts(mlir::detail::PassOptions &parent)
      : Text(parent, "float-precision",
             "what products of floats are rounded to") {}
};

/// No kernel is what the reference asks a machine for.
struct ReferenceStrategy {
  explicit ReferenceStrategy(mlir::detail::PassOptions &) {}
  void read(RouteOptions &route) const { route.strategy = Strategy::Reference; }
};

struct ThreadsTexts : Text<&RouteOptions::threads> {
  explicit ThreadsTexts(mlir::detail::PassOptions &parent)
      : Text(parent, "threads", "the most threads that a call may use") {}
};

struct TilesTexts : Text<&RouteOptions::verifyTiles> {
  explicit TilesTexts(mlir::detail::PassOptions &parent)
      : Text(parent, "verify-tiles",
             "check that what threads share is independent") {}
};

struct WhetherToFold : Text<&RouteOptions::fold> {
  explicit WhetherToFold(mlir::detail::PassOptions &parent)
      : Text(parent, "fold",
             "fold float chains before a quantize to thresholds") {}
};

/// The reference does nothing that it need not.
struct WhetherToFoldReference : WhetherToFold {
  explicit WhetherToFoldReference(mlir::detail::PassOptions &parent)
      : WhetherToFold(parent) {
    option.setInitialValue(false);
  }
};

template <typename... Texts>
struct PipelineTexts : PassPipelineOptions<PipelineTexts<Texts...>>, Texts... {
  PipelineTexts() : Texts(static_cast<mlir::detail::PassOptions &>(*this))... {}

  RouteOptions read() const {
    RouteOptions route;
    (Texts::read(route), ...);
    return route;
  }
};
} // namespace

/// As PassPipelineRegistration, whose builder cannot fail: a pass on modules in
/// a pipeline on something else ends the process.
template <typename... Texts>
static void registerPipeline(
    llvm::StringRef name, llvm::StringRef summary,
    std::function<void(OpPassManager &, const RouteOptions &)> build) {
  registerPassPipeline(
      name, summary,
      [build, name = name.str()](
          OpPassManager &pm, llvm::StringRef options,
          llvm::function_ref<LogicalResult(const llvm::Twine &)> fail)
          -> LogicalResult {
        llvm::StringRef module = ModuleOp::getOperationName();
        // One on any operation has no name, and looks when it runs.
        if (pm.getOpName().value_or(module) != module)
          return fail("expected pipeline '" + name + "' on '" + module +
                      "', but got it on '" + pm.getOpAnchorName() + "'");
        PipelineTexts<Texts...> texts;
        if (failed(texts.parseFromString(options)))
          return failure();
        build(pm, texts.read());
        return success();
      },
      [](llvm::function_ref<void(const mlir::detail::PassOptions &)> handle) {
        handle(PipelineTexts<Texts...>());
      });
}

template <typename... Texts> static void registerStage(llvm::StringRef name) {
  for (llvm::ArrayRef<Stage> route : {getStages(), getReferenceStages()})
    if (const Stage *stage = llvm::find_if(
            route, [&](const Stage &stage) { return stage.name == name; });
        stage != route.end()) {
      registerPipeline<Texts...>(("bquant-" + name + "-pipeline").str(),
                                 stage->summary, stage->build);
      return;
    }
  llvm_unreachable("no stage of that name");
}

template <typename... Texts>
static void registerRoute(llvm::StringRef name, llvm::StringRef summary,
                          llvm::ArrayRef<Stage> stages) {
  registerPipeline<Texts...>(
      name, summary, [stages](OpPassManager &pm, const RouteOptions &options) {
        buildRoute(pm, stages, options);
      });
}

void bquant::registerBQuantPipelines() {
  registerPipeline<RaiseTexts>(
      "bquant-raise", "sign idioms and fake-quantized products to bquant ops",
      buildRecognitionPipeline);
  registerStage<>("import");
  registerStage<RaiseTexts>("raise");
  registerStage<>("solve");
  registerStage<FoldTexts>("fold");
  registerStage<StrategyTexts, PrecisionTexts>("select");
  registerStage<ThreadsTexts>("pack");
  registerStage<ThreadsTexts>("tile");
  registerStage<>("vectorize");
  registerStage<>("reference-loops");
  registerStage<ThreadsTexts, TilesTexts>("llvm");
  registerRoute<RaiseTexts, WhetherToFold, FoldTexts, StrategyTexts,
                PrecisionTexts, ThreadsTexts, TilesTexts>(
      "bquant-fast",
      "The whole route, from linalg and bquant ops on tensors to the LLVM "
      "dialect",
      getStages());
  registerRoute<RaiseTexts, WhetherToFoldReference, FoldTexts,
                ReferenceStrategy, PrecisionTexts, ThreadsTexts, TilesTexts>(
      "bquant-reference",
      "The slow and plain route, with which the fast one is compared",
      getReferenceStages());
}
