//===- module.cpp - The extension bquant._bquant --------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant-c/Tools.h"

#include "bindings.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <vector>

namespace nb = nanobind;
using namespace bquant::python;

/// The main of a tool, by name; arguments[0] is what it calls itself.
static int runTool(const std::string &name,
                   const std::vector<nb::object> &arguments) {
  auto *main = name == "bquant-compile" ? bquantCompileMain
               : name == "bquant-opt"   ? bquantOptMain
               : name == "bquant-run"   ? bquantRunMain
                                        : nullptr;
  if (!main)
    throw nb::value_error(("expected bquant-compile, bquant-opt or "
                           "bquant-run, but got '" +
                           name + "'")
                              .c_str());
  // Paths, some of them.
  std::vector<std::string> encoded;
  encoded.reserve(arguments.size());
  for (const nb::object &argument : arguments)
    encoded.push_back(encodePath(argument));
  std::vector<char *> argv;
  argv.reserve(encoded.size() + 1);
  for (std::string &argument : encoded)
    argv.push_back(argument.data());
  argv.push_back(nullptr);
  nb::gil_scoped_release release;
  return main(int(encoded.size()), argv.data());
}

NB_MODULE(_bquant, m) {
  // At exit nanobind reports objects that are still alive. Caches such as
  // torch.compile's keep networks until the process is gone: nobody's mistake.
  nb::set_leak_warnings(false);
  // Programs first: modules return them.
  bindProgram(m);
  bindCompile(m);
  bindQuant(m);
  m.def("run_tool", runTool, nb::arg("name"), nb::arg("arguments"),
        nb::sig("def run_tool(name: str, arguments: "
                "collections.abc.Sequence[str]) -> int"),
        "The main of bquant-compile, bquant-opt or bquant-run; it may be "
        "called once in a process, before anything is compiled, and returns "
        "the exit code.");
}
