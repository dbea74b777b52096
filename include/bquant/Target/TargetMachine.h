//===- TargetMachine.h - The machine that code is made for ------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TARGET_TARGETMACHINE_H
#define BQUANT_TARGET_TARGETMACHINE_H

#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>
#include <string>
#include <vector>

namespace bquant {

/// As in llc; empty strings mean this machine.
struct TargetOptions {
  std::string triple;
  std::string cpu;
  std::string features;
};

/// A machine, with all that `TargetOptions` leaves open decided.
struct Target {
  llvm::Triple triple;
  std::string cpu;
  /// What differs from the CPU of that name, as in `+avx2,-avx512f`.
  std::string features;
  /// All that the machine has, sorted.
  std::vector<std::string> enabled;

  bool has(llvm::StringRef feature) const;
  /// The features that compiled code may use, for the check before it runs, as
  /// in `+avx2,+fma`: all are known to the runtime library.
  std::string getRequired() const;

  /// Code of this target can be linked with the runtime library we carry.
  bool isHost() const;
  std::unique_ptr<llvm::TargetMachine> createMachine() const;
};

llvm::Expected<Target> resolveTarget(const TargetOptions &options);

} // namespace bquant

#endif // BQUANT_TARGET_TARGETMACHINE_H
