/*===- bquant-c/Quant.h - The solvers of quantization -------------*- C -*-===*\
|*                                                                            *|
|* Part of the bquant project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* x^q = sum_i v_i s_i: finds the scalars v_i of an array for a scheme and    *|
|* applies scalars to an array. Schemes are named ls-1, ls-2, ls-T, gf-1 to   *|
|* gf-8, and, for scalars from elsewhere, given-1 to given-8 and given-T.     *|
|* The formulas are in bquant/Quant/Solve.h.                                  *|
|*                                                                            *|
|* All functions return 0, or 1 and, where `error` is not NULL, put one line  *|
|* into *error that says why, to be freed by bquantStringFree.                *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef BQUANT_C_QUANT_H
#define BQUANT_C_QUANT_H

#include "bquant-c/Support.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A dense row-major f32 array and the axes, ascending, that keep scalars of
 *  their own. All values with equal indices along them are one group. */
typedef struct {
  const float *values;
  int64_t rank;
  const int64_t *shape;
  int64_t numAxes;
  const int64_t *axes;
} BQuantArray;

typedef struct {
  /** Planes k. */
  int64_t numPlanes;
  /** Scalars of a group: k, but 1 for ternary. */
  int64_t numScalars;
} BQuantScheme;

/** What bquantApply writes; members that are NULL are not computed. */
typedef struct {
  /** [k, shape[:-1]..., ceil(C / 32)]: channel c is bit c mod 32 of word
   *  c div 32, 1 for +1; unused bits are 0. */
  uint32_t *words;
  /** [k, shape...], +1 or -1. */
  int8_t *signs;
  /** [shape...], the values x^q. */
  float *decoded;
  /** ||x - x^q||^2 / ||x||^2. */
  double *error;
  /** Between x and x^q, in degrees. */
  double *angle;
} BQuantOutputs;

/** Looks a scheme up by name. */
BQUANT_EXPORT int bquantSchemeGet(const char *name, BQuantScheme *scheme,
                                  char **error);

/** Writes the scalars, [numScalars, groups], and to `zeroGroups` (may be NULL)
 *  the number of groups that are all zero. `threads` of 0 stands for as many as
 *  the machine runs at once; results do not depend on it. */
BQUANT_EXPORT int bquantSolve(BQuantArray array, const char *scheme,
                              int32_t threads, float *scalars,
                              int64_t *zeroGroups, char **error);

/** Runs the sign cascade of a scheme's planes with the given scalars,
 *  [numScalars, groups]. */
BQUANT_EXPORT int bquantApply(BQuantArray array, const char *scheme,
                              const float *scalars, int32_t threads,
                              BQuantOutputs outputs, char **error);

#ifdef __cplusplus
}
#endif

#endif /* BQUANT_C_QUANT_H */
