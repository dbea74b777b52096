//===- Run.h - Check and time a case ----------------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TOOLS_BENCH_RUN_H
#define BQUANT_TOOLS_BENCH_RUN_H

#include "Case.h"
#include "bquant/Compiler/Compiler.h"

namespace bquant::bench {

struct RunOptions {
  TargetOptions target;
  int threads = 1;
  /// Calls in each of the two runs.
  int calls = 200;
  /// As of CompileOptions.
  std::function<mlir::LogicalResult(mlir::PassManager &)> configure;
};

struct Measurement {
  /// What was asked for, and what it means on the target.
  std::string requested, strategy;
  double secondsMin = 0, secondsMedian = 0;
  double limitMacsPerSecond = 0, ofLimit = 0;
  /// Of the limit, what the shapes can make use of.
  double usefulShare = 0;
  /// The outputs equal those of the reference in every bit.
  bool checked = false;
};

/// The case by each of the strategies, whose calls take turns.
llvm::Expected<std::vector<Measurement>>
run(const Case &c, llvm::ArrayRef<std::string> strategies,
    const RunOptions &options, mlir::MLIRContext *context);

} // namespace bquant::bench

#endif // BQUANT_TOOLS_BENCH_RUN_H
