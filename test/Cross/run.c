//===- run.c - Call a function of a compiled network ----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   run LIBRARY SYMBOL BATCH INPUT... -- OUTPUT...
//
// Arrays are files of raw bytes; the outputs' are there before, and tell by
// their size how much there is to write. For machines without bquant.
//
//===----------------------------------------------------------------------===//

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { maxArrays = 64, paint = 0xa5, behind = 4096 };

static void fail(const char *what, const char *which) {
  fprintf(stderr, "run: expected %s, but got none: %s\n", what, which);
  exit(1);
}

static void *allocate(size_t bytes) {
  void *data = aligned_alloc(64, (bytes / 64 + 1) * 64);
  if (!data)
    fail("memory", "");
  return data;
}

static void *readFile(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END))
    fail("a file", path);
  *size = (size_t)ftell(file);
  rewind(file);
  void *data = allocate(*size);
  if (fread(data, 1, *size, file) != *size)
    fail("all of a file", path);
  fclose(file);
  return data;
}

static void *find(void *library, const char *symbol, const char *suffix) {
  char name[256];
  snprintf(name, sizeof(name), "%s%s", symbol, suffix);
  void *address = dlsym(library, name);
  if (!address)
    fail("a symbol", name);
  return address;
}

int main(int argc, char **argv) {
  if (argc < 5)
    fail("arguments", "LIBRARY SYMBOL BATCH INPUT... -- OUTPUT...");
  void *library = dlopen(argv[1], RTLD_NOW);
  if (!library)
    fail("a library", dlerror());
  /* One argument too many does no harm where there is no batch. */
  int32_t (*entry)(void *, void *, void *, int32_t, int64_t);
  size_t (*arenaBytes)(int32_t);
  int32_t (*supported)(void);
  *(void **)&entry = find(library, argv[2], "");
  *(void **)&arenaBytes = find(library, argv[2], "_arena_bytes");
  *(void **)&supported = find(library, argv[2], "_supported");
  if (!supported())
    return 2;

  void *arrays[maxArrays];
  size_t sizes[maxArrays];
  int first = 4, numInputs = 0, numArrays = 0;
  for (int i = first; i < argc && numArrays < maxArrays; ++i) {
    if (strcmp(argv[i], "--") == 0) {
      numInputs = numArrays;
      continue;
    }
    arrays[numArrays] = readFile(argv[i], &sizes[numArrays]);
    ++numArrays;
  }
  /* What the arena holds before must not matter; behind it is nothing of the
   * function's. */
  size_t bytes = arenaBytes(1);
  unsigned char *arena = allocate(bytes + behind);
  memset(arena, paint, bytes + behind);
  int32_t status = entry(arrays, arrays + numInputs, arena, 1, atoll(argv[3]));
  for (size_t i = 0; i < behind; ++i)
    if (arena[bytes + i] != paint)
      fail("what was behind the arena", argv[2]);
  for (int i = numInputs; i < numArrays; ++i) {
    const char *path = argv[first + i + 1];
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(arrays[i], 1, sizes[i], file) != sizes[i] ||
        fclose(file))
      fail("a file to write", path);
  }
  return status;
}
