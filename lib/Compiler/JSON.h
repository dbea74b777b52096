//===- JSON.h - JSON of unknown origin --------------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_COMPILER_JSON_H
#define BQUANT_LIB_COMPILER_JSON_H

#include "llvm/Support/JSON.h"

namespace bquant {

/// As llvm::json::parse, which calls itself for each list in a list: as many as
/// a file likes would end the process. Ours have a few.
llvm::Expected<llvm::json::Value> parseJSON(llvm::StringRef text);

/// A name of a file or a symbol may be any bytes.
inline llvm::json::Value toValue(llvm::StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

} // namespace bquant

#endif // BQUANT_LIB_COMPILER_JSON_H
