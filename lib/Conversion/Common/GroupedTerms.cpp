//===- GroupedTerms.cpp - Sums of a few products at a time ----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GroupedTerms.h"
#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace bquant;

Value bquant::groupTerms(ImplicitLocOpBuilder &b, Value value, int64_t groups,
                         int64_t terms, TypedAttr padding) {
  unsigned last = cast<RankedTensorType>(value.getType()).getRank() - 1;
  value = padTo(b, value, last, groups * terms, padding);
  return splitDimension(b, value, last, {groups, terms});
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
  Inputs inputs(sums);
  return createElementwise(
      b, sizes, b.getF32Type(), inputs,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        SmallVector<Value> pairs;
        for (auto [sum, ratio] : llvm::zip_equal(args.drop_back(), ratios))
          pairs.append({sum, createF32(b, loc, float(ratio))});
        return sumTerms(b, loc, pairs);
      });
}
