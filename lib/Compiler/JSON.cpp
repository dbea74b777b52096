//===- JSON.cpp - JSON of unknown origin ----------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JSON.h"

using namespace bquant;

static constexpr int64_t maxDepth = 32;

/// Of brackets that are open at once; those in strings do not count.
static int64_t getDepth(llvm::StringRef text) {
  int64_t depth = 0, most = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString && c == '\\')
      ++i;
    else if (c == '"')
      inString = !inString;
    else if (!inString && (c == '[' || c == '{'))
      most = std::max(most, ++depth);
    else if (!inString && (c == ']' || c == '}'))
      --depth;
  }
  return most;
}

llvm::Expected<llvm::json::Value> bquant::parseJSON(llvm::StringRef text) {
  if (int64_t depth = getDepth(text); depth > maxDepth)
    return llvm::createStringError("expected JSON of at most " +
                                   llvm::Twine(maxDepth) + " levels, but got " +
                                   llvm::Twine(depth));
  return llvm::json::parse(text);
}
