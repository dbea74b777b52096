//===- Transpositions.cpp - Copies in another order -----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Transpositions.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

bool bquant::isTransposition(Operation *operation) {
  auto op = dyn_cast<linalg::LinalgOp>(operation);
  if (!op || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumLoops() < 2)
    return false;
  Block *body = op.getBlock();
  if (body->getTerminator()->getOperand(0) != body->getArgument(0))
    return false;
  SmallVector<unsigned> last;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<ShapedType>(operand.get().getType());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!type || !type.hasRank() || !type.hasStaticShape() ||
        !type.getElementType().isIntOrFloat() || !map.isPermutation() ||
        type.getShape().back() < 2)
      return false;
    unsigned bits = type.getElementTypeBitWidth();
    if (bits < 8 || bits > 64 || !llvm::isPowerOf2_32(bits))
      return false;
    last.push_back(map.getDimPosition(map.getNumResults() - 1));
  }
  return last[0] != last[1];
}
