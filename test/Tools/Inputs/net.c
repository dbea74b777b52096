//===- net.c --------------------------------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "net.h"
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  float x[2][8], y[2][3], z[2][8];
  for (int i = 0; i < 16; ++i)
    x[i / 8][i % 8] = (float)(i - 3);
  const void *inputs[] = {x}, *noInput[] = {NULL};
  void *outputs[] = {y, z}, *noOutput[] = {y, NULL};

  size_t bytes = net_arena_bytes(1);
  /* One byte at least, so that there is something to be odd. */
  char *arena = aligned_alloc(64, (bytes / 64 + 1) * 64);
  if (!net_supported() || !arena)
    return 1;
  printf("signature: %s\n", net_signature);
  printf("null inputs: %d\n", net(NULL, outputs, arena, 1));
  printf("null input: %d\n", net(noInput, outputs, arena, 1));
  printf("null outputs: %d\n", net(inputs, NULL, arena, 1));
  printf("null output: %d\n", net(inputs, noOutput, arena, 1));
  /* Without buffers the arena is not looked at. */
  printf("odd arena: %d\n", bytes ? net(inputs, outputs, arena + 4, 1) : 1);
  printf("no thread: %d\n", net(inputs, outputs, arena, 0));
  printf("less than none: %d\n", net(inputs, outputs, arena, -1));
  printf("at most many: %d\n", net(inputs, outputs, arena, 1000));
  printf("the same arena: %d\n",
         net_arena_bytes(1000) == bytes && net_arena_bytes(-1) == bytes);
  printf("ok: %d\n", net(inputs, outputs, arena, 1));
  printf("y:");
  for (int i = 0; i < 6; ++i)
    printf(" %g", (double)y[i / 3][i % 3]);
  printf("\n");
  free(arena);
  return 0;
}
