//===- module.cpp - The extension bquant._bquant --------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bindings.h"

NB_MODULE(_bquant, m) {
  // At exit nanobind reports objects that are still alive. Caches such as
  // torch.compile's keep networks until the process is gone: nobody's mistake.
  nanobind::set_leak_warnings(false);
  // Programs first: modules return them.
  bquant::python::bindProgram(m);
  bquant::python::bindCompile(m);
  bquant::python::bindQuant(m);
}
