//===- TargetMachine.h - The machine that code is made for ------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TARGET_TARGETMACHINE_H
#define BQUANT_TARGET_TARGETMACHINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>
#include <string>
#include <vector>

namespace bquant {

/// As in llc; empty strings mean this machine. `resolveTargets` takes several
/// CPUs.
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
  /// in `+avx2,+fma`: those that the runtime knows.
  std::string getRequired() const;
  /// For messages: all that makes a target another one.
  std::string getName() const;

  /// The two differ in the CPU alone, if at all.
  bool isLike(const Target &other) const;
  /// This machine runs code for `other`.
  bool includes(const Target &other) const;
  /// This process could run code of the triple, whatever the CPU.
  bool isHost() const;
  /// This CPU has all that is required.
  bool runsHere() const;
  std::unique_ptr<llvm::TargetMachine> createMachine() const;
};

llvm::Expected<Target> resolveTarget(const TargetOptions &options);

/// The machines of a list of CPUs with commas between them, or of "portable",
/// which stands for one. Of those that a machine can run the last one is taken,
/// so it is an error if a CPU could never be it.
llvm::Expected<llvm::SmallVector<Target>>
resolveTargets(const TargetOptions &options);

/// What the runtime can ask a CPU of the triple for, by LLVM's names.
llvm::ArrayRef<llvm::StringLiteral>
getCheckedFeatures(const llvm::Triple &triple);

} // namespace bquant

#endif // BQUANT_TARGET_TARGETMACHINE_H
