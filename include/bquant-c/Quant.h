/*===- bquant-c/Quant.h - The solvers of quantization -------------*- C -*-===*\
|*                                                                            *|
|* Part of the bquant project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* x^q = c + sum_i v_i s_i: finds the scalars v_i of an array for a scheme    *|
|* and applies them to an array. Schemes are named ls-k, ls-T, gf-k, bwn,     *|
|* twn, dorefa-k, dorefa-w-k, hwgq-k, and, for scalars from elsewhere,        *|
|* given-k and given-T, with k from 1 to 8. The formulas are in               *|
|* bquant/Quant/Solve.h.                                                      *|
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
  /** Scalars of a group: k, but 1 for ternary and uniform planes. */
  int64_t numScalars;
  /** Offsets of a group: 0 or 1. */
  int64_t numOffsets;
  /** Thresholds of a group: 2^k - 1, or 0 where the sign cascade
   *  s_i = sign(x - sum_{j<i} v_j s_j) gives the planes. */
  int64_t numThresholds;
  /** Codes of a group: 2^k, or 0 with the cascade. */
  int64_t numCodes;
  /** With one scalar v for several planes: v_i = m_i v. Else zeros. */
  int64_t ratios[8];
} BQuantScheme;

/** What quantizes an array: rows over its groups. Members of which a scheme has
 *  none may be NULL. */
typedef struct {
  /** [numScalars, groups] */
  float *scalars;
  /** c, [groups] */
  float *offsets;
  /** [2^k - 1, groups], ascending */
  float *thresholds;
  /** [2^k, groups]: the code of an x that is at least r of the thresholds is
   *  codes[r]; its bits are the planes, plane 1 the highest. */
  uint8_t *codes;
} BQuantParameters;

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

/** Writes all parameters that the scheme has, to `copy` (may be NULL) the
 * values themselves, and to `zeroGroups` (may be NULL) the number of groups
 * that are all zero. `threads` of 0 stands for as many as the machine runs at
 * once; results do not depend on it. */
BQUANT_EXPORT int bquantSolve(BQuantArray array, const char *scheme,
                              int32_t threads, BQuantParameters parameters,
                              float *copy, int64_t *zeroGroups, char **error);

/** Quantizes with given parameters. Thresholds and codes that are not NULL are
 *  taken in place of the sign cascade, offsets in place of 0, also where the
 *  scheme itself has none. Without outputs only checks values and parameters.
 */
BQUANT_EXPORT int bquantApply(BQuantArray array, const char *scheme,
                              BQuantParameters parameters, int32_t threads,
                              BQuantOutputs outputs, char **error);

/** The 2^k - 1 thresholds and 2^k codes that send each value to the nearest of
 *  +-v_1 +- v_2 .., v_i the `numPlanes` (1 to 8) finite scalars >= 0, a tie to
 *  the greater: what `ls-k` has for k >= 3. */
BQUANT_EXPORT int bquantNearestLevels(const float *scalars, int64_t numPlanes,
                                      float *thresholds, uint8_t *codes,
                                      char **error);

/** What training takes of the sign cascade, in one pass each over `groups` runs
 *  of `size` values. `scalars` is [numScalars, groups], of `numPlanes` planes
 * (1 to 8); one row of scalars for two planes is ternary. Values are clamped to
 *  [-clamp, clamp] first, clamp > 0 or infinity. The formulas are in
 *  bquant/Quant/StraightThrough.h. */
typedef struct {
  const float *values;
  int64_t groups, size;
  const float *scalars;
  int64_t numPlanes, numScalars;
  float clamp;
} BQuantCascade;

/** How a gradient passes a sign: where |r| <= 1; everywhere within the clamp,
 * as if nothing were quantized; by Bi-Real Net's 2 - 2|r| where |r| <= 1. */
typedef enum {
  BQuantSlopeHardTanh = 0,
  BQuantSlopeIdentity = 1,
  BQuantSlopeApproxSign = 2
} BQuantSlope;

/** Writes x^q, groups * size values. */
BQUANT_EXPORT int bquantCascade(BQuantCascade x, float *out, char **error);

/** Writes gradient * dx^q/dx, as many. */
BQUANT_EXPORT int bquantCascadeGradient(BQuantCascade x, BQuantSlope slope,
                                        const float *gradient, float *out,
                                        char **error);

/** For analysis: scales of rows and columns for the signs of a matrix,
 *  x_ij ~ sign(x_ij) a_i b_j; the best ones, or with `xnor` not 0 those of
 *  XNOR-Net, b_j = 1. Writes a, b and the energy ||x^q||^2 / ||x||^2. */
BQUANT_EXPORT int bquantRankOne(const float *values, int64_t numRows,
                                int64_t numColumns, int32_t xnor, double *rows,
                                double *columns, double *energy, char **error);

#ifdef __cplusplus
}
#endif

#endif /* BQUANT_C_QUANT_H */
