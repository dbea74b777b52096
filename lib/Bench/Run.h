//===- Run.h - Check and time a case ----------------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_BENCH_RUN_H
#define BQUANT_LIB_BENCH_RUN_H

#include "Case.h"
#include "bquant/Compiler/Compiler.h"

namespace bquant::bench {

struct RunOptions {
  CompileOptions compile;
  /// Calls in each of the two runs.
  int calls;
};

struct Measurement {
  /// What was asked for, and the kernel that it means on the target.
  Strategy requested;
  std::string strategy;
  double secondsMin = 0, secondsMedian = 0;
  double limitMacsPerSecond = 0, ofLimit = 0;
  /// Of the limit, what the shapes can make use of.
  double usefulShare = 0;
  /// The outputs equal those of the reference in every bit.
  bool checked = false;
};

/// The case by each of the strategies, whose calls take turns; the better of
/// two runs.
llvm::Expected<std::vector<Measurement>>
run(const Case &c, llvm::ArrayRef<Strategy> strategies,
    const RunOptions &options, mlir::MLIRContext *context);

} // namespace bquant::bench

#endif // BQUANT_LIB_BENCH_RUN_H
