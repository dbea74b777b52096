//===- ReferencePools.cpp - Pooling of i8 signs ---------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "ReferenceProducts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;

/// The maximum of codes as numbers; a padded position is below all of them.
LoweredValue bquant::createMaxPool2D(ImplicitLocOpBuilder &b, MaxPool2DOp op,
                                     const LoweredValue &input) {
  int64_t planes = input.type.getPlanes();
  Type i32 = b.getI32Type(), i8 = b.getI8Type();
  // 1 is added, so that 0 is below every code.
  Value codes = createElementwise(
      b, i32, input.planes, [&](OpBuilder &b, Location loc, ValueRange args) {
        Value code = createI32(b, loc, 1);
        Value zero = arith::ConstantOp::create(b, loc, b.getI8IntegerAttr(0));
        for (int64_t i = 0; i < planes; ++i) {
          Value up = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt,
                                           args[i], zero);
          Value bit = arith::SelectOp::create(
              b, loc, up, createI32(b, loc, int64_t(1) << (planes - 1 - i)),
              createI32(b, loc, 0));
          code = arith::AddIOp::create(b, loc, code, bit);
        }
        return code;
      });
  codes = createPad(b, codes, op.getPads(), b.getI32IntegerAttr(0));

  // n, oh, ow, c; kh, kw: the window's sizes come from an unused input.
  ArrayRef<int64_t> strides = op.getStrides(), dilations = op.getDilations();
  ArrayRef<int64_t> shape = op.getType().getShape();
  SmallVector<AffineExpr> d(6);
  bindDimsList(b.getContext(), MutableArrayRef(d));
  Inputs inputs;
  inputs.add(codes,
             AffineMap::get(6, 0,
                            {d[0], d[1] * strides[0] + d[4] * dilations[0],
                             d[2] * strides[1] + d[5] * dilations[1], d[3]},
                            b.getContext()));
  Value window = tensor::EmptyOp::create(b, op.getWindow(), i32);
  inputs.add(window, getLoopMap(b.getContext(), 6, {4, 5}));
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), codes);
  for (int i = 1; i <= 2; ++i)
    sizes[i] = b.getIndexAttr(shape[i]);
  Value highest =
      createReduction(b, sizes, 2, i32, inputs,
                      [](OpBuilder &b, Location loc, ValueRange args) {
                        return arith::MaxSIOp::create(b, loc, args[0], args[2]);
                      });

  // Back to signs.
  Inputs decoded(highest);
  SmallVector<Type> elements(planes, i8);
  LoweredValue result = input;
  result.type = op.getType();
  result.planes = createElementwise(
      b, sizes, elements, decoded,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value code =
            arith::SubIOp::create(b, loc, args[0], createI32(b, loc, 1));
        Value plus = arith::ConstantOp::create(b, loc, b.getI8IntegerAttr(1));
        Value minus = arith::ConstantOp::create(b, loc, b.getI8IntegerAttr(-1));
        SmallVector<Value> signs;
        for (int64_t i = 0; i < planes; ++i) {
          Value bit = arith::AndIOp::create(
              b, loc, code, createI32(b, loc, int64_t(1) << (planes - 1 - i)));
          Value up = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                           bit, createI32(b, loc, 0));
          signs.push_back(arith::SelectOp::create(b, loc, up, plus, minus));
        }
        return signs;
      });
  return result;
}
