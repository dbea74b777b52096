//===- CostTable.h - What the steps of kernels cost here --------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_BENCH_COSTTABLE_H
#define BQUANT_LIB_BENCH_COSTTABLE_H

#include "bquant/Target/TargetMachine.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"

namespace bquant::bench {

/// Measures the `KernelCosts` of this machine with the target's instructions
/// and prints them: as a JSON line, and as lib/Target/CPUFamilies.cpp has them.
llvm::Error printCostTable(const Target &target, mlir::MLIRContext *context,
                           llvm::raw_ostream &os);

} // namespace bquant::bench

#endif // BQUANT_LIB_BENCH_COSTTABLE_H
