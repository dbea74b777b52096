//===- machine.c - Another machine than this one --------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions in the place of the C library's, by LD_PRELOAD: the machine has 64
// cores, and with NO_OPENMP no OpenMP runtime where libraries are looked for.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <string.h>

int sched_getaffinity(pid_t thread, size_t bytes, cpu_set_t *mask) {
  (void)thread;
  memset(mask, 0, bytes);
  memset(mask, 0xff, 8);
  return 0;
}

#ifdef NO_OPENMP
void *dlopen(const char *name, int flags) {
  static void *(*real)(const char *, int);
  if (name && strstr(name, "omp") && !strchr(name, '/'))
    return NULL;
  if (!real)
    real = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
  return real(name, flags);
}
#endif
