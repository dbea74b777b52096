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

static int64_t countWords(int64_t bits) {
  return llvm::divideCeil(bits, kWordBits);
}

int64_t bquant::getBlockLanes(KernelAttrInterface kernel) {
  return llvm::alignTo(kernel.getBlock(), kernel.getLanes());
}

RankedTensorType bquant::getFilterType(KernelAttrInterface kernel,
                                       ArrayRef<int64_t> shape,
                                       unsigned outputs) {
  SmallVector<int64_t> laidOut(shape);
  laidOut[outputs] = llvm::divideCeil(shape[outputs], kernel.getBlock());
  if (kernel.isDepthwise())
    laidOut.pop_back();
  else
    laidOut.back() = countElements(kernel.getLayout(), shape.back());
  laidOut.push_back(getBlockLanes(kernel));
  return RankedTensorType::get(laidOut, kernel.getFilterElementType());
}

RankedTensorType bquant::getFilterWords(Conv2DOp op) {
  SBTensorType type = op.getFilter().getType();
  ArrayRef<int64_t> shape = type.getShape();
  RankedTensorType words = type.getPlaneType();
  if (!isa<SBTensorType>(op.getInput().getType()))
    return words.clone({shape[1], shape[2], shape[3], countWords(shape[0])});
  KernelAttrInterface kernel = getKernel(op);
  return kernel ? getFilterType(kernel, shape, 0) : words;
}

RankedTensorType bquant::getFilterWords(MatmulOp op) {
  SBTensorType type = op.getRhs().getType();
  RankedTensorType words = type.getPlaneType();
  SmallVector<int64_t> shape(type.getShape());
  int64_t last = shape.size() - 1;
  if (isa<SBTensorType>(op.getLhs().getType())) {
    KernelAttrInterface kernel = getKernel(op);
    return kernel ? getFilterType(kernel, shape, last - 1) : words;
  }
  std::swap(shape[last - 1], shape[last]);
  shape.back() = countWords(shape.back());
  return words.clone(shape);
}
