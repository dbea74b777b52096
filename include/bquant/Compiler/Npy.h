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

/// An array in a file, which stays open as long.
struct NpyArray {
  std::unique_ptr<llvm::MemoryBuffer> file;
  /// With the batch that the file has.
  ArrayInfo info;
  /// info.numElements() elements in C order, at any address.
  llvm::StringRef data;
};

/// Reads a .npy file that has to hold an array of this type and shape, in C
/// order.
llvm::Expected<NpyArray> readNpy(llvm::StringRef path, const ArrayInfo &info);

/// Writes an array as a .npy file of version 1.0.
void writeNpy(llvm::raw_ostream &os, const ArrayInfo &info, const void *data);

} // namespace bquant

#endif // BQUANT_COMPILER_NPY_H
