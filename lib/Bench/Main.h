//===- Main.h - The benchmark -----------------------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_BENCH_MAIN_H
#define BQUANT_LIB_BENCH_MAIN_H

namespace bquant::bench {

/// The main of bquant-bench.
int runMain(int argc, char **argv);

} // namespace bquant::bench

#endif // BQUANT_LIB_BENCH_MAIN_H
