//===- Signatures.cpp - Damaged signatures --------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unloaded.h"

using namespace bquant::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Bytes bytes(data, size);
  Unloaded program;
  bool isTaken = false;
  while (!bytes.empty())
    isTaken |= program.add(bytes.takeText());
  if (isTaken)
    program.use();
  return 0;
}
