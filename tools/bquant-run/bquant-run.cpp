//===- bquant-run.cpp - See lib/Tools/Run.cpp -----------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant-c/Tools.h"

int main(int argc, char **argv) { return bquantRunMain(argc, argv); }
