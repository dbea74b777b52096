/*===- Threads.h - Threads of the system ------------------------*- C -*-===*\
|*                                                                            *|
|* Part of the bquant project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef BQUANT_LIB_RUNTIME_THREADS_H
#define BQUANT_LIB_RUNTIME_THREADS_H

#include "bquant/Runtime/Runtime.h"

#include <stddef.h>

/* `threads`, or as many cores as may be used if they are fewer; 0 if there is
 * no OpenMP runtime. */
int32_t bquant_rt_find_threads(int32_t threads);

/* Calls body(context, t) for each t from 0 to threads - 1 on a thread of LLVM's
 * OpenMP runtime, which bquant_rt_find_threads has found. */
void bquant_rt_fork(int32_t threads, void (*body)(void *context, int32_t),
                    void *context);

#endif /* BQUANT_LIB_RUNTIME_THREADS_H */
