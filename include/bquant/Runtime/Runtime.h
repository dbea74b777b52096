/*===- Runtime.h - What a compiled network calls ----------------*- C -*-===*\
|*                                                                            *|
|* Part of the bquant project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Plain C without dependencies: it is linked into every shared library that  *|
|* the compiler writes. Compiled for the oldest CPU of the architecture.      *|
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

/* 1 if bquant_rt_supports knows the feature of this name (without + or -). */
int32_t bquant_rt_knows(const char *name);

#ifdef __cplusplus
}
#endif

#endif /* BQUANT_RUNTIME_RUNTIME_H */
