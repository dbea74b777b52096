//===- ReferenceOffsets.cpp - What a filter's offset adds -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// It is multiplied by the product of the same input by filters of +1, one for
// each filter, though they are all alike.
//
//===----------------------------------------------------------------------===//

#include "Conversion/Common/Scale.h"
#include "ReferenceProducts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;

Value bquant::addFilterOffset(
    ImplicitLocOpBuilder &b, const LoweredValue &rhs,
    function_ref<Value(const LoweredValue &)> create) {
  Value product = create(rhs);
  if (!rhs.offset)
    return product;
  LoweredValue ones;
  ones.type = SBTensorType::get(b.getContext(), rhs.type.getShape(), 1, {}, {},
                                /*hasOffset=*/false);
  Value one = arith::ConstantOp::create(b, b.getI8IntegerAttr(1));
  Value empty = tensor::EmptyOp::create(
      b, tensor::getMixedSizes(b, b.getLoc(), rhs.planes.front()),
      b.getI8Type());
  ones.planes.push_back(linalg::FillOp::create(b, one, empty).getResult(0));
  ones.scalars = arith::ConstantOp::create(
      b, DenseElementsAttr::get(ones.type.getScalarsType(), 1.0f));
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), product);
  int64_t rank = sizes.size();
  Inputs inputs({product, create(ones)});
  Inputs::Handle d =
      inputs.add(rhs.offset, getLoopMap(b.getContext(), rank,
                                        getRhsScalars(rhs, rank).loops));
  return createElementwise(
      b, sizes, b.getF32Type(), inputs,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value term =
            arith::MulFOp::create(b, loc, d.get(b, loc, args), args[1]);
        return arith::AddFOp::create(b, loc, args[0], term);
      });
}
