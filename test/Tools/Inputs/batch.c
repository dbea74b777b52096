//===- batch.c ------------------------------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "net.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  static float x[3][8 * 8 * 3], bias[10], more[3][10], y[4][10], last[10];
  for (int i = 0; i < 3 * 8 * 8 * 3; ++i)
    x[0][i] = (float)(i * 37 % 101) - 50;
  y[3][0] = 12345;
  const void *inputs[] = {x, bias, more};
  const void *lastInputs[] = {x[2], bias, more[2]};
  void *outputs[] = {y}, *lastOutputs[] = {last};
  void *arena = aligned_alloc(64, (net_arena_bytes(1) / 64 + 1) * 64);
  if (!arena)
    return 1;

  printf("inputs[0]: 3 samples: %d\n", net(inputs, outputs, arena, 1, 3));
  int code = net(lastInputs, lastOutputs, arena, 1, 1);
  printf("last sample alone: %s\n",
         code == 0 && !memcmp(last, y[2], sizeof(last)) && last[0] != 0
             ? "equal"
             : "different");
  printf("behind the last: %s\n", y[3][0] == 12345 ? "untouched" : "written");
  printf("none: %d\n", net(NULL, NULL, NULL, 1, 0));
  printf("fewer than none: %d\n", net(inputs, outputs, arena, 1, -1));
  printf("no thread: %d\n", net(inputs, outputs, arena, 0, 1));
  free(arena);
  return 0;
}
