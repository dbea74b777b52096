//===- Translate.h - The LLVM dialect to optimized LLVM IR ------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_EMISSION_TRANSLATE_H
#define BQUANT_LIB_EMISSION_TRANSLATE_H

#include "bquant/Emission/Emit.h"
#include "llvm/IR/Module.h"

namespace bquant {

/// Compiles a function for the oldest CPU of the architecture: it runs before
/// the CPU has been checked.
void setEntryTarget(llvm::Function &function, const Target &target);

/// Defines what the module calls of the runtime, optimized for the target.
llvm::Error addRuntime(llvm::Module &module, const Target &target,
                       llvm::TargetMachine &machine);

/// One module with the code of all versions of a program, whose functions have
/// the CPU after their names and are hidden, and functions under the names
/// themselves that call the version which is chosen when the code is loaded.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateVersions(llvm::ArrayRef<Version> versions, const Progress &progress,
                  llvm::LLVMContext &context);

} // namespace bquant

#endif // BQUANT_LIB_EMISSION_TRANSLATE_H
