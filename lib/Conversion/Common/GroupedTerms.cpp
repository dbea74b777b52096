//===- GroupedTerms.cpp - Sums of a few products at a time ----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GroupedTerms.h"
#include "GenericBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;

Value bquant::groupTerms(ImplicitLocOpBuilder &b, Value value, int64_t groups,
                         int64_t terms, TypedAttr padding) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  if (int64_t behind = groups * terms - shape.back()) {
    SmallVector<OpFoldResult> low(shape.size(), b.getIndexAttr(0)), high(low);
    high.back() = b.getIndexAttr(behind);
    shape.back() = groups * terms;
    Value fill = arith::ConstantOp::create(b, padding);
    value = tensor::PadOp::create(b, type.clone(shape), value, low, high, fill);
  }
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), value);
  SmallVector<ReassociationIndices> split;
  for (size_t d = 0; d < shape.size(); ++d)
    split.push_back({int64_t(d)});
  split.back().push_back(shape.size());
  shape.back() = groups;
  sizes.back() = b.getIndexAttr(groups);
  shape.push_back(terms);
  sizes.push_back(b.getIndexAttr(terms));
  return tensor::ExpandShapeOp::create(b, type.clone(shape), value, split,
                                       sizes);
}

AffineMap bquant::getMapOfTerm(AffineMap map, int64_t term) {
  return map.insertResult(getAffineConstantExpr(term, map.getContext()),
                          map.getNumResults());
}

Value bquant::sumTerms(OpBuilder &b, Location loc, ValueRange pairs) {
  Value sum;
  for (; !pairs.empty(); pairs = pairs.drop_front(2)) {
    Value product = arith::MulFOp::create(b, loc, pairs[0], pairs[1]);
    sum =
        sum ? arith::AddFOp::create(b, loc, sum, product).getResult() : product;
  }
  return sum;
}

Value bquant::combineSums(ImplicitLocOpBuilder &b, ArrayRef<OpFoldResult> sizes,
                          ValueRange sums, ArrayRef<int64_t> ratios) {
  Inputs inputs;
  for (Value sum : sums)
    inputs.add(sum, b.getMultiDimIdentityMap(sizes.size()));
  return createElementwise(b, sizes, b.getF32Type(), inputs,
                           [&](OpBuilder &b, Location loc, ValueRange args) {
                             SmallVector<Value> pairs;
                             for (auto [sum, ratio] :
                                  llvm::zip_equal(args.drop_back(), ratios))
                               pairs.append(
                                   {sum, createF32(b, loc, float(ratio))});
                             return SmallVector<Value>{sumTerms(b, loc, pairs)};
                           })
      .front();
}
