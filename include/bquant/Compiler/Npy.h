//===- Npy.h - Arrays in files of NumPy -------------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_COMPILER_NPY_H
#define BQUANT_COMPILER_NPY_H

#include "bquant/Compiler/Program.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace bquant {

/// Reads a .npy file that has to hold an array of this type and shape, in C
/// order; copies its bytes to `data`, of info.numElements() elements.
llvm::Error readNpy(llvm::StringRef path, const ArrayInfo &info, void *data);

/// Writes an array as a .npy file of version 1.0.
void writeNpy(llvm::raw_ostream &os, const ArrayInfo &info, const void *data);

} // namespace bquant

#endif // BQUANT_COMPILER_NPY_H
