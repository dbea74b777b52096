//===- ScaledBinaryUses.cpp - Who may have scaled-binary values -----------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScaledBinaryUses.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace bquant;

bool bquant::isScaledBinary(Type type) {
  return type.walk([](SBTensorType) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

bool bquant::misusesScaledBinary(Operation *op) {
  return !isa_and_nonnull<BQuantDialect>(op->getDialect()) &&
         !isa<UnrealizedConversionCastOp>(op) &&
         (llvm::any_of(op->getOperandTypes(), isScaledBinary) ||
          llvm::any_of(op->getResultTypes(), isScaledBinary));
}

SmallVector<BlockArgument> bquant::getScaledBinaryArguments(Operation *op) {
  SmallVector<BlockArgument> found;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::copy_if(block.getArguments(), std::back_inserter(found),
                    [](BlockArgument argument) {
                      return isScaledBinary(argument.getType());
                    });
  return found;
}
