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

/// Patterns, by their names, that change what a program computes. The one here
/// takes a pad out of what is inserted into a fill and moves the offsets by its
/// width, also where the insertion has steps, by which the width would have to
/// be multiplied. Transposed convolutions insert so.
inline std::vector<std::string> getWrongPatterns() {
  return {"(anonymous namespace)::FoldInsertPadIntoFill"};
}

} // namespace bquant

#endif // BQUANT_LIB_SUPPORT_CANONICALIZATION_H
