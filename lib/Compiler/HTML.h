//===- HTML.h - Pages that are shown alone or in a notebook -----*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_COMPILER_HTML_H
#define BQUANT_LIB_COMPILER_HTML_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace bquant {

/// A page with a heading. A notebook shows its body in its own page: no other
/// element's style is touched.
std::string createPage(llvm::StringRef title, llvm::StringRef body);

/// A cell of a row, any text.
void printCell(llvm::raw_ostream &os, llvm::StringRef content);
/// A row of headings.
void printHead(llvm::raw_ostream &os, llvm::ArrayRef<const char *> names);

} // namespace bquant

#endif // BQUANT_LIB_COMPILER_HTML_H
