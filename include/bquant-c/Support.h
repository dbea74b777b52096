/*===- bquant-c/Support.h - What all of the C API shares ----------*- C -*-===*\
|*                                                                            *|
|* Part of the bquant project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef BQUANT_C_SUPPORT_H
#define BQUANT_C_SUPPORT_H

#define BQUANT_EXPORT __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* Frees a string that a function of this library returned; NULL is allowed. */
BQUANT_EXPORT void bquantStringFree(char *string);

#ifdef __cplusplus
}
#endif

#endif /* BQUANT_C_SUPPORT_H */
