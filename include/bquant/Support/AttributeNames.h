//===- AttributeNames.h - Attributes of functions ---------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The discardable attributes that the dialect verifies.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_SUPPORT_ATTRIBUTENAMES_H
#define BQUANT_SUPPORT_ATTRIBUTENAMES_H

#include "llvm/ADT/StringRef.h"

namespace bquant {

/// Of an argument or result: what users call it.
inline constexpr llvm::StringLiteral kArrayName = "bquant.name";
/// By `--bquant-batch-to-sample`, of an argument or result: its leading
/// dimension is part of a batch of any size.
inline constexpr llvm::StringLiteral kBatchName = "bquant.batch";
/// Of an argument that is state: the value that it has at the first call.
inline constexpr llvm::StringLiteral kInitialName = "bquant.initial";
/// Of a result: the number of the argument of whose state it is the next value.
inline constexpr llvm::StringLiteral kUpdatesName = "bquant.updates";
/// By `--bquant-batch-to-sample`, of a function on a block of samples: {of =
/// NAME, samples = N}, where NAME is the function on one.
inline constexpr llvm::StringLiteral kBlockName = "bquant.block";
/// By `--bquant-results-to-arguments`: {name = NAME, inputs = [{name, type}],
/// outputs = [{name, type}]}, as users see them; with `initial` and `updates`
/// for state.
inline constexpr llvm::StringLiteral kSignatureName = "bquant.signature";
/// By `--bquant-plan-arena`: the bytes that a call needs.
inline constexpr llvm::StringLiteral kArenaBytesName = "bquant.arena_bytes";

} // namespace bquant

#endif // BQUANT_SUPPORT_ATTRIBUTENAMES_H
