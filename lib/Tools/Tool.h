//===- Tool.h - What the mains of the tools share ---------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TOOLS_TOOL_H
#define BQUANT_LIB_TOOLS_TOOL_H

#include "Main.h"
#include "bquant/Compiler/Compiler.h"
#include "bquant/Compiler/Source.h"
#include "bquant/InitAll.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"
#include <csignal>
#include <cstdlib>

namespace bquant {

/// Takes the options that are there out of the process's list; their values
/// stay. LLVM brings hundreds, some by the names of ours (`--threads`), and two
/// of one name end the program: a tool makes its options after this call, and
/// calls it once more when they are read, since they end with the tool and the
/// process may not.
inline void removeOptions() {
  llvm::SmallVector<llvm::cl::Option *> present;
  for (auto &entry : llvm::cl::getRegisteredOptions())
    present.push_back(entry.second);
  llvm::append_range(present,
                     llvm::cl::SubCommand::getTopLevel().PositionalOpts);
  for (llvm::cl::Option *option : present)
    if (!option->ArgStr.starts_with("help") && option->ArgStr != "version")
      option->removeArgument();
}

/// Upstream's options of whatever runs passes: --mlir-print-ir-after-all,
/// --mlir-timing and their like. Those that name a pass know what is registered
/// before them, which takes as long as compiling a layer: it is done for them
/// only.
inline void addPassOptions(llvm::ArrayRef<const char *> arguments) {
  if (llvm::any_of(arguments, [](llvm::StringRef argument) {
        return argument.contains("mlir-print-ir-");
      })) {
    registerUpstreamPasses();
    registerAllPasses();
  }
  mlir::registerMLIRContextCLOptions();
  mlir::registerAsmPrinterCLOptions();
  mlir::registerPassManagerCLOptions();
  mlir::registerDefaultTimingManagerCLOptions();
}

/// What these options say, for `CompileOptions::configure`.
inline mlir::LogicalResult applyPassOptions(mlir::PassManager &pm) {
  mlir::applyDefaultTimingPassManagerCLOptions(pm);
  return mlir::applyPassManagerCLOptions(pm);
}

/// The line of a terminal that says how far a compilation is, rewritten in
/// place and erased in the end. On standard error, if that is a terminal that
/// can erase a line.
class ProgressLine {
public:
  ProgressLine() = default;
  ProgressLine(const ProgressLine &) = delete;
  ~ProgressLine() {
    if (shown)
      llvm::errs() << "\r\033[K";
  }

  /// For `CompileOptions::progress`; null where nothing is to be shown.
  Progress get(llvm::StringRef tool) {
    if (!llvm::sys::Process::StandardErrHasColors())
      return nullptr;
    return [this, tool](llvm::StringRef stage, unsigned done, unsigned all) {
      std::string text = (tool + ": " + stage).str();
      if (done)
        text += llvm::formatv(", function {0} of {1}", done, all);
      // A line that wraps could not be rewritten.
      if (unsigned columns = llvm::sys::Process::StandardErrColumns())
        text.resize(std::min<size_t>(text.size(), columns - 1));
      llvm::errs() << "\r" << text << "\033[K";
      shown = true;
    };
  }

private:
  bool shown = false;
};

/// As parseModuleFile. MLIR's readers of bytecode and of some operations crash
/// on files that were cut or damaged; for a tool that is a mistake in its input
/// like any other. It ends the tool, since nothing that the reader held can be
/// trusted. What is nested too deep for the stack is such a file, too: the
/// handler of it runs on the stack that LLVM's handlers have.
inline llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
parseFileOfTool(llvm::StringRef tool, llvm::StringRef path,
                mlir::MLIRContext &context) {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  llvm::CrashRecoveryContext::Enable();
  struct sigaction action;
  sigaction(SIGSEGV, nullptr, &action);
  action.sa_flags |= SA_ONSTACK;
  sigaction(SIGSEGV, &action, nullptr);
  bool returned = llvm::CrashRecoveryContext().RunSafely(
      [&] { module = parseModuleFile(path, &context); });
  llvm::CrashRecoveryContext::Disable();
  if (!returned) {
    llvm::errs() << tool << ": " << path
                 << ": error: expected MLIR, but got what its parser fails "
                    "on\n";
    std::_Exit(1);
  }
  if (!module) // the context has said why
    return llvm::createStringError("parsing failed");
  return std::move(module);
}

/// The main of a tool: reads its `Options`, a struct of cl::opts with their
/// `category`, and calls `body`. Warnings, and the error as a line that opens
/// with `tool`, go to standard error. Returns the exit code.
template <typename Options>
int runTool(int argc, char **argv, llvm::StringRef tool,
            llvm::StringRef overview,
            llvm::Error (*body)(const Options &, mlir::MLIRContext &)) {
  startTool();
  llvm::InitLLVM init(argc, argv);
  removeOptions();
  addPassOptions(llvm::ArrayRef(argv, argc));
  Options options;
  llvm::cl::HideUnrelatedOptions(options.category);
  llvm::cl::ParseCommandLineOptions(argc, argv, overview);
  removeOptions();

  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  mlir::MLIRContext context(registry);
  Diagnostics diagnostics(&context);
  llvm::Error error = body(options, context);
  llvm::errs() << diagnostics.takeWarnings();
  if (!error)
    return 0;
  llvm::errs() << tool << ": " << diagnostics.explain(std::move(error)) << "\n";
  return 1;
}

} // namespace bquant

#endif // BQUANT_LIB_TOOLS_TOOL_H
