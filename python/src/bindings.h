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

/// Throws ValueError with the message of a C API call that failed, with or
/// without the GIL. Names of files in it need not be UTF-8.
inline void check(int status, char *error) {
  if (!status)
    return;
  nanobind::gil_scoped_acquire acquire;
  auto message = nanobind::steal(
      PyUnicode_DecodeFSDefault(error ? error : "out of memory"));
  bquantStringFree(error);
  if (message.is_valid())
    PyErr_SetObject(PyExc_ValueError, message.ptr());
  throw nanobind::python_error();
}

/// A path as os.fsencode has it.
inline std::string encodePath(const nanobind::handle &path) {
  PyObject *bytes = nullptr;
  if (!PyUnicode_FSConverter(path.ptr(), &bytes))
    throw nanobind::python_error();
  auto owner = nanobind::steal<nanobind::bytes>(bytes);
  return {owner.c_str(), owner.size()};
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
