//===- Compile.cpp - A module to native code ------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompileFlags.h"
#include "Tools.h"
#include "bquant/Compiler/Compiler.h"
#include "bquant/Compiler/Report.h"
#include "bquant/Emission/Emit.h"
#include "llvm/Support/Path.h"

namespace cl = llvm::cl;
using namespace bquant;

namespace {
struct Options : CompileFlags {
  cl::opt<std::string> input{cl::Positional, cl::Required,
                             cl::desc("<input .mlir or .mlirbc, - for "
                                      "standard input>"),
                             cl::cat(category)};
  cl::opt<std::string> output{"o", cl::Required, cl::desc("Output file"),
                              cl::value_desc("file"), cl::cat(category)};
  cl::opt<EmitKind> emitKind{"emit", cl::init(EmitKind::Shared),
                             cl::desc("What to write (default: shared)"),
                             cl::cat(category)};
  std::string stages = "The last stage, one of " + listNames(getStages()) +
                       " (or, with --strategy=reference, of " +
                       listNames(getReferenceStages()) + "); writes MLIR";
  cl::opt<std::string> stopAfter{"stop-after", cl::desc(stages),
                                 cl::value_desc("stage"), cl::cat(category)};
  cl::opt<std::string> triple{"target-triple",
                              cl::desc("Triple (default: this machine's)"),
                              cl::cat(category)};
  cl::opt<std::string> sysroot{
      "target-sysroot",
      cl::desc("Where a shared library finds the target's C library (default: "
               "this machine's, or what is installed for another one)"),
      cl::value_desc("directory"), cl::cat(category)};
  cl::opt<std::string> entryName{
      "entry-name",
      cl::desc("What the public function, the only one, is called (default: "
               "as it is in the module)"),
      cl::value_desc("name"), cl::cat(category)};
  cl::opt<std::string> reportPath{
      "report",
      cl::desc("What each layer became, and why not: a file that ends "
               "in .txt, .json or .html"),
      cl::value_desc("file"), cl::cat(category)};

  Options() : CompileFlags("bquant-compile options") {}
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
  CompileOptions how = options.get();
  how.target.triple = options.triple;
  how.sysroot = options.sysroot;
  how.entryName = options.entryName;
  how.stopAfter = options.stopAfter;
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
