//===- ParseFile.h - Parsing that survives a broken file --------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's readers of bytecode and of some operations crash on files that were
// cut or damaged. For a tool that is a mistake in its input like any other.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TOOLS_PARSEFILE_H
#define BQUANT_TOOLS_PARSEFILE_H

#include "bquant/Compiler/Source.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include <cstdlib>

namespace bquant {

/// As parseModuleFile; ends the tool where the parser crashes, since nothing
/// that it held can be trusted.
inline mlir::OwningOpRef<mlir::ModuleOp>
parseFileOfTool(llvm::StringRef tool, llvm::StringRef path,
                mlir::MLIRContext *context) {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  llvm::CrashRecoveryContext::Enable();
  bool parsed = llvm::CrashRecoveryContext().RunSafely(
      [&] { module = parseModuleFile(path, context); });
  llvm::CrashRecoveryContext::Disable();
  if (parsed)
    return module;
  llvm::errs() << tool << ": " << path
               << ": error: expected MLIR, but got what its parser fails on\n";
  std::_Exit(1);
}

} // namespace bquant

#endif // BQUANT_TOOLS_PARSEFILE_H
