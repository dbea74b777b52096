//===- Reports.cpp - Damaged reports --------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unloaded.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bquant::fuzz::readReport({reinterpret_cast<const char *>(data), size});
  return 0;
}
