//===- StaticLLVM.cpp - What LLVM's archives ask for in vain --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of Debian's archives some refer to what a library without them does not need,
// or what only a later glibc has. Here are the definitions of that.
//
//===----------------------------------------------------------------------===//

#include "llvm/Config/llvm-config.h"
#include "llvm/Plugins/PassPlugin.h"
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <sys/random.h>

/// Names of temporary files, in LLVM's Support. glibc has it since 2.36.
extern "C" uint32_t arc4random() noexcept {
  uint32_t value;
  while (getrandom(&value, sizeof(value), 0) != sizeof(value))
    if (errno != EINTR)
      std::abort();
  return value;
}

/// Debian's LTO has Polly inside, and lld has LTO. Nothing here is optimized by
/// either.
llvm::PassPluginLibraryInfo getPollyPluginInfo() { return {}; }

// lld initializes all targets that LLVM was built for. Those of bquant are in
// the archives (lib/Target/TargetMachine.cpp names them), of the others nothing
// is linked.
#define BQUANT_NO_TARGET(name)                                                 \
  extern "C" void LLVMInitialize##name##TargetInfo() {}                        \
  extern "C" void LLVMInitialize##name##Target() {}                            \
  extern "C" void LLVMInitialize##name##TargetMC() {}                          \
  extern "C" void LLVMInitialize##name##AsmPrinter() {}                        \
  extern "C" void LLVMInitialize##name##AsmParser() {}
BQUANT_OTHER_TARGETS
