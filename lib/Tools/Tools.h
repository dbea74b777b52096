//===- Tools.h - The mains of the command line tools ------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TOOLS_TOOLS_H
#define BQUANT_LIB_TOOLS_TOOLS_H

namespace bquant {

/// bquant-compile, bquant-opt and bquant-run, as bquant-c/Tools.h has them.
int compileMain(int argc, char **argv);
int optMain(int argc, char **argv);
int runMain(int argc, char **argv);

} // namespace bquant

#endif // BQUANT_LIB_TOOLS_TOOLS_H
