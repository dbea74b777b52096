//===- bindings.h - The parts of the extension ------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_PYTHON_BINDINGS_H
#define BQUANT_PYTHON_BINDINGS_H

#include "bquant-c/Support.h"

#include <nanobind/nanobind.h>
#include <string>

namespace bquant::python {

/// Throws ValueError with the message of a C API call that failed.
inline void check(int status, char *error) {
  if (!status)
    return;
  std::string message(error);
  bquantStringFree(error);
  throw nanobind::value_error(message.c_str());
}

/// The text of a C API call, freed.
inline std::string take(char *text) {
  std::string result = text ? text : "";
  bquantStringFree(text);
  return result;
}

// One function a source file; module.cpp calls them.
void bindCompile(nanobind::module_ &m);
void bindProgram(nanobind::module_ &m);
void bindQuant(nanobind::module_ &m);

} // namespace bquant::python

#endif // BQUANT_PYTHON_BINDINGS_H
