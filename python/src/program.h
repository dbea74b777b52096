//===- program.h - Compiled code for Python ---------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_PYTHON_PROGRAM_H
#define BQUANT_PYTHON_PROGRAM_H

#include "bquant-c/BQuant.h"

namespace bquant::python {

/// Owns compiled code; functions keep it alive.
class Program {
public:
  explicit Program(BQuantProgram *program) : program(program) {}
  ~Program() { bquantProgramDestroy(program); }
  Program(const Program &) = delete;

  BQuantProgram *get() const { return program; }

private:
  BQuantProgram *program;
};

} // namespace bquant::python

#endif // BQUANT_PYTHON_PROGRAM_H
