//===- quant.c ------------------------------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant-c/Quant.h"
#include <math.h>
#include <stdio.h>

static char *error = NULL;

/* Prints and forgets the last error. */
static void show(const char *what) {
  printf("%s: %s\n", what, error ? error : "no error");
  bquantStringFree(error);
  error = NULL;
}

int main(void) {
  const float x = 0.5f, scalar = 1, gradient = 3;
  float out = 0;
  BQuantCascade cascade = {&x, 1, 1, &scalar, 1, 1, INFINITY};
  int code = bquantCascadeGradient(cascade, BQuantSlopeHardTanh, &gradient,
                                   &out, &error);
  printf("gradient: %d: %g\n", code, (double)out);
  if (!bquantCascadeGradient(cascade, (BQuantSlope)3, &gradient, &out, &error))
    return 1;
  show("slope");

  const int64_t shape = 1;
  BQuantArray array = {&x, 1, &shape, 0, NULL};
  float scalars = 1, threshold = NAN;
  uint8_t codes[] = {0, 1};
  BQuantParameters parameters = {&scalars, NULL, &threshold, codes};
  BQuantOutputs none = {NULL, NULL, NULL, NULL, NULL};
  if (!bquantApply(array, "ls-1", parameters, 1, none, &error))
    return 1;
  show("threshold");
  return 0;
}
