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
                                  const Parts &lhs, const Parts &rhs) {
  // (batch,) m, n; words.
  int64_t rank = op.getType().getRank();
  Nest nest;
  if (rank == 3)
    nest.lhsLoops = nest.rhsLoops = {0};
  nest.lhsLoops.push_back(rank - 2);
  nest.rhsLoops.push_back(rank - 1);
  SmallVector<int64_t> lhsLoops(nest.lhsLoops), rhsLoops(nest.rhsLoops);
  lhsLoops.push_back(rank);
  rhsLoops.push_back(rank);
  nest.lhs = getLoopMap(b.getContext(), rank + 1, lhsLoops);
  nest.rhs = getLoopMap(b.getContext(), rank + 1, rhsLoops);
  nest.sizes = tensor::getMixedSizes(b, b.getLoc(), lhs.planes.front());
  nest.sizes.back() =
      tensor::getMixedSize(b, b.getLoc(), rhs.planes.front(), rank - 2);
  nest.bits = lhs.type.getShape().back();
  Sides sides{
      getTerms(lhs),           getTerms(rhs), {}, {}, lhs.type.getNumScalars(),
      rhs.type.getNumScalars()};
  for (const Term &term : sides.rhs)
    sides.rhsMaskCounts.push_back(
        term.mask ? createBitCount(b, term.mask, rank - 1) : Value());
  std::optional<Along> start;
  if (lhs.offset)
    start = createMatmulOffset(b, nest, lhs, rhs);
  return createResult(b, op.getType(), nest.sizes, createDots(b, nest, sides),
                      lhs, rhs, start ? &*start : nullptr);
}
