//===- Main.cpp - Runs the property tests ---------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A crash prints its stack, and which programs were compiled by which route:
// some happen once in many thousand compilations.
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/InitLLVM.h"
#include "gtest/gtest.h"
#include <vector>

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  // A copy, since a stack is printed with the arguments.
  std::vector<char *> arguments(argv, argv + argc + 1);
  testing::InitGoogleTest(&argc, arguments.data());
  return RUN_ALL_TESTS();
}
