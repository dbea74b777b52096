//===- PackedMatmul.cpp - Matrix products of packed words -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/Common/GenericBuilder.h"
#include "PackedProducts.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;

Value bquant::createMatmulOfWords(ImplicitLocOpBuilder &b, MatmulOp op,
                                  const LoweredValue &lhs,
                                  const LoweredValue &rhs) {
  // (batch,) m, n; words.
  int64_t rank = op.getType().getRank();
  ProductLoops loops;
  if (rank == 3)
    loops.lhsLoops = loops.rhsLoops = {0};
  loops.lhsLoops.push_back(rank - 2);
  loops.rhsLoops.push_back(rank - 1);
  SmallVector<int64_t> lhsLoops(loops.lhsLoops), rhsLoops(loops.rhsLoops);
  lhsLoops.push_back(rank);
  rhsLoops.push_back(rank);
  loops.lhs = getLoopMap(b.getContext(), rank + 1, lhsLoops);
  loops.rhs = getLoopMap(b.getContext(), rank + 1, rhsLoops);
  loops.sizes = tensor::getMixedSizes(b, b.getLoc(), lhs.planes.front());
  loops.sizes.back() =
      tensor::getMixedSize(b, b.getLoc(), rhs.planes.front(), rank - 2);
  loops.bits = lhs.type.getShape().back();
  PackedOperands operands{
      getPlaneOperands(lhs),    getPlaneOperands(rhs),   {}, {},
      lhs.type.getNumScalars(), rhs.type.getNumScalars()};
  for (const PlaneOperand &plane : operands.rhs)
    operands.rhsMaskCounts.push_back(
        plane.mask ? createBitCount(b, plane.mask, rank - 1) : Value());
  std::optional<BroadcastTensor> start;
  if (lhs.offset)
    start = createMatmulOffset(b, loops, lhs, rhs);
  return createResult(b, op.getType(), loops.sizes,
                      createDots(b, loops, operands), lhs, rhs,
                      start ? &*start : nullptr);
}
