//===- Support.cpp - What all of the C API shares -------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

char *bquant::copyString(const std::string &text) {
  auto *copy = static_cast<char *>(std::malloc(text.size() + 1));
  if (copy)
    std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

int bquant::fail(char **error, const std::string &message) {
  if (error)
    *error = copyString(message);
  return 1;
}

bool bquant::copySized(const void *given, void *known, size_t knownSize,
                       char **error) {
  size_t size;
  std::memcpy(&size, given, sizeof(size));
  if (size < sizeof(size)) {
    fail(error, "expected options of at least " + std::to_string(sizeof(size)) +
                    " bytes, but got " + std::to_string(size));
    return false;
  }
  // A size that nobody has set is not followed to the end of the memory.
  constexpr size_t most = 4096;
  const char *bytes = static_cast<const char *>(given);
  auto isZero = [](char byte) { return byte == 0; };
  if (size > most || (size > knownSize &&
                      !std::all_of(bytes + knownSize, bytes + size, isZero))) {
    fail(error, "expected options of " + std::to_string(knownSize) +
                    " bytes, or zeros behind these, but got " +
                    std::to_string(size));
    return false;
  }
  std::memcpy(known, given, std::min(size, knownSize));
  return true;
}

void bquantStringFree(char *string) { std::free(string); }
