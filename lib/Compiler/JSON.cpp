//===- JSON.cpp - JSON of unknown origin ----------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JSON.h"
#include "Support/ForeignText.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"
#include <cmath>

using namespace bquant;

static constexpr int64_t maxDepth = 32;

namespace {
/// What parsing does not notice, or would end the process by.
struct Scan {
  /// Of brackets that are open at once; those in strings do not count.
  int64_t depth = 0;
  bool hasBadNumber = false;
};
} // namespace

/// Of a text that begins with a digit or with what else llvm::json takes for
/// the beginning of a number.
static llvm::StringRef takeNumber(llvm::StringRef text) {
  if (llvm::isDigit(text.front()) || llvm::is_contained("+-.", text.front()))
    return text.take_while([](char c) {
      return llvm::isDigit(c) || llvm::is_contained("+-.eE", c);
    });
  return {};
}

static bool isNumber(llvm::StringRef text) {
  static const llvm::Regex grammar(
      "^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][-+]?[0-9]+)?$");
  double value;
  return grammar.match(text) && !text.getAsDouble(value) &&
         std::isfinite(value);
}

static Scan scan(llvm::StringRef text) {
  Scan result;
  int64_t depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString && c == '\\') {
      ++i;
    } else if (c == '"') {
      inString = !inString;
    } else if (inString) {
      continue;
    } else if (c == '[' || c == '{') {
      result.depth = std::max(result.depth, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (llvm::StringRef number = takeNumber(text.substr(i));
               !number.empty()) {
      result.hasBadNumber |= !isNumber(number);
      i += number.size() - 1;
    }
  }
  return result;
}

llvm::Expected<llvm::json::Value> bquant::parseJSON(llvm::StringRef text) {
  Scan scanned = scan(text);
  if (scanned.depth > maxDepth)
    return llvm::createStringError("expected JSON of at most " +
                                   llvm::Twine(maxDepth) + " levels, but got " +
                                   llvm::Twine(scanned.depth));
  if (!scanned.hasBadNumber) {
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
    if (value)
      return value;
    llvm::consumeError(value.takeError());
  }
  return llvm::createStringError("expected JSON, but got '" +
                                 quoteForeign(text) + "'");
}

std::optional<int64_t> bquant::getCount(const llvm::json::Value &value) {
  std::optional<int64_t> count = value.getAsInteger();
  if (count && llvm::formatv("{0}", value).str() != std::to_string(*count))
    return std::nullopt;
  return count;
}

std::string bquant::quoteJSON(const llvm::json::Value &value) {
  return quoteForeign(llvm::formatv("{0}", value).str());
}
