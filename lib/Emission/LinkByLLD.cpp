//===- LinkByLLD.cpp - lld inside of the process --------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Linker.h"
#include "lld/Common/Driver.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <vector>

LLD_HAS_DRIVER(elf)

using namespace bquant;

namespace {
/// What lld does to the process besides linking, undone when it is done.
class Guest {
public:
  Guest() : recovers(llvm::CrashRecoveryContext::GetCurrent()) {
    sigaction(SIGTERM, nullptr, &onTerm);
    sigaltstack(nullptr, &stack);
    // lld leaves a fatal error by the way out of a crash; without one it would
    // end the process. A context that is open has the way already.
    if (!recovers)
      llvm::CrashRecoveryContext::Enable();
    for (llvm::cl::SubCommand *command : llvm::cl::getRegisteredSubcommands())
      commands.emplace_back(command, llvm::cl::SubCommand());
    swapOptions();
  }
  Guest(const Guest &) = delete;
  ~Guest() {
    swapOptions();
    // lld has its output removed where a signal ends the process, for which
    // LLVM takes over the signals, of a tool and of Python alike. A tool that
    // has them taken over already keeps it so.
    struct sigaction now;
    sigaction(SIGTERM, nullptr, &now);
    if (now.sa_sigaction != onTerm.sa_sigaction)
      llvm::sys::unregisterHandlers();
    // LLVM's handlers come with a signal stack for the thread, which LLVM never
    // frees.
    stack_t stackNow;
    sigaltstack(nullptr, &stackNow);
    if (stackNow.ss_sp != stack.ss_sp) {
      sigaltstack(&stack, nullptr);
      std::free(stackNow.ss_sp);
    }
    if (!recovers)
      llvm::CrashRecoveryContext::Disable();
  }

private:
  /// lld resets every option that is registered in the process. The host's are
  /// taken out while it links, so that they keep their values.
  void swapOptions() {
    for (auto &[command, others] : commands)
      std::swap(*command, others);
  }

  bool recovers;
  struct sigaction onTerm;
  stack_t stack;
  /// Where options are registered, each with what it has in its place.
  std::vector<std::pair<llvm::cl::SubCommand *, llvm::cl::SubCommand>> commands;
};
} // namespace

llvm::Error bquant::runLinker(const Target &,
                              llvm::ArrayRef<llvm::StringRef> arguments) {
  // lld has one state for the whole process, which it leaves in disorder where
  // a failure is fatal: a file that is cut off in the middle.
  static std::mutex mutex;
  static bool canRun = true;
  std::lock_guard<std::mutex> lock(mutex);
  if (!canRun)
    return llvm::createStringError(
        "expected an lld that can link again, but a failure before was fatal "
        "to it: link in another process");

  // No thread outlives the call.
  std::vector<std::string> words{"ld.lld", "--threads=1"};
  for (llvm::StringRef argument : arguments)
    words.push_back(argument.str());
  std::vector<const char *> pointers;
  pointers.reserve(words.size());
  for (const std::string &word : words)
    pointers.push_back(word.c_str());

  const lld::DriverDef drivers[] = {{lld::Gnu, &lld::elf::link}};
  std::string said;
  llvm::raw_string_ostream os(said);
  Guest guest;
  lld::Result result = lld::lldMain(pointers, os, os, drivers);
  canRun = result.canRunAgain;
  if (result.retCode == 0)
    return llvm::Error::success();
  llvm::StringRef line = llvm::StringRef(said).split('\n').first;
  if (line.empty())
    line = "lld crashed";
  return llvm::createStringError("linker 'ld.lld' failed: " + line);
}
