//===- Progress.h - How far a compilation is --------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_EMISSION_PROGRESS_H
#define BQUANT_EMISSION_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include <functional>

namespace bquant {

/// Is told of each stage that a compilation begins: those of the route, then
/// "optimize", "emit" and "link". "emit" goes from function to function, each
/// the loops of a layer: it is told how many `done` are of `all`; else both are
/// 0. Called by one thread at a time, whichever.
using Progress =
    std::function<void(llvm::StringRef stage, unsigned done, unsigned all)>;

} // namespace bquant

#endif // BQUANT_EMISSION_PROGRESS_H
