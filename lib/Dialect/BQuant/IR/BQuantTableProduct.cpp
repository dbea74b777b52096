//===- BQuantTableProduct.cpp - Products by tables of sums ----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductTiling.h"
#include "Support/Constraints.h"

using namespace mlir;
using namespace bquant;

KernelAttrInterface TableProductOp::getKernelInterface() {
  return dyn_cast<KernelAttrInterface>(getKernel());
}

unsigned TableProductOp::getNumInputs() { return 1; }

bool TableProductOp::isLaidOut() { return true; }

bool TableProductOp::countsWords(unsigned, unsigned) { return false; }

ProductForm TableProductOp::getForm() { return {}; }

SmallVector<int64_t> TableProductOp::getLoopSizes() {
  return getLaidOutLoopSizes(*this);
}

LogicalResult TableProductOp::verify() {
  OperandRange filters = getFilters(), inits = getInits();
  if (filters.empty() || !llvm::all_equal(TypeRange(filters)))
    return expected(*this, 1)
           << "filters of one type, but got " << filters.getTypes();
  if (inits.size() != filters.size() || !llvm::all_equal(TypeRange(inits)) ||
      TypeRange(inits) != getResultTypes())
    return expected(*this, 2)
           << filters.size() << " outs and results of one type, but got "
           << inits.getTypes();
  SmallVector<AffineMap> maps = getMaps();
  if (maps.size() != 1 + filters.size())
    return expected(*this, 3)
           << 1 + filters.size() << " maps, but got " << maps.size();
  unsigned loops = maps.front().getNumDims();
  for (auto [i, map] : llvm::enumerate(maps)) {
    auto type = cast<RankedTensorType>(getOperand(i).getType());
    if (map.getNumDims() != loops || loops <= getNumParallelLoops() ||
        map.getNumSymbols() != 0 ||
        int64_t(map.getNumResults()) + 1 != type.getRank())
      return expected(*this, 3)
             << "maps of all loops, more than the results have, to all "
                "dimensions but the last, but got "
             << AffineMapAttr::get(map) << " for " << type;
  }
  KernelAttrInterface kernel = getKernelInterface();
  int64_t terms = kernel ? kernel.getTerms() : 1;
  if (kernel && (terms == 1 || getEntries() != int64_t(1) << terms))
    return expected(*this, 4)
           << "a kernel by tables of as many entries as the input has, but got "
           << kernel << " and " << getEntries();
  return verifyLaidOutLoops(*this, 5);
}
