//===- Names.h - Symbols and attributes of the last stage -------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_CODEGEN_NAMES_H
#define BQUANT_CODEGEN_NAMES_H

#include "bquant/Support/AttributeNames.h"
#include "llvm/Support/Error.h"
#include <string>

namespace bquant {

/// In front of the name of a public function: that with its code, by
/// `--bquant-results-to-arguments`.
inline constexpr llvm::StringLiteral kInnerPrefix = "__bquant_";

/// By `--bquant-plan-arena`, of a function: the bytes that each thread needs
/// beside those of `kArenaBytesName`.
inline constexpr llvm::StringLiteral kSliceBytesName = "bquant.slice_bytes";

/// By `--bquant-outline-layers`, of a function: what its threads do, an array
/// of dictionaries {callee, tiles, nanoseconds}.
inline constexpr llvm::StringLiteral kGroupsName = "bquant.groups";

/// By `--bquant-wrap-entry-points`: where NAME_signature lies, alone.
inline constexpr llvm::StringLiteral kSignatureSection = ".bquant.signature";

/// Of a module, a string: what tells networks of one name apart. For
/// `--bquant-wrap-entry-points`.
inline constexpr llvm::StringLiteral kDigestName = "bquant.digest";

// By `--bquant-clock-layers`:
/// A function of whoever runs the code: `i64 ()`, nanoseconds since any time.
inline constexpr llvm::StringLiteral kClockName = "bquant_clock";
/// A global array of i64: the nanoseconds of each layer, of all calls so far.
inline constexpr llvm::StringLiteral kLayerTimesName = "bquant_layer_times";
/// An attribute of the module: function and location of each layer, in the
/// order of the array.
inline constexpr llvm::StringLiteral kClockedLayersName =
    "bquant.clocked_layers";

/// A name that C takes for an exported function: `name` itself where it is an
/// identifier that nothing reserves.
std::string toCName(llvm::StringRef name);
/// An error for a name that C does not take so, with one that it takes.
llvm::Error checkCName(llvm::StringRef name);

} // namespace bquant

#endif // BQUANT_CODEGEN_NAMES_H
