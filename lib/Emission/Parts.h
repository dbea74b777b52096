//===- Parts.h - A module in parts ------------------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_EMISSION_PARTS_H
#define BQUANT_LIB_EMISSION_PARTS_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Module;
} // namespace llvm

namespace bquant {

/// Moves functions out of a large module into parts, as bitcode. What is left
/// and each part are about as much code, and have to be linked together. A
/// small module has no parts.
llvm::SmallVector<llvm::SmallVector<char, 0>> takeParts(llvm::Module &module);

} // namespace bquant

#endif // BQUANT_LIB_EMISSION_PARTS_H
