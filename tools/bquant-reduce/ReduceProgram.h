//===- ReduceProgram.h - A program made small by a tester -------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TOOLS_BQUANT_REDUCE_REDUCEPROGRAM_H
#define BQUANT_TOOLS_BQUANT_REDUCE_REDUCEPROGRAM_H

namespace bquant {
/// The pass --bquant-reduce-program.
void registerReduceProgram();
} // namespace bquant

#endif // BQUANT_TOOLS_BQUANT_REDUCE_REDUCEPROGRAM_H
