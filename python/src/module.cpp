//===- module.cpp - The extension bquant._bquant --------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bindings.h"

NB_MODULE(_bquant, m) {
  // Programs first: modules return them.
  bquant::python::bindProgram(m);
  bquant::python::bindCompile(m);
  bquant::python::bindQuant(m);
}
