//===- Exports.h - What a shared library exports ----------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_COMPILER_EXPORTS_H
#define BQUANT_LIB_COMPILER_EXPORTS_H

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>

namespace bquant {

/// What a shared library exports, and its report; parts of the file's bytes.
struct Exports {
  static constexpr llvm::StringLiteral signatureSuffix = "_signature";

  /// ELF's number of the machine that it is for.
  uint16_t machine = 0;
  llvm::StringSet<> functions;
  /// Data with such a name, sorted: the bytes in the file, none where the file
  /// has none.
  std::map<std::string, llvm::StringRef> signatures;
  /// The section of the report; none in a library of an older version.
  std::optional<llvm::StringRef> report;
};

/// Reads them from the bytes of a file: nothing of it runs. Who wrote it is not
/// known, so the tables that the loader goes by are checked, too: a file that
/// passes can be given to dlopen.
llvm::Expected<Exports> readExports(llvm::StringRef file);

/// LLVM's name of the architecture: "x86_64", "aarch64".
std::string getArchitecture(uint16_t machine);

} // namespace bquant

#endif // BQUANT_LIB_COMPILER_EXPORTS_H
