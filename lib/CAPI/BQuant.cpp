//===- BQuant.cpp - The C API of the compiler -----------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant-c/BQuant.h"

#include "Program.h"
#include "Support.h"
#include "bquant-c/Version.h"
#include "bquant/Compiler/Report.h"
#include "bquant/Compiler/Source.h"
#include "bquant/Emission/Emit.h"
#include "bquant/InitAll.h"
#include "bquant/Quant/Scheme.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/ScopeExit.h"
#include <cstddef>
#include <malloc.h>
#include <map>

using namespace bquant;

struct BQuantModule {
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;

  explicit BQuantModule(const mlir::DialectRegistry &registry)
      : context(registry) {}
};

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

static std::unique_ptr<BQuantModule> createModule() {
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  return std::make_unique<BQuantModule>(registry);
}

/// The module of `parse`, or null and the reason.
static BQuantModule *
parse(llvm::function_ref<mlir::OwningOpRef<mlir::ModuleOp>(mlir::MLIRContext *)>
          parse,
      char **error) {
  std::unique_ptr<BQuantModule> result = createModule();
  Diagnostics diagnostics(&result->context);
  result->module = parse(&result->context);
  if (result->module)
    return result.release();
  fail(error, diagnostics.explain(llvm::createStringError("parsing failed")));
  return nullptr;
}

BQuantModule *bquantModuleParse(const char *source, size_t size,
                                const char *name, const BQuantBlob *blobs,
                                size_t numBlobs, char **error) {
  llvm::SmallVector<Blob> data;
  for (size_t i = 0; i < numBlobs; ++i)
    data.push_back({blobs[i].key,
                    {static_cast<const char *>(blobs[i].data), blobs[i].size},
                    blobs[i].alignment});
  return parse(
      [&](mlir::MLIRContext *context) {
        // A copy: the parser wants a zero behind the text.
        return parseModule(llvm::MemoryBuffer::getMemBufferCopy(
                               {source, size}, name ? name : "-"),
                           data, context);
      },
      error);
}

BQuantModule *bquantModuleParseFile(const char *path, char **error) {
  return parse(
      [&](mlir::MLIRContext *context) {
        return parseModuleFile(path, context);
      },
      error);
}

void bquantModuleDestroy(BQuantModule *module) { delete module; }

char *bquantModulePrint(BQuantModule *module, int elideLarge) {
  std::string text;
  llvm::raw_string_ostream os(text);
  mlir::OpPrintingFlags flags;
  if (elideLarge)
    flags.elideLargeElementsAttrs(16).elideLargeResourceString(16);
  module->module->print(os, flags);
  os << "\n";
  return copyString(text);
}

int bquantModuleRunPipeline(BQuantModule *module, const char *pipeline,
                            char **error) {
  static const bool registered = [] {
    registerUpstreamPasses();
    registerAllPasses();
    return true;
  }();
  (void)registered;
  mlir::PassManager pm(&module->context);
  std::string message;
  llvm::raw_string_ostream os(message);
  if (mlir::failed(mlir::parsePassPipeline(pipeline, pm, os)))
    return fail(error, message);
  Diagnostics diagnostics(&module->context);
  if (mlir::succeeded(pm.run(*module->module)))
    return 0;
  return fail(error, diagnostics.explain(
                         llvm::createStringError("the pipeline failed")));
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// Reads a name, if one is given; false and an error for an unknown one.
template <typename EnumT>
static bool read(const char *name, EnumT &value, char **error) {
  if (!name)
    return true;
  llvm::Expected<EnumT> found = symbolize<EnumT>(name);
  if (!found)
    return !fail(error, llvm::toString(found.takeError()));
  value = *found;
  return true;
}

/// False and an error for options that this library does not know.
static bool convert(const BQuantCompileOptions *given, CompileOptions &options,
                    char **error) {
  if (!given)
    return true;
  BQuantCompileOptions known = {};
  if (!copySized(given, &known, sizeof(known), error) ||
      !read(known.strategy, options.strategy, error) ||
      !read(known.floatPrecision, options.floatPrecision, error))
    return false;
  llvm::SmallVector<Assumption> granted;
  for (llvm::StringRef name :
       llvm::split(known.assume ? known.assume : "", ','))
    if (!name.empty() &&
        !read(name.str().c_str(), granted.emplace_back(), error))
      return false;
  options.assume(granted, known.strict != 0);
  auto set = [](std::string &option, const char *value) {
    if (value)
      option = value;
  };
  set(options.target.triple, known.targetTriple);
  set(options.target.cpu, known.targetCPU);
  set(options.target.features, known.targetFeatures);
  options.threads = known.threads == 0 ? 1 : known.threads;
  options.clockLayers = known.clockLayers != 0;
  options.verifyFolding = known.verifyFolding != 0;
  options.verifyEach = known.verifyEach != 0;
  set(options.sysroot, known.sysroot);
  set(options.entryName, known.entryName);
  if (known.progress)
    options.progress = [progress = known.progress,
                        context = known.progressContext](
                           llvm::StringRef stage, unsigned done, unsigned all) {
      progress(context, stage.str().c_str(), int32_t(done), int32_t(all));
    };
  return true;
}

static_assert(int(EmitKind::Shared) == BQUANT_EMIT_SHARED &&
              int(EmitKind::Object) == BQUANT_EMIT_OBJECT &&
              int(EmitKind::Assembly) == BQUANT_EMIT_ASSEMBLY &&
              int(EmitKind::LLVMIR) == BQUANT_EMIT_LLVM &&
              int(EmitKind::MLIR) == BQUANT_EMIT_MLIR &&
              int(EmitKind::Header) == BQUANT_EMIT_HEADER);

const char *bquantOptionValues(const char *option) {
  static const std::map<llvm::StringRef, std::string> values = {
      {"strategy", listNames(Choices<Strategy>::all)},
      {"float-precision", listNames(Choices<FloatPrecision>::all)},
      {"assume", listNames(Choices<Assumption>::all)},
      {"emit", listNames(Choices<EmitKind>::all)},
      {"stop-after", listNames(getStages())},
      {"scheme", llvm::join(quant::Scheme::getNames(), ", ")}};
  auto found = values.find(option);
  return found == values.end() ? nullptr : found->second.c_str();
}

int bquantModuleCompile(BQuantModule *module, const char *path, BQuantEmit emit,
                        const BQuantCompileOptions *given, char **report,
                        char **error) {
  CompileOptions options;
  if (!convert(given, options, error))
    return 1;
  if (emit < BQUANT_EMIT_SHARED || emit > BQUANT_EMIT_HEADER)
    return fail(error, "expected a kind of output from 0 to 5, but got " +
                           std::to_string(emit));
  if (options.clockLayers && emit == BQUANT_EMIT_SHARED)
    return fail(error, "expected a program that does not clock its layers, "
                       "since a library has no clock, but got one that does");
  Reports collected;
  Diagnostics diagnostics(&module->context);
  mlir::OwningOpRef<mlir::ModuleOp> copy = module->module->clone();
  AtomicFiles files;
  if (llvm::Error failed = compileToFile(*copy, path, EmitKind(emit), options,
                                         files, report ? &collected : nullptr))
    return fail(error, diagnostics.explain(std::move(failed)));
  if (llvm::Error failed = files.commit())
    return fail(error, llvm::toString(std::move(failed)));
  if (report)
    *report = copyString(collected.toJSON());
  return 0;
}

int bquantModuleLower(BQuantModule *module, const char *stage,
                      const BQuantCompileOptions *given, char **error) {
  CompileOptions options;
  if (!convert(given, options, error))
    return 1;
  if (stage)
    options.stopAfter = stage;
  llvm::Expected<Target> target = resolveTarget(options.target);
  if (!target)
    return fail(error, llvm::toString(target.takeError()));
  Diagnostics diagnostics(&module->context);
  llvm::Expected<LoweredProgram> lowered =
      lower(*module->module, options, llvm::ArrayRef<Target>(*target),
            /*reports=*/nullptr);
  if (!lowered)
    return fail(error, diagnostics.explain(lowered.takeError()));
  return 0;
}

BQuantProgram *bquantModuleJit(BQuantModule *module,
                               const BQuantCompileOptions *given,
                               char **error) {
  CompileOptions options;
  if (!convert(given, options, error))
    return nullptr;
  // The C library keeps what is freed, which is far more than what stays.
  llvm::scope_exit trim([] { malloc_trim(0); });
  Diagnostics diagnostics(&module->context);
  mlir::OwningOpRef<mlir::ModuleOp> copy = module->module->clone();
  llvm::Expected<std::unique_ptr<Program>> program =
      Program::compile(*copy, options);
  if (program)
    return new BQuantProgram{std::move(*program), /*isCompiledHere=*/true};
  fail(error, diagnostics.explain(program.takeError()));
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

BQuantProgram *bquantProgramLoad(const char *path, char **error) {
  llvm::Expected<std::unique_ptr<Program>> program = Program::load(path);
  if (program)
    return new BQuantProgram{std::move(*program), /*isCompiledHere=*/false};
  fail(error, llvm::toString(program.takeError()));
  return nullptr;
}

void bquantProgramDestroy(BQuantProgram *program) { delete program; }

int bquantProgramSave(const BQuantProgram *program, const char *path,
                      const char *name, char **error) {
  AtomicFiles files;
  if (llvm::Error failed =
          program->program->save(path, name ? name : "", files))
    return fail(error, llvm::toString(std::move(failed)));
  if (llvm::Error failed = files.commit())
    return fail(error, llvm::toString(std::move(failed)));
  return 0;
}

const char *bquantProgramSignature(const BQuantProgram *program) {
  return program->program->getSignature().c_str();
}

/// A string to be freed, or null and the reason.
static char *format(const Reports &report, llvm::StringRef name, char **error) {
  if (name == "text")
    return copyString(report.toText());
  if (name == "json")
    return copyString(report.toJSON());
  if (name == "html")
    return copyString(report.toHTML());
  fail(error,
       "expected format text, json or html, but got '" + name.str() + "'");
  return nullptr;
}

char *bquantReportFormat(const char *json, const char *name, char **error) {
  llvm::Expected<Reports> report = Reports::fromJSON(json);
  if (report)
    return format(*report, name ? name : "", error);
  fail(error, llvm::toString(report.takeError()));
  return nullptr;
}

char *bquantProgramReport(const BQuantProgram *program, const char *name,
                          char **error) {
  llvm::Expected<Reports> report = program->program->readReport();
  if (report)
    return format(*report, name ? name : "", error);
  fail(error, llvm::toString(report.takeError()));
  return nullptr;
}

int bquantLoadOpenMP(void) { return loadOpenMP(); }

char *bquantExplainCode(int32_t code) { return copyString(explainCode(code)); }

/// The function of that name, or null and the reason.
static const FunctionInfo *find(const BQuantProgram *program, const char *name,
                                char **error) {
  llvm::StringRef triple = program->program->getForeignTriple();
  if (!triple.empty()) {
    fail(error, "expected a network compiled for this machine, but got one "
                "for '" +
                    triple.str() + "': save it and load the library there");
    return nullptr;
  }
  llvm::Expected<const FunctionInfo *> function =
      program->program->find(name ? name : "");
  if (function)
    return *function;
  fail(error, llvm::toString(function.takeError()));
  return nullptr;
}

BQuantEntry bquantProgramEntry(const BQuantProgram *program, const char *name,
                               char **error) {
  const FunctionInfo *function = find(program, name, error);
  if (function && !function->entry)
    fail(error, "expected a function on arrays of known shape, but '" +
                    function->name + "' takes a batch of any size");
  return function ? function->entry : nullptr;
}

BQuantBatchEntry bquantProgramBatchEntry(const BQuantProgram *program,
                                         const char *name, char **error) {
  const FunctionInfo *function = find(program, name, error);
  if (function && !function->batchEntry)
    fail(error, "expected a function on a batch of any size, but all shapes "
                "of '" +
                    function->name + "' are known");
  return function ? function->batchEntry : nullptr;
}

int bquantProgramArenaBytes(const BQuantProgram *program, const char *name,
                            int32_t threads, size_t *bytes, char **error) {
  const FunctionInfo *function = find(program, name, error);
  if (!function)
    return 1;
  *bytes = function->arenaBytes(threads);
  return 0;
}

int bquantProgramSupported(const BQuantProgram *program, const char *name,
                           int *supported, char **error) {
  const FunctionInfo *function = find(program, name, error);
  if (!function)
    return 1;
  *supported = function->supported();
  return 0;
}

int bquantProgramVersion(const BQuantProgram *program, const char *name,
                         const char **cpu, char **error) {
  const FunctionInfo *function = find(program, name, error);
  if (!function)
    return 1;
  *cpu = function->version ? function->version() : nullptr;
  return 0;
}

const char *bquantVersion(void) { return BQUANT_VERSION_STRING; }
