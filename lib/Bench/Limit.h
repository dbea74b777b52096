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

/// The tile in which a kernel is fastest on a target: with as many sums as its
/// registers hold beside the operands. An error for a name that is no kernel.
llvm::Expected<Block> getLimitBlock(llvm::StringRef kernel,
                                    const Target &target);

/// The bare inner loop of a kernel.
class Limit {
public:
  static llvm::Expected<Limit> create(llvm::StringRef kernel,
                                      const Target &target,
                                      mlir::MLIRContext *context);

  const Block &getBlock() const { return loop->getBlock(); }
  /// Runs the loop once: MACs a second.
  double measure() const;

private:
  explicit Limit(std::unique_ptr<BareLoop> loop) : loop(std::move(loop)) {}
  std::unique_ptr<BareLoop> loop;
};

} // namespace bquant::bench

#endif // BQUANT_LIB_BENCH_LIMIT_H
