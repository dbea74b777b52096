//===- FilterWords.cpp - What constant filters are kept as ----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FilterWords.h"
#include "Products.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

RankedTensorType bquant::getBitFilterType(KernelAttrInterface kernel,
                                          ArrayRef<int64_t> shape,
                                          unsigned outputs) {
  SmallVector<int64_t> laidOut(shape);
  int64_t block = kernel.getBlock();
  laidOut[outputs] = llvm::divideCeil(shape[outputs], block);
  laidOut.push_back(block);
  return getPackedType(WordsLayoutAttr::get(kernel.getContext()), laidOut);
}

static RankedTensorType getFilterWords(Operation *op, SBTensorType filter,
                                       unsigned outputs) {
  KernelAttrInterface kernel = getKernel(op);
  if (!kernel)
    return filter.getPlaneType();
  return kernel.sumsFloats() && !kernel.readsTables()
             ? getBitFilterType(kernel, filter.getShape(), outputs)
             : kernel.getFilterLayout().getType(filter.getShape(), outputs);
}

RankedTensorType bquant::getFilterWords(Conv2DOp op) {
  return ::getFilterWords(op, op.getFilter().getType(), 0);
}

RankedTensorType bquant::getFilterWords(MatmulOp op) {
  SBTensorType type = op.getRhs().getType();
  return ::getFilterWords(op, type, type.getShape().size() - 2);
}
