//===- Canonicalization.h - What is left out of upstream's ------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_SUPPORT_CANONICALIZATION_H
#define BQUANT_LIB_SUPPORT_CANONICALIZATION_H

#include <string>
#include <vector>

namespace bquant {

/// Upstream's patterns, by their names, that canonicalization goes without:
///
/// - Takes a pad out of what is inserted into a fill and moves the offsets by
///   its width, also where the insertion has steps, by which the width would
///   have to be multiplied: wrong. Transposed convolutions insert so.
/// - Moves the branch of an `scf.if` that a loop's condition passes on into the
///   loop, but for one place only: wrong where it is passed on twice.
/// - Compares each result of a loop with each other one, for equal ones. A tile
///   carries up to hundreds of sums, no two of them equal: with them it took
///   half of a compilation.
inline std::vector<std::string> getUnusedPatterns() {
  return {"(anonymous namespace)::FoldInsertPadIntoFill",
          "(anonymous namespace)::WhileMoveIfDown",
          "(anonymous namespace)::RemoveDuplicateSuccessorInputUses"};
}

} // namespace bquant

#endif // BQUANT_LIB_SUPPORT_CANONICALIZATION_H
