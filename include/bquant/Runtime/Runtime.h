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

#ifdef __cplusplus
}
#endif

#endif /* BQUANT_RUNTIME_RUNTIME_H */
