/*===- bquant-c/Profile.h - Where the time of a call goes ------*- C -*-===*\
|*                                                                            *|
|* Part of the bquant project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef BQUANT_C_PROFILE_H
#define BQUANT_C_PROFILE_H

#include "bquant-c/BQuant.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The time of each layer of a network, measured inside of whole calls. */
typedef struct BQuantProfile BQuantProfile;

/* `plain` and `clocked` are one module by bquantModuleJit, the second with
 * `clockLayers`. Calls the function of both in turn, `calls` times (at least 1)
 * after a few that do not count, with the arguments of a BQuantEntry, or of a
 * BQuantBatchEntry where it has a batch (else `batch` is 1). NULL and an error
 * where a call fails or `clocked` has no clocks. Layers are clocked on one
 * thread: with `threads` of 1 both do the same. */
BQUANT_EXPORT BQuantProfile *
bquantProfileCreate(const BQuantProgram *plain, const BQuantProgram *clocked,
                    const char *name, const void *const *inputs,
                    void *const *outputs, void *arena, int32_t threads,
                    int64_t batch, int32_t calls, char **error);
BQUANT_EXPORT void bquantProfileDestroy(BQuantProfile *profile);

/* As "text", "json" or "html". */
BQUANT_EXPORT char *bquantProfilePrint(const BQuantProfile *profile,
                                       const char *format, char **error);

#ifdef __cplusplus
}
#endif

#endif /* BQUANT_C_PROFILE_H */
