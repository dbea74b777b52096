//===- versions.c ---------------------------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Says which version of `net` runs, whatever the environment says once it is
// loaded.
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200112L
#include "net.h"
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  static _Alignas(64) char arena[1 << 16];
  static float x[8 * 64], u[64 * 32], y[8 * 32];
  const void *inputs[] = {x, u};
  void *outputs[] = {y};
  setenv("BQUANT_TARGET_CPU", "x86-64-v2", /*replace=*/1);
  const char *version = net_version();
  int fits = net_arena_bytes(1) <= sizeof(arena);
  printf("version: %s, supported: %d, fits: %d, call: %d\n",
         version ? version : "none", (int)net_supported(), fits,
         (int)net(inputs, outputs, arena, 1));
  return 0;
}
