//===- bquant-bench.cpp - How fast convolutions are -----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bench/Main.h"

int main(int argc, char **argv) { return bquant::bench::runMain(argc, argv); }
