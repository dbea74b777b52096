//===- bquant-opt.cpp - See lib/Tools/Opt.cpp -----------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant-c/Tools.h"

int main(int argc, char **argv) { return bquantOptMain(argc, argv); }
