//===- Limit.h - What a kernel can do at best -------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_BENCH_LIMIT_H
#define BQUANT_LIB_BENCH_LIMIT_H

#include "BareLoop.h"

namespace bquant::bench {

/// The kernel that a name stands for, in the tile in which it is fastest on a
/// target: with as many sums as its registers hold beside the operands. An
/// error for a name that is no kernel, and where the target lacks what it
/// takes.
llvm::Expected<KernelAttrInterface> getLimitKernel(llvm::StringRef name,
                                                   const Target &target,
                                                   mlir::MLIRContext *context);

} // namespace bquant::bench

#endif // BQUANT_LIB_BENCH_LIMIT_H
