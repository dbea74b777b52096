//===- Linker.h - Where a shared library is linked --------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_EMISSION_LINKER_H
#define BQUANT_LIB_EMISSION_LINKER_H

#include "bquant/Target/TargetMachine.h"
#include "llvm/Support/Error.h"
#include <string>

namespace bquant {

/// Links for `target` by the arguments of an ELF linker, without its name. The
/// first line of its complaint becomes the error.
///
/// In the process, by lld (LinkByLLD.cpp), or, where the build found no library
/// of lld, by a linker on PATH (LinkByProgram.cpp).
llvm::Error runLinker(const Target &target,
                      llvm::ArrayRef<llvm::StringRef> arguments);

/// The machine as Debian calls it, in names of directories and programs:
/// aarch64-linux-gnu; and the package with what it takes to link for it.
std::string getDebianTriple(const llvm::Triple &triple);
std::string getDebianPackage(const llvm::Triple &triple);

} // namespace bquant

#endif // BQUANT_LIB_EMISSION_LINKER_H
