//===- host.c -------------------------------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

/* Calls what a host made of a function `layer` from an array of H x W x C, as
 * the command line defines them, to one of the same shape: host X.NPY Y.NPY;
 * the result is Y in every bit. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = H * W * C };

/* MLIR's descriptor of memref<1xHxWxCxf32>. */
typedef struct {
  float *allocated, *aligned;
  int64_t offset, sizes[4], strides[4];
} MemRef;

void _mlir_ciface_layer(MemRef *result, MemRef *x);

/* The elements of an array, which end its file. */
static float *read(const char *path) {
  float *data = malloc(COUNT * sizeof(float));
  FILE *file = fopen(path, "rb");
  if (!data || !file ||
      fseek(file, -(long)(COUNT * sizeof(float)), SEEK_END) != 0 ||
      fread(data, sizeof(float), COUNT, file) != COUNT)
    exit(1);
  fclose(file);
  return data;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 1;
  float *data = read(argv[1]), *expected = read(argv[2]);
  MemRef x = {data, data, 0, {1, H, W, C}, {COUNT, W * C, C, 1}}, y;
  _mlir_ciface_layer(&y, &x);
  puts(memcmp(y.aligned + y.offset, expected, COUNT * sizeof(float))
           ? "different"
           : "equal");
  return 0;
}
