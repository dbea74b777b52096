//===- FilterWords.cpp - What constant filters are kept as ----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FilterWords.h"
#include "PackedGroups.h"

using namespace mlir;
using namespace bquant;

static int64_t countWords(int64_t bits) {
  return llvm::divideCeil(bits, kWordBits);
}

RankedTensorType bquant::getFilterWords(Conv2DOp op) {
  SBTensorType type = op.getFilter().getType();
  RankedTensorType words = type.getPlaneType();
  ArrayRef<int64_t> shape = type.getShape();
  int64_t filters = shape[0], h = shape[1], w = shape[2], channels = shape[3];
  if (!isa<SBTensorType>(op.getInput().getType()))
    return words.clone({h, w, channels, countWords(filters)});
  if (isDepthwise(op))
    return words.clone({h, w, countWords(filters)});
  if (!sharesWords(op))
    return words;
  int64_t groups = op.getGroups();
  return words.clone(
      {h, w, 1, countWords(groups * channels), filters / groups});
}

RankedTensorType bquant::getFilterWords(MatmulOp op) {
  SBTensorType type = op.getRhs().getType();
  RankedTensorType words = type.getPlaneType();
  if (isa<SBTensorType>(op.getLhs().getType()))
    return words;
  SmallVector<int64_t> shape(type.getShape());
  int64_t last = shape.size() - 1;
  std::swap(shape[last - 1], shape[last]);
  shape.back() = countWords(shape.back());
  return words.clone(shape);
}
