//===- program.c ----------------------------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

/* Solves the scalars of four values, with a library of the headers' version. */
#include <bquant-c/BQuant.h>
#include <bquant-c/Quant.h>
#include <bquant-c/Support.h>
#include <bquant-c/Version.h>
#include <stdio.h>
#include <string.h>

#if BQUANT_VERSION_MAJOR > 0 || BQUANT_VERSION_MINOR < 1
#error "expected bquant 0.1 or a later 0.x"
#endif

int main(void) {
  char parts[64];
  snprintf(parts, sizeof(parts), "%d.%d.%d", BQUANT_VERSION_MAJOR,
           BQUANT_VERSION_MINOR, BQUANT_VERSION_PATCH);
  if (strcmp(parts, BQUANT_VERSION_STRING) || strcmp(parts, FOUND_VERSION) ||
      strcmp(parts, bquantVersion())) {
    fprintf(stderr, "expected one version, but got %s, %s, %s and %s\n", parts,
            BQUANT_VERSION_STRING, FOUND_VERSION, bquantVersion());
    return 1;
  }
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
