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
#include <type_traits>

namespace bquant::python {

/// Throws ValueError with the message of a C API call that failed.
inline void check(int status, char *error) {
  if (!status)
    return;
  std::string message(error);
  bquantStringFree(error);
  throw nanobind::value_error(message.c_str());
}

/// Calls C, which takes last where to say its error: `check` of its status, or
/// of its pointer, which is null where it failed.
template <typename Function, typename... Arguments>
auto checked(Function function, Arguments... arguments) {
  char *error = nullptr;
  auto result = function(arguments..., &error);
  if constexpr (std::is_pointer_v<decltype(result)>)
    check(!result, error);
  else
    check(result, error);
  return result;
}

/// The same while other threads may run.
template <typename Function, typename... Arguments>
auto checkedWithoutGIL(Function function, Arguments... arguments) {
  nanobind::gil_scoped_release release;
  return checked(function, arguments...);
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
