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
  /// Every feature by name, for LLVM.
  std::string features;
  /// The features that compiled code may use, for the check before it runs:
  /// all are known to the runtime library.
  std::string required;

  /// Code of this target can be linked with the runtime library we carry.
  bool isHost() const;
  std::unique_ptr<llvm::TargetMachine> createMachine() const;
};

llvm::Expected<Target> resolveTarget(const TargetOptions &options);

} // namespace bquant

#endif // BQUANT_TARGET_TARGETMACHINE_H
