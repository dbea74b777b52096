//===- threads.c - Calls on threads of a pool and of OpenMP ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "net.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IN = 6 * 6 * 32, OUT = 6 * 6 * 128, MAX = 5, BATCH = 12, GUARD = 64 };

#ifndef CALLS
#define CALLS 10
#endif

typedef void (*Body)(void *context, int32_t thread);
typedef struct {
  Body body;
  void *context;
  int32_t index;
} Task;

static void *runTask(void *task) {
  Task *own = task;
  own->body(own->context, own->index);
  return NULL;
}

/* A thread for each. */
static void threads(void *pool, int32_t n, Body body, void *context) {
  pthread_t handles[MAX];
  Task tasks[MAX];
  for (int32_t i = 0; i < n; ++i) {
    tasks[i] = (Task){body, context, i};
    pthread_create(&handles[i], NULL, runTask, &tasks[i]);
  }
  for (int32_t i = 0; i < n; ++i)
    pthread_join(handles[i], NULL);
  int32_t *most = pool;
  if (most && n > *most)
    *most = n;
}

/* The caller alone, the last one first. */
static void backwards(void *pool, int32_t n, Body body, void *context) {
  (void)pool;
  while (n-- > 0)
    body(context, n);
}

static float x[BATCH][IN], alone[BATCH][OUT], y[BATCH][OUT];

/* An arena of just the bytes, with a guard behind them. */
static unsigned char *getArena(size_t bytes) {
  unsigned char *arena = aligned_alloc(64, (bytes + GUARD + 63) / 64 * 64);
  memset(arena, 0x5a, bytes + GUARD);
  return arena;
}

static void freeArena(unsigned char *arena, size_t bytes) {
  for (int i = 0; i < GUARD; ++i)
    if (arena[bytes + i] != 0x5a) {
      printf("written behind the arena\n");
      break;
    }
  free(arena);
}

static void check(const char *what, int32_t n, int64_t samples, int32_t code) {
  if (code != 0 || memcmp(y, alone, (size_t)samples * sizeof(y[0])) != 0)
    printf("%s, %d threads, %d samples: code %d, different\n", what, n,
           (int)samples, code);
}

/* All numbers of threads and samples; more threads than it was compiled for
 * count as so many. */
static void checkAll(const char *what) {
  const void *inputs[] = {x};
  void *outputs[] = {y};
  for (int32_t n = 1; n <= MAX + 2; ++n) {
    size_t bytes = net_arena_bytes(n);
    unsigned char *arena = getArena(bytes);
    for (int i = 0; i < CALLS; ++i) {
      memset(y, 0, sizeof(y));
      check(what, n, 1, net(inputs, outputs, arena, n));
    }
    freeArena(arena, bytes);
    bytes = many_arena_bytes(n);
    arena = getArena(bytes);
    for (int64_t batch = 0; batch <= BATCH; batch += 10 / CALLS) {
      memset(y, 0, sizeof(y));
      check(what, n, batch, many(inputs, outputs, arena, n, batch));
    }
    freeArena(arena, bytes);
  }
  printf("%s: done\n", what);
}

/* The calls of one of several callers, each with threads of its own. */
static void *callOften(void *failures) {
  static float result[OUT];
  float *own = failures ? malloc(sizeof(result)) : result;
  const void *inputs[] = {x};
  void *outputs[] = {own};
  void *arena = aligned_alloc(64, (net_arena_bytes(3) + 63) / 64 * 64);
  for (int i = 0; i < 5 * CALLS; ++i) {
    int32_t n = i % 3 + 1;
    memset(own, 0, sizeof(result));
    if (net(inputs, outputs, arena, n) != 0 ||
        memcmp(own, alone[0], sizeof(result)) != 0)
      __atomic_fetch_add((int *)failures, 1, __ATOMIC_RELAXED);
  }
  free(arena);
  free(own);
  return NULL;
}

static void callFromMany(const char *what) {
  pthread_t callers[4];
  int failures = 0;
  for (int i = 0; i < 4; ++i)
    pthread_create(&callers[i], NULL, callOften, &failures);
  for (int i = 0; i < 4; ++i)
    pthread_join(callers[i], NULL);
  printf("%s from 4 callers: %d failures\n", what, failures);
}

int main(int argc, char **argv) {
  for (int i = 0; i < BATCH * IN; ++i)
    x[i / IN][i % IN] = (float)(i * 37 % 101) / 50 - 1;
  size_t bytes = many_arena_bytes(1);
  unsigned char *arena = getArena(bytes);
  const void *inputs[] = {x};
  void *outputs[] = {alone};
  int32_t code = many(inputs, outputs, arena, 1, BATCH);
  printf("alone: %d, samples differ: %d\n", code,
         memcmp(alone[0], alone[1], sizeof(alone[0])) != 0);
  printf("no threads: %d %d\n", net(inputs, outputs, arena, 0),
         net(inputs, outputs, arena, -3));
  freeArena(arena, bytes);
  printf("arena grows: %d\n", net_arena_bytes(0) == net_arena_bytes(1) &&
                                  net_arena_bytes(1) < net_arena_bytes(2) &&
                                  net_arena_bytes(2) <= net_arena_bytes(MAX) &&
                                  net_arena_bytes(99) == net_arena_bytes(MAX));
  if (argc > 1 && !strcmp(argv[1], "missing")) {
    arena = getArena(net_arena_bytes(2));
    printf("missing: %d\n", net(inputs, outputs, arena, 2));
    printf("one: %d\n", net(inputs, outputs, arena, 1));
    net_set_parallel(backwards, NULL);
    printf("a pool: %d\n", net(inputs, outputs, arena, 2));
    free(arena);
    return 0;
  }
  if (argc > 1 && !strcmp(argv[1], "openmp")) {
    checkAll("openmp");
    callFromMany("openmp");
    return 0;
  }
  int32_t most = 0;
  net_set_parallel(threads, &most);
  many_set_parallel(threads, &most);
  checkAll("pool");
  printf("most threads: %d\n", most);
  net_set_parallel(threads, NULL);
  callFromMany("pool");
  net_set_parallel(backwards, NULL);
  many_set_parallel(backwards, NULL);
  checkAll("backwards");
  return 0;
}
