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

/// From one element to the next, as LLVM lays out arrays of a type; nothing for
/// types that have no such size.
static std::optional<int64_t> getStride(Type type) {
  if (type.isIndex())
    return 8;
  if (type.isIntOrFloat()) {
    int64_t bytes = llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
    constexpr uint64_t largestAlignment = 16;
    return llvm::alignTo(bytes,
                         std::min(llvm::PowerOf2Ceil(bytes), largestAlignment));
  }
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || vector.isScalable() || vector.getRank() == 0)
    return std::nullopt;
  Type element = vector.getElementType();
  int64_t bits = element.isIndex()        ? 64
                 : element.isIntOrFloat() ? element.getIntOrFloatBitWidth()
                                          : 0;
  // The last dimension is a vector of LLVM's, the others are arrays.
  int64_t last = vector.getShape().back();
  if (bits == 0 || llvm::MulOverflow(bits, last, bits))
    return std::nullopt;
  int64_t bytes = llvm::PowerOf2Ceil(llvm::divideCeil(bits, 8));
  for (int64_t size : vector.getShape().drop_back())
    if (llvm::MulOverflow(bytes, size, bytes))
      return std::nullopt;
  return bytes;
}

std::optional<int64_t> bquant::getBytes(MemRefType type) {
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return std::nullopt;
  std::optional<int64_t> stride = getStride(type.getElementType());
  if (!stride)
    return std::nullopt;
  int64_t bytes = *stride;
  for (int64_t size : type.getShape())
    if (llvm::MulOverflow(bytes, size, bytes))
      return std::nullopt;
  return bytes;
}
