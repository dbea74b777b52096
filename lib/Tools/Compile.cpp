//===- Compile.cpp - A module to native code ------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tool.h"
#include "Tools.h"
#include "bquant/Compiler/Compiler.h"
#include "bquant/Compiler/Report.h"
#include "bquant/Emission/Emit.h"
#include "llvm/Support/Path.h"

namespace cl = llvm::cl;
using namespace bquant;

namespace {
struct Options {
  cl::OptionCategory category{"bquant-compile options"};
  cl::opt<std::string> input{cl::Positional, cl::Required,
                             cl::desc("<input .mlir or .mlirbc, - for "
                                      "standard input>"),
                             cl::cat(category)};
  cl::opt<std::string> output{"o", cl::Required, cl::desc("Output file"),
                              cl::value_desc("file"), cl::cat(category)};
  cl::opt<EmitKind> emitKind{
      "emit", cl::init(EmitKind::Shared), cl::desc("What to write:"),
      cl::values(
          clEnumValN(EmitKind::Shared, "shared",
                     "shared library, and a C header beside it (default)"),
          clEnumValN(EmitKind::Object, "obj", "object file"),
          clEnumValN(EmitKind::Header, "header",
                     "C header alone, e.g. for an object file"),
          clEnumValN(EmitKind::Assembly, "asm", "assembly"),
          clEnumValN(EmitKind::LLVMIR, "llvm", "optimized LLVM IR"),
          clEnumValN(EmitKind::MLIR, "mlir", "MLIR in the LLVM dialect")),
      cl::cat(category)};
  cl::opt<std::string> stopAfter{
      "stop-after",
      cl::desc("The last stage: import, raise, solve, fold, select, pack, "
               "tile, vectorize or llvm (reference: pack, tile and vectorize "
               "are reference-loops); writes MLIR"),
      cl::value_desc("stage"), cl::cat(category)};
  cl::opt<std::string> triple{"target-triple",
                              cl::desc("Triple (default: this machine's)"),
                              cl::cat(category)};
  cl::opt<std::string> cpu{"target-cpu",
                           cl::desc("CPU, as llc's -mcpu (default: this "
                                    "machine's); several with commas make "
                                    "code with a version for each, portable "
                                    "is x86-64-v2,haswell,icelake-server"),
                           cl::cat(category)};
  cl::opt<std::string> features{"target-features",
                                cl::desc("Features, as llc's -mattr"),
                                cl::cat(category)};
  cl::opt<std::string> sysroot{
      "target-sysroot",
      cl::desc("Where a shared library finds the target's C library (default: "
               "this machine's, or what is installed for another one)"),
      cl::value_desc("directory"), cl::cat(category)};
  cl::opt<std::string> strategy{
      "strategy", cl::init("auto"),
      cl::desc("The kernel of products: auto, popcount, table, bytes, scalar, "
               "reference"),
      cl::cat(category)};
  cl::opt<std::string> floatPrecision{
      "float-precision", cl::init("f32"),
      cl::desc("What products of floats are rounded to: f32 or bf16"),
      cl::cat(category)};
  cl::opt<std::string> assume{
      "assume",
      cl::desc("What signs may take for granted: no-nan, no-zero, "
               "exact-residues, with commas"),
      cl::cat(category)};
  cl::opt<bool> strict{
      "strict",
      cl::desc("Compute straight-through residues (q - c) + c as they are "
               "written, and do not take them for q"),
      cl::cat(category)};
  cl::opt<std::string> entryName{
      "entry-name",
      cl::desc("What the public function, the only one, is called (default: "
               "as it is in the module)"),
      cl::value_desc("name"), cl::cat(category)};
  cl::opt<int> threads{"threads", cl::init(1),
                       cl::desc("Most threads that a call may use"),
                       cl::cat(category)};
  cl::opt<bool> verifyFolding{
      "verify-folding",
      cl::desc("Interpret each folded chain around its thresholds, and fail "
               "where it differs from what was written"),
      cl::cat(category)};
  cl::opt<bool> verifyEach{
      "verify-each",
      cl::desc("Verify the IR after each pass, not after the last alone"),
      cl::cat(category)};
  cl::opt<std::string> reportPath{
      "report",
      cl::desc("What each layer became, and why not: a file that ends "
               "in .txt, .json or .html"),
      cl::value_desc("file"), cl::cat(category)};
};
} // namespace

static llvm::Error compile(const Options &options, mlir::MLIRContext &context) {
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> module =
      parseFileOfTool("bquant-compile", options.input, context);
  if (!module)
    return module.takeError();
  llvm::StringRef format = llvm::sys::path::extension(options.reportPath);
  if (!options.reportPath.empty() &&
      !llvm::is_contained({".txt", ".json", ".html"}, format))
    return llvm::createStringError(
        "expected a report file that ends in .txt, .json or .html, but got '" +
        options.reportPath + "'");
  CompileOptions how;
  how.strategy = options.strategy;
  how.floatPrecision = options.floatPrecision;
  how.target = {options.triple, options.cpu, options.features};
  how.sysroot = options.sysroot;
  how.entryName = options.entryName;
  how.threads = options.threads;
  how.verifyFolding = options.verifyFolding;
  how.assume = options.assume;
  how.strict = options.strict;
  how.stopAfter = options.stopAfter;
  how.verifyEach = options.verifyEach;
  how.configure = applyPassOptions;
  ProgressLine line;
  how.progress = line.get("bquant-compile");
  bool stops = !options.stopAfter.empty();
  EmitKind kind = stops && options.emitKind.getNumOccurrences() == 0
                      ? EmitKind::MLIR
                      : options.emitKind;
  AtomicFiles files(AtomicFiles::OnSignal::Remove);
  files.keep(options.input);
  auto compile = [&](Reports *report) {
    return compileToFile(**module, options.output, kind, how, files, report);
  };
  if (options.reportPath.empty()) {
    if (llvm::Error error = compile(/*reports=*/nullptr))
      return error;
    return files.commit();
  }
  // First, so that nothing is written where the report cannot be.
  llvm::Expected<std::string> file = files.reserve(options.reportPath);
  if (!file)
    return file.takeError();
  Reports report;
  if (llvm::Error error = compile(&report))
    return error;
  std::error_code code;
  llvm::raw_fd_ostream os(*file, code);
  os << (format == ".txt"    ? report.toText()
         : format == ".json" ? report.toJSON()
                             : report.toHTML());
  os.close();
  if (code || os.has_error()) {
    code = code ? code : os.error();
    os.clear_error();
    return llvm::createStringError("cannot write '" + options.reportPath +
                                   "': " + code.message());
  }
  return files.commit();
}

int bquant::compileMain(int argc, char **argv) {
  return runTool(argc, argv, "bquant-compile", "bquant compiler\n", compile);
}
