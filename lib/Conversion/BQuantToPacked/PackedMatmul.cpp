//===- PackedMatmul.cpp - Matrix products of packed words -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "FilterLayout.h"
#include "PackedProducts.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;

Value bquant::createMatmulOfWords(ImplicitLocOpBuilder &b, MatmulOp op,
                                  KernelAttrInterface kernel,
                                  const LoweredValue &lhs,
                                  const LoweredValue &rhs) {
  // (batch,) m, n; words.
  int64_t rank = op.getType().getRank();
  ProductLoops loops;
  loops.kernel = kernel;
  if (rank == 3)
    loops.lhsLoops = loops.rhsLoops = {0};
  loops.lhsLoops.push_back(rank - 2);
  loops.rhsLoops.push_back(rank - 1);
  SmallVector<int64_t> lhsLoops(loops.lhsLoops);
  lhsLoops.push_back(rank);
  loops.lhs = getLoopMap(b.getContext(), rank + 1, lhsLoops);
  SmallVector<AffineExpr> filter{
      b.getAffineDimExpr(rank - 1).floorDiv(kernel.getBlock()),
      b.getAffineDimExpr(rank).floorDiv(kernel.getStepOfElement())};
  if (rank == 3)
    filter.insert(filter.begin(), b.getAffineDimExpr(0));
  loops.rhs = loops.rhsMask =
      AffineMap::get(rank + 1, 0, filter, b.getContext());
  loops.sizes = tensor::getMixedSizes(b, b.getLoc(), lhs.planes.front());
  loops.sizes.back() =
      tensor::getMixedSize(b, b.getLoc(), rhs.planes.front(), rank - 2);
  loops.bits = lhs.type.getShape().back();
  loops.reductions = {kernel.getLayout().countElements(loops.bits)};
  PackedOperands operands = getOperands(b, kernel, lhs, rhs);
  for (const PlaneOperand &plane : operands.rhs)
    operands.rhsMaskCounts.push_back(
        plane.mask ? createBitCount(b, plane.mask, rank - 1) : Value());
  if (needsWindows(kernel))
    for (const PlaneOperand &plane : operands.rhs)
      operands.rhsWindows.push_back(plane.sign);
  auto layOut = [&](Value words) {
    Value laidOut =
        layOutFilter(b, kernel, words, rhs.type.getShape(), rank - 2);
    if (isa<CodesLayoutAttr>(kernel.getLayout()))
      laidOut =
          createStoredCodes(b, kernel, operands.rhsMeaning, laidOut, rank - 1);
    return laidOut;
  };
  for (PlaneOperand &plane : operands.rhs) {
    plane.sign = layOut(plane.sign);
    if (plane.mask)
      plane.mask = layOut(plane.mask);
  }
  std::optional<BroadcastTensor> start;
  if (lhs.offset)
    start = createMatmulOffset(b, loops, lhs, rhs);
  return createResult(b, op.getType(), loops.sizes,
                      createDots(b, loops, operands), lhs, rhs,
                      start ? &*start : nullptr);
}
