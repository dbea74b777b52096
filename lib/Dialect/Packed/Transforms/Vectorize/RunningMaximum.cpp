//===- RunningMaximum.cpp - Maxima of many values, NaN kept ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   maximumf(... maximumf(maximumf(a, b), c) ...)
//
// x86's maximum of a and b is `a > b ? a : b`: it forgets a NaN in a, and takes
// either of two zeros. LLVM mends that with three blends and a comparison for
// each maximum; here both are mended once, after the last one.
//
//===----------------------------------------------------------------------===//

#include "RunningMaximum.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace bquant;

static Value castBits(OpBuilder &b, Location loc, Value value, Type element) {
  auto type = cast<VectorType>(value.getType()).clone(element);
  return arith::BitcastOp::create(b, loc, type, value);
}

/// All bits of the lanes where `a` or `b` is NaN, as floats: NaN as well.
static Value findUnordered(OpBuilder &b, Location loc, Value a, Value other) {
  auto type = cast<VectorType>(a.getType());
  Value is = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, a, other);
  Value bits = arith::ExtSIOp::create(b, loc, type.clone(b.getI32Type()), is);
  return castBits(b, loc, bits, b.getF32Type());
}

RunningMaximum RunningMaximum::start(OpBuilder &b, Location loc, Value first) {
  return {first, castBits(b, loc, first, b.getI32Type()),
          findUnordered(b, loc, first, first)};
}

RunningMaximum RunningMaximum::step(OpBuilder &b, Location loc,
                                    Value next) const {
  Value greater =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, next, largest);
  return {arith::SelectOp::create(b, loc, greater, next, largest),
          arith::AndIOp::create(b, loc, signs,
                                castBits(b, loc, next, b.getI32Type())),
          findUnordered(b, loc, next, unordered)};
}

Value RunningMaximum::finish(OpBuilder &b, Location loc) const {
  Type type = largest.getType();
  Value zero = createScalarOrSplatConstant(b, loc, type, APFloat(0.0f));
  Value isZero =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, largest, zero);
  // No value is above 0: the sign is set in all, or one is +0.
  Value sign = createScalarOrSplatConstant(b, loc, signs.getType(),
                                           APInt::getSignMask(32));
  Value signedZero = castBits(
      b, loc, arith::AndIOp::create(b, loc, signs, sign), b.getF32Type());
  Value ordered = arith::SelectOp::create(b, loc, isZero, signedZero, largest);
  Value isUnordered = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO,
                                            unordered, unordered);
  Value nan = createScalarOrSplatConstant(
      b, loc, type, APFloat(std::numeric_limits<float>::quiet_NaN()));
  return arith::SelectOp::create(b, loc, isUnordered, nan, ordered);
}
