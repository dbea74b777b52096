/*===- bquant-c/Tools.h - The command line tools ------------------*- C -*-===*\
|*                                                                            *|
|* Part of the bquant project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef BQUANT_C_TOOLS_H
#define BQUANT_C_TOOLS_H

#include "bquant-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/* bquant-compile, bquant-opt and bquant-run: each is the main of a process,
 * called once and before anything else of this library. It reads options, of
 * which argv[0] is the name of the tool, takes over signals, writes to standard
 * output and standard error, may end the process itself (--help), and returns
 * its exit code. */
BQUANT_EXPORT int bquantCompileMain(int argc, char **argv);
BQUANT_EXPORT int bquantOptMain(int argc, char **argv);
BQUANT_EXPORT int bquantRunMain(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif /* BQUANT_C_TOOLS_H */
