//===- MachineLimits.h - What one thread can do at best ---------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_BENCH_MACHINELIMITS_H
#define BQUANT_LIB_BENCH_MACHINELIMITS_H

#include "bquant/Target/TargetMachine.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"

namespace bquant::bench {

/// Measures the bare loop of each kernel that the target can run, and how fast
/// bytes are read, and prints them as a JSON line.
llvm::Error printMachineLimits(const Target &target, mlir::MLIRContext *context,
                               llvm::raw_ostream &os);

} // namespace bquant::bench

#endif // BQUANT_LIB_BENCH_MACHINELIMITS_H
