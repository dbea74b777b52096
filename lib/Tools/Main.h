//===- Main.h - What every tool does first ----------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TOOLS_MAIN_H
#define BQUANT_LIB_TOOLS_MAIN_H

#include "bquant-c/Version.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

namespace bquant {

/// LLVM takes over the signals that end a program, and would take those, too,
/// that whoever started the tool had ignored: nohup, or a script for what it
/// runs in the background. It does so once, here, and what was ignored is
/// ignored again.
inline void keepIgnoredSignals() {
  llvm::SmallVector<int> ignored;
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action;
    if (!sigaction(signal, nullptr, &action) && action.sa_handler == SIG_IGN)
      ignored.push_back(signal);
  }
  // As llvm::InitLLVM has it.
  llvm::sys::SetOneShotPipeSignalFunction(
      llvm::sys::DefaultOneShotPipeSignalHandler);
  for (int signal : ignored)
    std::signal(signal, SIG_IGN);
}

/// The first call of every main.
inline void startTool() {
  keepIgnoredSignals();
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "bquant " BQUANT_VERSION_STRING ", LLVM " LLVM_VERSION_STRING "\n";
  });
}

} // namespace bquant

#endif // BQUANT_LIB_TOOLS_MAIN_H
