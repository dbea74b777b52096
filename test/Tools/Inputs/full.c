//===- full.c - A full disk -----------------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces the C library's fallocate, by LD_PRELOAD.
//
//===----------------------------------------------------------------------===//

#include <errno.h>

int fallocate(int file, int mode, long offset, long bytes) {
  (void)file, (void)mode, (void)offset, (void)bytes;
  errno = ENOSPC;
  return -1;
}
int fallocate64(int file, int mode, long offset, long bytes) {
  return fallocate(file, mode, offset, bytes);
}
