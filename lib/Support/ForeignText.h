//===- ForeignText.h - Text of unknown origin in messages -------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_SUPPORT_FOREIGNTEXT_H
#define BQUANT_LIB_SUPPORT_FOREIGNTEXT_H

#include "llvm/ADT/StringExtras.h"
#include <string>

namespace bquant {

/// What a file holds as a message quotes it: printable ASCII, every other byte
/// as `\xff`, at most 60 characters.
inline std::string quoteForeign(llvm::StringRef text) {
  constexpr size_t most = 60;
  std::string result;
  for (char c : text.take_front(most + 1)) {
    if (llvm::isPrint(c)) {
      result += c;
      continue;
    }
    uint8_t byte = c;
    result += "\\x";
    result += llvm::hexdigit(byte >> 4, /*LowerCase=*/true);
    result += llvm::hexdigit(byte & 15, /*LowerCase=*/true);
  }
  if (result.size() > most)
    result.replace(most - 3, std::string::npos, "...");
  return result;
}

} // namespace bquant

#endif // BQUANT_LIB_SUPPORT_FOREIGNTEXT_H
