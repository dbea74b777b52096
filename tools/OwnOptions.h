//===- OwnOptions.h - A command line without LLVM's options -----*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TOOLS_OWNOPTIONS_H
#define BQUANT_TOOLS_OWNOPTIONS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/CommandLine.h"

namespace bquant {

/// The shared libLLVM brings hundreds of options, some by the names of ours
/// (`--threads`): two of one name end the program. A tool makes its options in
/// main, after this call.
inline void removeForeignOptions() {
  llvm::SmallVector<llvm::cl::Option *> foreign;
  for (auto &entry : llvm::cl::getRegisteredOptions())
    foreign.push_back(entry.second);
  for (llvm::cl::Option *option : foreign)
    if (!option->ArgStr.starts_with("help") && option->ArgStr != "version")
      option->removeArgument();
}

} // namespace bquant

#endif // BQUANT_TOOLS_OWNOPTIONS_H
