//===- FilterBlocks.cpp - Filters in blocks of channels -------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FilterBlocks.h"
#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

Value bquant::collapseTwo(ImplicitLocOpBuilder &b, Value tensor,
                          unsigned first) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape;
  SmallVector<ReassociationIndices> joined;
  for (unsigned d = 0; d < type.getRank(); ++d) {
    if (d == first + 1) {
      shape.back() *= type.getDimSize(d);
      joined.back().push_back(d);
      continue;
    }
    shape.push_back(type.getDimSize(d));
    joined.push_back({d});
  }
  if (Value constant = reshapeResource(b, tensor, type.clone(shape)))
    return constant;
  return tensor::CollapseShapeOp::create(b, type.clone(shape), tensor, joined);
}

Value bquant::createTransposed(ImplicitLocOpBuilder &b, Value value,
                               ArrayRef<int64_t> perm, Attribute layout) {
  auto type = cast<RankedTensorType>(value.getType());
  Value init =
      tensor::EmptyOp::create(b, applyPermutation(type.getShape(), perm),
                              type.getElementType(), layout);
  return linalg::TransposeOp::create(b, value, init, perm)->getResult(0);
}

Value bquant::createBlocks(ImplicitLocOpBuilder &b, packed::BlocksAttr layout,
                           Value value, unsigned outputs, int64_t lanes) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t block = layout.getBlock(),
          blocks = llvm::divideCeil(type.getDimSize(outputs), block),
          parts = layout.getParts();
  TypedAttr zero = b.getZeroAttr(type.getElementType());
  value = padTo(b, value, outputs, blocks * block, zero);
  value = splitDimension(b, value, outputs, {blocks, block});
  int64_t lane = outputs + 1, rank = type.getRank() + 1;
  value = padTo(b, value, lane, lanes, zero);
  if (parts > 1) {
    // Whole rows are moved, which is cheap; lanes would be picked one by one.
    int64_t together = layout.getTogether();
    SmallVector<int64_t> split{lanes / layout.getLanes(), parts,
                               layout.getLanes() / parts / together, together};
    value = splitDimension(b, value, lane, split);
    auto perm = llvm::to_vector(llvm::seq<int64_t>(0, rank + split.size() - 1));
    std::swap(perm[lane + 1], perm[lane + 2]);
    value = createTransposed(b, value, perm);
    for (size_t i = 1; i < split.size(); ++i)
      value = collapseTwo(b, value, lane);
  }
  auto perm = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  perm.erase(perm.begin() + lane);
  perm.push_back(lane);
  bool isLaidOut = type.getElementType() == layout.getElementType();
  return createTransposed(b, value, perm, isLaidOut ? layout : Attribute());
}
