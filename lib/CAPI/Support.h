//===- Support.h - Between the C API and its implementation -----*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CAPI_SUPPORT_H
#define BQUANT_LIB_CAPI_SUPPORT_H

#include "bquant-c/Support.h"

#include <cstddef>
#include <string>

namespace bquant {

/// A copy that the caller of the C API frees with bquantStringFree; null where
/// there is no memory for it.
char *copyString(const std::string &text);

/// Fills in the `error` of a C API call, unless it is null, and returns 1.
int fail(char **error, const std::string &message);

/// Copies a struct that opens with its own size to one of `knownSize` bytes,
/// all zeros, of which it may be an older or a newer version: what it lacks
/// stays 0, what it has behind them has to be 0. Otherwise false and an error.
bool copySized(const void *given, void *known, size_t knownSize, char **error);

} // namespace bquant

#endif // BQUANT_LIB_CAPI_SUPPORT_H
