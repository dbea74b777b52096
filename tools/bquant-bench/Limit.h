//===- Limit.h - What a strategy can do at best -----------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TOOLS_BENCH_LIMIT_H
#define BQUANT_TOOLS_BENCH_LIMIT_H

#include "bquant/Emission/JIT.h"
#include "mlir/IR/MLIRContext.h"

namespace bquant::bench {

/// The bare inner loop of a strategy, compiled for the machine that runs it: as
/// many independent sums as there are registers, operands from the first-level
/// cache, nothing else.
class Limit {
public:
  static llvm::Expected<std::unique_ptr<Limit>>
  create(llvm::StringRef strategy, const Target &target,
         mlir::MLIRContext *context);

  /// Runs the loop once: MACs a second.
  double measure() const;

private:
  std::unique_ptr<JIT> jit;
  void (*loop)(int64_t steps, const void *inputs, const void *filters,
               void *sums) = nullptr;
  double macsAStep = 0;
};

} // namespace bquant::bench

#endif // BQUANT_TOOLS_BENCH_LIMIT_H
