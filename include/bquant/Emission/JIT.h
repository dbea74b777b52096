//===- JIT.h - Compiled code in this process --------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_EMISSION_JIT_H
#define BQUANT_EMISSION_JIT_H

#include "bquant/Emission/Emit.h"

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace bquant {

/// Object code (`compileObjects`) in memory, with the same functions as a
/// shared library of it.
class JIT {
public:
  /// `objects` are read until the first lookup has returned.
  static llvm::Expected<std::unique_ptr<JIT>> create(const Objects &objects,
                                                     const Target &target);
  ~JIT();

  llvm::Expected<void *> lookup(llvm::StringRef symbol);

private:
  JIT();
  std::unique_ptr<llvm::orc::LLJIT> engine;
};

} // namespace bquant

#endif // BQUANT_EMISSION_JIT_H
