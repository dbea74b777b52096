//===- Explain.h - Queries that say why they fail ---------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a kernel computes a product is asked without a location. The query
// fails as a verifier does, but its caller, who knows the operation, emits the
// message: as an error, as a remark, which is no Diagnostic, or as the note of
// a pattern that does not match. All of them take a Twine.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_SUPPORT_EXPLAIN_H
#define BQUANT_SUPPORT_EXPLAIN_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/LogicalResult.h"

namespace bquant {

/// Emits why a query fails, `expected ..., but got ...`, and fails.
using ExplainFn =
    llvm::function_ref<llvm::LogicalResult(const llvm::Twine &message)>;

/// Fails alone, where it is only asked: no text is made.
inline llvm::LogicalResult silently(const llvm::Twine &) {
  return llvm::failure();
}

} // namespace bquant

#endif // BQUANT_SUPPORT_EXPLAIN_H
