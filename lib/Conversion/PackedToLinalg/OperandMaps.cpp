//===- OperandMaps.cpp - Operands of products, element by element ---------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandMaps.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace bquant;

FailureOr<SmallVector<AffineMap>>
bquant::getOperandMaps(ProductOpInterface op) {
  SmallVector<AffineMap> maps = op.getMaps();
  unsigned loops = maps.front().getNumDims(),
           parallel = op.getNumParallelLoops();
  AffineExpr channel = getAffineDimExpr(parallel - 1, op.getContext());
  KernelAttrInterface kernel = op.getKernelInterface();
  for (auto [i, map] : llvm::enumerate(maps)) {
    auto type = cast<RankedTensorType>(op->getOperand(i).getType());
    if (int64_t(map.getNumResults()) == type.getRank())
      continue;
    if (!kernel)
      return failure();
    map = map.insertResult(kernel.getLane(channel % kernel.getBlock()),
                           map.getNumResults());
  }
  auto style = cast<DestinationStyleOpInterface>(op.getOperation());
  maps.append(style.getNumDpsInits(),
              AffineMap::getMultiDimIdentityMap(loops, op.getContext())
                  .getMajorSubMap(parallel));
  return maps;
}
