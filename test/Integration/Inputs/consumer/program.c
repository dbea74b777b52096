//===- program.c ----------------------------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

/* Solves the scalars of four values. */
#include <bquant-c/Quant.h>
#include <bquant-c/Support.h>
#include <stdio.h>

int main(void) {
  const float values[4] = {1, -1, 3, -3};
  const int64_t shape[1] = {4};
  BQuantArray array = {values, 1, shape, 0, NULL};
  float scalars[2];
  BQuantParameters parameters = {scalars, NULL, NULL, NULL};
  char *error = NULL;
  if (bquantSolve(array, "ls-2", 1, parameters, NULL, NULL, &error)) {
    fprintf(stderr, "%s\n", error);
    bquantStringFree(error);
    return 1;
  }
  printf("%g %g\n", scalars[0], scalars[1]);
  return 0;
}
