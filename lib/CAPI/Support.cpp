//===- Support.cpp - What all of the C API shares -------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support.h"

#include <cstdlib>
#include <cstring>

char *bquant::copyString(const std::string &text) {
  auto *copy = static_cast<char *>(std::malloc(text.size() + 1));
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

int bquant::fail(char **error, const std::string &message) {
  if (error)
    *error = copyString(message);
  return 1;
}

void bquantStringFree(char *string) { std::free(string); }
