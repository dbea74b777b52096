//===- BufferLives.cpp - How long and how large buffers are ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferLives.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

bool bquant::isInParallelLoop(Operation *op, Operation *ancestor) {
  for (Operation *parent = op->getParentOp(); parent != ancestor;
       parent = parent->getParentOp())
    if (parent->hasTrait<OpTrait::HasParallelRegion>())
      return true;
  return false;
}

LogicalResult bquant::verifyLife(memref::AllocOp alloc,
                                 const BufferViewFlowAnalysis &views) {
  Operation *loop = alloc->getParentOfType<LoopLikeOpInterface>();
  if (!loop)
    return success();
  for (Value alias : views.resolve(alloc)) {
    bool carried = !loop->isAncestor(alias.getParentRegion()->getParentOp()) ||
                   alias.getDefiningOp() == loop;
    if (auto argument = dyn_cast<BlockArgument>(alias)) {
      Operation *owner = argument.getOwner()->getParentOp();
      carried |= isa_and_nonnull<LoopLikeOpInterface>(owner) &&
                 owner->isAncestor(alloc);
    }
    if (carried)
      return alloc.emitError("expected a buffer that does not outlive the "
                             "iteration of its loop");
  }
  return success();
}

std::optional<int64_t> bquant::getBytes(MemRefType type) {
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return std::nullopt;
  Type element = type.getElementType();
  int64_t bytes = 1;
  if (auto vector = dyn_cast<VectorType>(element)) {
    bytes = vector.getNumElements();
    element = vector.getElementType();
  }
  if (element.isIntOrFloat())
    bytes *= llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  else if (element.isIndex())
    bytes *= 8;
  else
    return std::nullopt;
  for (int64_t size : type.getShape())
    if (llvm::MulOverflow(bytes, size, bytes))
      return std::nullopt;
  return bytes;
}
