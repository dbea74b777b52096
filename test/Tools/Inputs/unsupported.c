//===- unsupported.c ------------------------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "net.h"

_Alignas(64) static char arena[1 << 16];

int main(void) {
  float x[16], y[6], z[16];
  const void *inputs[] = {x};
  void *outputs[] = {y, z};
  return net_supported() != 0 || net(inputs, outputs, arena, 1) != 2;
}
