//===- LoopWriter.h - The code of a bare loop -------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_BENCH_LOOPWRITER_H
#define BQUANT_LIB_BENCH_LOOPWRITER_H

#include "BareLoop.h"

namespace bquant::bench {

/// The loop as a module of the LLVM dialect.
std::string writeLoop(const Block &block, const Target &target);

} // namespace bquant::bench

#endif // BQUANT_LIB_BENCH_LOOPWRITER_H
