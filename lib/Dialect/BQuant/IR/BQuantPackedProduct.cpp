//===- BQuantPackedProduct.cpp - Products of packed planes ----------------===//
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

KernelAttrInterface PackedProductOp::getKernelInterface() {
  return dyn_cast<KernelAttrInterface>(getKernel());
}

unsigned PackedProductOp::getNumInputs() { return getInputs().size(); }

bool PackedProductOp::isLaidOut() { return true; }

bool PackedProductOp::countsWords(unsigned, unsigned) { return false; }

int64_t PackedProductOp::getNumInputPlanes() {
  return getInputs().size() / (getMaskedInputs() ? 2 : 1);
}

int64_t PackedProductOp::getNumFilterPlanes() {
  return getFilters().size() / (getMaskedFilters() ? 2 : 1);
}

ProductForm PackedProductOp::getForm() {
  ProductForm form;
  form.maskedInput = getMaskedInputs();
  form.maskedFilter = getMaskedFilters();
  form.countsMasks =
      int64_t(getNumResults()) > getNumInputPlanes() * getNumFilterPlanes();
  return form;
}

SmallVector<int64_t> PackedProductOp::getLoopSizes() {
  return getLaidOutLoopSizes(*this);
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

LogicalResult PackedProductOp::verify() {
  int64_t inputs = getInputs().size(), filters = getFilters().size();
  bool oddInputs = getMaskedInputs() && inputs % 2,
       oddFilters = getMaskedFilters() && filters % 2;
  if (inputs == 0 || filters == 0 || oddInputs || oddFilters)
    return expected(*this, 1)
           << "planes on both sides, with a mask for each sign of a masked "
              "one, but got "
           << inputs << " by " << filters;
  int64_t pairs = getNumInputPlanes() * getNumFilterPlanes();
  int64_t inits = getInits().size();
  if (inits != pairs && !(inits == 2 * pairs && getMaskedInputs()))
    return expected(*this, 2)
           << pairs << " outs, one for each pair of planes"
           << (getMaskedInputs() ? ", or one more for each mask" : "")
           << ", but got " << inits;
  for (Value init : getInits())
    if (init.getType() != getInits().front().getType())
      return expected(*this, 2)
             << "outs of one type, but got " << getInits().front().getType()
             << " and " << init.getType();
  if (TypeRange(getInits()) != getResultTypes())
    return expected(*this, 3) << "results of the types of outs";

  SmallVector<AffineMap> maps = getMaps();
  if (int64_t(maps.size()) != inputs + filters)
    return expected(*this, 4) << "a map for each input and filter, but got "
                              << maps.size() << " for " << inputs + filters;
  unsigned loops = maps.front().getNumDims(), parallel = getNumParallelLoops();
  for (auto [i, map] : llvm::enumerate(maps)) {
    Value operand = getOperand(i);
    auto type = cast<RankedTensorType>(operand.getType());
    bool isFilter = int64_t(i) >= inputs;
    if (map.getNumDims() != loops || loops < parallel ||
        map.getNumSymbols() != 0 ||
        int64_t(map.getNumResults()) > type.getRank() - isFilter)
      return expected(*this, 5)
             << "maps from " << std::max(loops, parallel)
             << " loops to the leading dimensions of an input, of a filter to "
                "fewer than it has, but got "
             << AffineMapAttr::get(map) << " for " << type;
  }
  if (failed(verifyLaidOutLoops(*this, 6)))
    return failure();
  KernelAttrInterface kernel = getKernelInterface();
  if (kernel.isDepthwise()) // Of blocks of bytes, which are no rows.
    return success();
  for (Value input : getInputs())
    if (getLayoutOf(input.getType()) != kernel.getLayout())
      return expected(*this, 9) << "inputs in the kernel's layout, "
                                << stringifyLayout(kernel.getLayout())
                                << ", but got " << input.getType();
  return success();
}
