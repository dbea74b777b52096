//===- Compiler.cpp - From a module to code, in one call ------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Compiler/Compiler.h"
#include "bquant/Codegen/Names.h"
#include "bquant/Compiler/Report.h"
#include "bquant/Emission/Emit.h"
#include "bquant/InitAll.h"
#include "bquant/Pipelines/Pipelines.h"
#include "bquant/Target/ModuleTarget.h"
#include "bquant/Target/TargetDescription.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_sha1_ostream.h"

using namespace bquant;

void bquant::registerCompilerDialects(mlir::DialectRegistry &registry) {
  registerUpstreamDialects(registry);
  registerAllDialects(registry);
}

void CompileOptions::assume(llvm::ArrayRef<Assumption> granted, bool strict) {
  auto has = [&](Assumption one) { return llvm::is_contained(granted, one); };
  assumptions.noNaN = has(Assumption::NoNaN);
  assumptions.noZero = has(Assumption::NoZero);
  assumptions.exactResidues = !strict || has(Assumption::ExactResidues);
}

namespace {
/// Tells of a stage when that pass of it begins that no other stage has. Nested
/// pipelines of stages that follow each other become one: where a stage begins
/// is not to be seen in the pass manager.
class StageProgress : public mlir::PassInstrumentation {
public:
  StageProgress(llvm::ArrayRef<Stage> stages, Progress progress)
      : ahead(stages), progress(std::move(progress)) {}

  // By one thread at a time.
  void runBeforePass(mlir::Pass *pass, mlir::Operation *) override {
    const Stage *stage = llvm::find_if(ahead, [&](const Stage &stage) {
      return stage.pass == pass->getArgument();
    });
    if (stage == ahead.end())
      return;
    ahead = llvm::ArrayRef(stage + 1, ahead.end());
    progress(stage->name, 0, 0);
  }

private:
  llvm::ArrayRef<Stage> ahead;
  Progress progress;
};
} // namespace

/// Says what the network is as it was given, by its code and constants: not by
/// the target, nor by where somebody wrote it.
static void setDigest(mlir::ModuleOp module) {
  mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
  mlir::Location nowhere = mlir::UnknownLoc::get(module.getContext());
  copy->walk([&](mlir::Operation *op) {
    op->setLoc(nowhere);
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        for (mlir::BlockArgument argument : block.getArguments())
          argument.setLoc(nowhere);
  });
  llvm::raw_sha1_ostream os;
  // It can only fail for a version of the bytecode that somebody asks for.
  mlir::LogicalResult written = mlir::writeBytecodeToFile(*copy, os);
  assert(mlir::succeeded(written) && "expected bytecode of the newest version");
  (void)written;
  std::string digest = llvm::toHex(os.sha1(), /*LowerCase=*/true);
  module->setAttr(kDigestName,
                  mlir::StringAttr::get(module.getContext(), digest));
}

/// The functions that code is made for.
static llvm::SmallVector<mlir::FunctionOpInterface>
getFunctionsToCompile(mlir::ModuleOp module) {
  llvm::SmallVector<mlir::FunctionOpInterface> functions;
  for (auto function : module.getOps<mlir::FunctionOpInterface>())
    if (function.isPublic() && !function.isExternal())
      functions.push_back(function);
  return functions;
}

/// Calls the public function of a module by another name.
static llvm::Error setEntryName(mlir::ModuleOp module, llvm::StringRef name) {
  if (llvm::Error error = checkCName(name))
    return error;
  llvm::SmallVector<mlir::FunctionOpInterface> functions =
      getFunctionsToCompile(module);
  if (functions.size() != 1)
    return llvm::createStringError(
        "expected one public function to be called '" + name + "', but got " +
        llvm::join(llvm::map_range(functions,
                                   [](mlir::FunctionOpInterface function) {
                                     return function.getName();
                                   }),
                   ", "));
  if (functions.front().getName() == name)
    return llvm::Error::success();
  mlir::SymbolTable symbols(module);
  if (symbols.lookup(name))
    return llvm::createStringError(
        "expected a name that nothing else in the module has, but got '" +
        name + "'");
  if (mlir::failed(symbols.rename(functions.front(), name)))
    return llvm::createStringError("expected a function that can be called '" +
                                   name + "', but got '" +
                                   functions.front().getName() + "'");
  return llvm::Error::success();
}

/// Refuses a module that is lowered already. Compiling it again would wrap its
/// C interface a second time and make slow code, or no function at all.
static llvm::Error
checkNotLowered(llvm::ArrayRef<mlir::FunctionOpInterface> functions) {
  auto isLowered = [](mlir::FunctionOpInterface function) {
    return mlir::isa<mlir::LLVM::LLVMFuncOp>(function.getOperation());
  };
  auto isEntry = [](mlir::FunctionOpInterface function) {
    auto code = mlir::dyn_cast<mlir::LLVM::LLVMFuncOp>(function.getOperation());
    mlir::ArrayAttr attributes =
        code ? code.getPassthroughAttr() : mlir::ArrayAttr();
    return attributes &&
           llvm::is_contained(
               attributes.getValue(),
               mlir::StringAttr::get(code.getContext(), "bquant-entry"));
  };
  const mlir::FunctionOpInterface *found = llvm::find_if(functions, isEntry);
  if (found == functions.end() && llvm::all_of(functions, isLowered))
    found = functions.begin();
  if (found == functions.end())
    return llvm::Error::success();
  mlir::FunctionOpInterface function = *found;
  function->emitError("expected a module that is not lowered yet, but got '")
      << function.getName() << "' in the LLVM dialect";
  return llvm::createStringError("the module is lowered already");
}

/// Whether earlier stages have chosen kernels, layouts or instructions for the
/// target that the module names.
static bool isMadeForTarget(mlir::ModuleOp module) {
  return module
      .walk([](mlir::Operation *op) {
        return op->getName().getDialectNamespace() == "bquant_packed" ||
                       mlir::isa<mlir::LLVM::CallIntrinsicOp>(op)
                   ? mlir::WalkResult::interrupt()
                   : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// The target that the module names, if any.
static llvm::Expected<std::optional<Target>> readTarget(mlir::ModuleOp module) {
  mlir::FailureOr<std::optional<Target>> target = getModuleTarget(module);
  if (mlir::failed(target)) // the context has said why
    return llvm::createStringError("the target of the module is unknown");
  return std::move(*target);
}

/// Later stages can make code for a machine that has more than the one that the
/// module is made for. For one that has less LLVM fails on it.
static llvm::Error checkMadeFor(mlir::ModuleOp module, const Target &target) {
  if (!isMadeForTarget(module))
    return llvm::Error::success();
  llvm::Expected<std::optional<Target>> own = readTarget(module);
  if (!own)
    return own.takeError();
  if (!*own || target.includes(**own))
    return llvm::Error::success();
  return llvm::createStringError("expected the target '" + (*own)->getName() +
                                 "' that the module was lowered for, but got "
                                 "'" +
                                 target.getName() + "'");
}

llvm::Error bquant::lower(mlir::ModuleOp module, const CompileOptions &options,
                          const Target &target, Report *report) {
  if (options.threads < 1)
    return llvm::createStringError("expected at least 1 thread, but got " +
                                   llvm::Twine(options.threads));
  llvm::SmallVector<mlir::FunctionOpInterface> functions =
      getFunctionsToCompile(module);
  if (functions.empty()) {
    module.emitError("expected a public function to compile, but got none");
    return llvm::createStringError("there is nothing to compile");
  }
  if (llvm::Error error = checkNotLowered(functions))
    return error;
  if (llvm::Error error = checkMadeFor(module, target))
    return error;
  if (!options.entryName.empty())
    if (llvm::Error error = setEntryName(module, options.entryName))
      return error;
  bool reference = options.strategy == Strategy::Reference;
  if (options.floatPrecision == FloatPrecision::BF16 && !reference &&
      !TargetDescription(target).hasBF16DotProducts)
    return llvm::createStringError(
        "expected a CPU with dot products of bf16 (avx512bf16, bf16) for float "
        "precision bf16, but got '" +
        target.cpu + "'");

  mlir::PassManager pm(module.getContext());
  if (options.configure && mlir::failed(options.configure(pm)))
    return llvm::createStringError("expected options of the pass manager that "
                                   "go together");
  pm.enableVerifier(options.verifyEach);
  RouteOptions route = options;
  route.describeLayers = report != nullptr;
  if (reference)
    route.fold = false; // The reference does nothing that it need not.
  llvm::ArrayRef<Stage> stages = reference ? getReferenceStages() : getStages();
  if (!buildRoute(pm, stages, route, options.stopAfter))
    return llvm::createStringError(
        "expected one of the stages " + listNames(stages) +
        " to stop after, but got '" + options.stopAfter + "'");
  // Only the last stage reads the digest.
  if (options.stopAfter.empty() || options.stopAfter == stages.back().name)
    setDigest(module);
  setModuleTarget(module, target);
  if (options.progress)
    pm.addInstrumentation(
        std::make_unique<StageProgress>(stages, options.progress));
  if (report) {
    report->setTarget(target);
    report->addSource(module);
  }
  Report::Scope scope(report, module.getContext());
  if (mlir::failed(pm.run(module)) ||
      (!options.verifyEach && mlir::failed(mlir::verify(module))))
    return llvm::createStringError("lowering to the LLVM dialect failed");
  if (report) {
    report->addLayers(takeLayerFacts(module));
    report->addConstants(module);
  }
  return llvm::Error::success();
}

llvm::Expected<LoweredProgram> bquant::lower(mlir::ModuleOp module,
                                             const CompileOptions &options,
                                             llvm::ArrayRef<Target> targets,
                                             Reports *reports) {
  std::optional<Target> named;
  if (targets.size() == 1 && options.target.cpu.empty() &&
      options.target.features.empty()) {
    llvm::Expected<std::optional<Target>> own = readTarget(module);
    if (!own)
      return own.takeError();
    named = std::move(*own);
    if (named && named->isLike(targets.front()))
      targets = *named;
  }
  LoweredProgram program;
  for (const Target &target : targets) {
    mlir::ModuleOp own = module;
    if (targets.size() > 1)
      own = program.clones.emplace_back(module.clone()).get();
    if (llvm::Error error =
            lower(own, options, target, reports ? &reports->add() : nullptr))
      return std::move(error);
    program.versions.push_back({own, target});
  }
  return program;
}

llvm::Error bquant::compileToFile(mlir::ModuleOp module, llvm::StringRef path,
                                  EmitKind kind, const CompileOptions &options,
                                  AtomicFiles &files, Reports *reports) {
  if (!options.stopAfter.empty() && kind != EmitKind::MLIR)
    return llvm::createStringError(
        "expected MLIR as the output of the stage '" + options.stopAfter + "'");
  // Layers and constants are counted along the whole of it.
  if (!options.stopAfter.empty() && reports)
    return llvm::createStringError(
        "expected the whole route for a report, but it stops after '" +
        options.stopAfter + "'");
  llvm::SmallVector<Target> targets;
  if (kind == EmitKind::MLIR) { // of one CPU
    llvm::Expected<Target> target = resolveTarget(options.target);
    if (!target)
      return target.takeError();
    targets.push_back(std::move(*target));
  } else {
    llvm::Expected<llvm::SmallVector<Target>> several =
        resolveTargets(options.target);
    if (!several)
      return several.takeError();
    targets = std::move(*several);
  }
  Reports own;
  if (kind == EmitKind::Shared) {
    if (llvm::Error error = checkLibraries(targets.front(), options.sysroot))
      return error;
    if (!reports)
      reports = &own;
  }
  llvm::Expected<LoweredProgram> program =
      lower(module, options, targets, reports);
  if (!program)
    return program.takeError();
  llvm::ArrayRef<Version> versions = program->versions;

  auto emit = [&](CodeKind code) {
    llvm::Error failed = llvm::Error::success();
    llvm::Error error = files.add(path, [&](llvm::raw_pwrite_stream &os) {
      failed = llvm::joinErrors(std::move(failed),
                                emitCode(versions, code, options.progress, os));
    });
    return llvm::joinErrors(std::move(error), std::move(failed));
  };
  auto addHeader = [&](llvm::StringRef header) {
    return files.add(header, [&](llvm::raw_pwrite_stream &os) {
      os << emitHeader(getSignatures(versions));
    });
  };
  switch (kind) {
  case EmitKind::Shared: {
    llvm::Expected<Objects> objects =
        compileObjects(versions, options.progress, reports->toJSON());
    if (!objects)
      return objects.takeError();
    if (options.progress)
      options.progress("link", 0, 0);
    if (llvm::Error error =
            linkShared(*objects, targets.front(), options.sysroot, path, files))
      return error;
    llvm::SmallString<128> header(path);
    llvm::sys::path::replace_extension(header, "h");
    return addHeader(header);
  }
  case EmitKind::Header:
    return addHeader(path);
  case EmitKind::Object:
    return emit(CodeKind::Object);
  case EmitKind::Assembly:
    return emit(CodeKind::Assembly);
  case EmitKind::LLVMIR:
    return emit(CodeKind::LLVMIR);
  case EmitKind::MLIR:
    return files.add(path, [&](llvm::raw_pwrite_stream &os) {
      module->print(os);
      os << "\n";
    });
  }
  llvm_unreachable("all kinds are covered");
}
