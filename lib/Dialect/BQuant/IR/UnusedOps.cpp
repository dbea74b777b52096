//===- UnusedOps.cpp - Operations that nothing reads any more -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnusedOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace bquant;

void bquant::eraseUnused(RewriterBase &rewriter, ValueRange values) {
  // Each once, however many of the values are its results.
  llvm::SetVector<Operation *> left;
  auto add = [&](ValueRange values) {
    for (Value value : values)
      if (Operation *op = value.getDefiningOp())
        left.insert(op);
  };
  add(values);
  while (!left.empty()) {
    Operation *op = left.pop_back_val();
    if (!isOpTriviallyDead(op))
      continue;
    add(op->getOperands());
    rewriter.eraseOp(op);
  }
}
