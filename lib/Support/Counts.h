//===- Counts.h - Numbers of things in remarks ------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_SUPPORT_COUNTS_H
#define BQUANT_LIB_SUPPORT_COUNTS_H

#include "llvm/Support/FormatVariadic.h"
#include <string>

namespace bquant {

/// "1 step", "2 steps", "1,024 steps".
inline std::string formatCount(int64_t count, llvm::StringRef thing) {
  return llvm::formatv("{0:N} {1}{2}", count, thing, count == 1 ? "" : "s");
}

} // namespace bquant

#endif // BQUANT_LIB_SUPPORT_COUNTS_H
