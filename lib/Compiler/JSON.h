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
#include <optional>

namespace bquant {

/// As llvm::json::parse, which calls itself for each list in a list: as many as
/// a file likes would end the process. Ours have a few. Numbers are those of
/// JSON that a double can hold; llvm::json reads whatever strtod does. An error
/// says that it is no JSON, not where, as any reader of it can.
llvm::Expected<llvm::json::Value> parseJSON(llvm::StringRef text);

/// A whole number that is written as one, without an exponent.
std::optional<int64_t> getCount(const llvm::json::Value &value);

/// The value on one line, shortened, as a message quotes it.
std::string quoteJSON(const llvm::json::Value &value);

/// A name of a file or a symbol may be any bytes.
inline llvm::json::Value toValue(llvm::StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

} // namespace bquant

#endif // BQUANT_LIB_COMPILER_JSON_H
