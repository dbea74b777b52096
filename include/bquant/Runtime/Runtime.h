/*===- Runtime.h - What a compiled network calls ----------------*- C -*-===*\
|*                                                                            *|
|* Part of the bquant project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Depends on nothing but the C library. It is LLVM bitcode, a file for each  *|
|* triple, which the compiler links into the code of a network and optimizes  *|
|* with it: the solvers for the CPU of the network, the check of the CPU for  *|
|* the oldest one of the architecture.                                        *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef BQUANT_RUNTIME_RUNTIME_H
#define BQUANT_RUNTIME_RUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 1 if this CPU (and its operating system) has every feature of `features`,
 * LLVM's names as in "+avx2,+avx512vpopcntdq", else 0. A name that is not known
 * here counts as lacking. *state keeps the answer: 0 before the first call. */
int32_t bquant_rt_supports(const char *features, int32_t *state);

/* A network's version for one CPU, by LLVM's name, and its NAME_supported. */
typedef struct {
  const char *cpu;
  int32_t (*supported)(void);
} BQuantRtVersion;

/* The version to run, by its index: the last one that this CPU supports, or the
 * one that the variable BQUANT_TARGET_CPU of the environment names, whatever
 * this CPU is; -1 if there is none. *state keeps the answer: 0 before the first
 * call. */
int32_t bquant_rt_choose(const BQuantRtVersion *versions, int32_t count,
                         int32_t *state);

/* A scheme of `bquant.solve`: the numbers of SchemeKind in BQuantAttrs.td. */
enum { BQUANT_RT_LS = 0, BQUANT_RT_GF = 1, BQUANT_RT_TWN = 2 };

/* Solves each of `groups` rows of `n` values of x (row-major, both at least 1)
 * by the solvers of bquant/Quant/Solve.h. `planes` is 0 for ternary ones.
 *   scalars     planes x groups, 1 x groups for ternary
 *   thresholds  3 x groups for twn; else not touched
 *   scratch     the bytes that a `bquant.solve` has, aligned to 16
 * Allocates nothing. Any bits are valid values: see Solve.h for NaN and Inf. */
void bquant_rt_solve(int32_t scheme, int32_t planes, const float *x,
                     int64_t groups, int64_t n, float *scalars,
                     float *thresholds, void *scratch);

/* A step of `bquant.solve_step`: the numbers of SolveStep in BQuantAttrs.td. */
enum {
  BQUANT_RT_BEGIN = 0,
  BQUANT_RT_COUNT = 1,
  BQUANT_RT_CHOOSE = 2,
  BQUANT_RT_KEEP = 3,
  BQUANT_RT_FINISH = 4
};

/* A step of ls-2, or of ls-T where `planes` is 0, for one row of more than
 * one part. Steps follow each other in their order; those that
 * count and keep are called for each part of the row, by any threads at the
 * same time. The scalars are those of bquant_rt_solve in every bit; the last
 * step writes them. `scratch` as there. */
void bquant_rt_solve_step(int32_t step, int32_t planes, const float *x,
                          int64_t n, int64_t part, float *scalars,
                          void *scratch);

/* What a call returns. */
enum {
  BQUANT_RT_OK = 0,
  BQUANT_RT_BAD_ARGUMENT = 1,
  BQUANT_RT_NO_CPU = 2,
  BQUANT_RT_NO_THREADS = 3
};

/* Loops that may run at the same time, cut into tiles. */
typedef struct {
  int64_t tiles;
  int64_t claim; /* the fewest that a thread should take */
} BQuantRtGroup;

/* NOLINTBEGIN(readability-identifier-naming): names of C. */
/* A network compiled for threads; its code defines one. Groups run one after
 * the other. A thread works in a shared part of the arena, where one group
 * leaves what the next ones read, and a slice of its own. */
typedef struct {
  /* Tiles from `first` to `last` of a group, for one sample of the batch. */
  void (*run)(int64_t group, const void *const *inputs, void *const *outputs,
              int64_t sample, void *shared, void *slice, int64_t first,
              int64_t last);
  const BQuantRtGroup *groups;
  int64_t num_groups;
  int64_t shared_bytes, slice_bytes; /* multiples of 64 */
  /* The fewest samples that a thread should take; 0 if there is no batch. */
  int64_t claim_samples;
  int64_t max_threads;
} BQuantRtNetwork;
/* NOLINTEND(readability-identifier-naming) */

/* Whose threads to use: parallel(data, threads, body, context) calls
 * body(context, t) once for each t from 0 to threads - 1, on threads as it
 * likes, and returns after all of them. Null: LLVM's OpenMP runtime. */
typedef struct {
  void (*parallel)(void *data, int32_t threads,
                   void (*body)(void *context, int32_t thread), void *context);
  void *data;
} BQuantRtPool;

/* The arena of a call with so many threads. */
int64_t bquant_rt_arena_bytes(const BQuantRtNetwork *network, int32_t threads);

/* A call with at most `threads` threads, at least 1, of `batch` samples, which
 * is 1 if there is no batch. */
int32_t bquant_rt_run(const BQuantRtNetwork *network, const void *const *inputs,
                      void *const *outputs, void *arena, int32_t threads,
                      int64_t batch, const BQuantRtPool *pool);

#ifdef __cplusplus
}
#endif

#endif /* BQUANT_RUNTIME_RUNTIME_H */
