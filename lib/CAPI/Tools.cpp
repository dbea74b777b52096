//===- Tools.cpp - The command line tools as functions --------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant-c/Tools.h"
#include "Tools/Tools.h"

int bquantCompileMain(int argc, char **argv) {
  return bquant::compileMain(argc, argv);
}

int bquantOptMain(int argc, char **argv) { return bquant::optMain(argc, argv); }

int bquantRunMain(int argc, char **argv) { return bquant::runMain(argc, argv); }
