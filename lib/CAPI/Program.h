//===- Program.h - Programs behind the C API --------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CAPI_PROGRAM_H
#define BQUANT_LIB_CAPI_PROGRAM_H

#include "bquant-c/BQuant.h"
#include "bquant/Compiler/Program.h"

struct BQuantProgram {
  std::unique_ptr<bquant::Program> program;
  /// It was not loaded.
  bool isCompiledHere;
};

#endif // BQUANT_LIB_CAPI_PROGRAM_H
