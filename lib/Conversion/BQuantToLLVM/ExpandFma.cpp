//===- ExpandFma.cpp - --bquant-expand-fma --------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// math.fma in f32 for a CPU without such an instruction.
//
// Upstream's --math-expand-ops=ops=fma writes a multiplication and an addition,
// which round twice: other bits than on a CPU that has it, and than the
// reference. Left to LLVM it is a call of the C library for each element.
//
//===----------------------------------------------------------------------===//

#include "bquant/Conversion/Passes.h"
#include "bquant/Target/ModuleTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

namespace bquant {
#define GEN_PASS_DEF_EXPANDFMA
#include "bquant/Conversion/Passes.h.inc"
} // namespace bquant

using namespace mlir;

/// The greatest magnitude of `value`, if it is 0 or a power of two from 1 on
/// everywhere: a product with it has no more bits.
static std::optional<double> getPowerOfTwo(Value value) {
  APFloat number(0.0f);
  if (matchPattern(value, m_ConstantFloat(&number))) {
    double x = std::abs(number.convertToDouble());
    int exponent;
    if (x == 0 || (x >= 1 && std::frexp(x, &exponent) == 0.5))
      return x;
    return std::nullopt;
  }
  if (auto select = value.getDefiningOp<arith::SelectOp>()) {
    std::optional<double> x = getPowerOfTwo(select.getTrueValue());
    std::optional<double> y = getPowerOfTwo(select.getFalseValue());
    if (x && y)
      return std::max(*x, *y);
  }
  if (auto broadcast = value.getDefiningOp<vector::BroadcastOp>())
    return getPowerOfTwo(broadcast.getSource());
  return std::nullopt;
}

/// `a b + c` in f64. Where the product has the 24 bits of an f32, rounding the
/// sum twice is the same as once, since 53 are twice as many and two more; else
/// the sum is rounded to odd, which the rounding to f32 does not notice.
static Value expand(ImplicitLocOpBuilder &b, math::FmaOp op, bool isShort) {
  Type type = op.getType();
  auto like = [&](Type element) -> Type {
    if (auto vector = dyn_cast<VectorType>(type))
      return vector.clone(element);
    return element;
  };
  Type f64 = like(b.getF64Type()), i64 = like(b.getI64Type());
  auto constant = [&](TypedAttr element) -> Value {
    if (auto vector = dyn_cast<VectorType>(like(element.getType())))
      return arith::ConstantOp::create(b,
                                       DenseElementsAttr::get(vector, element));
    return arith::ConstantOp::create(b, element);
  };
  auto integer = [&](int64_t value) {
    return constant(b.getI64IntegerAttr(value));
  };
  auto widen = [&](Value value) -> Value {
    return arith::ExtFOp::create(b, f64, value);
  };

  // 24 by 24 bits are exact in 53.
  Value product = arith::MulFOp::create(b, widen(op.getA()), widen(op.getB()));
  Value addend = widen(op.getC());
  Value sum = arith::AddFOp::create(b, product, addend);
  if (isShort)
    return arith::TruncFOp::create(b, type, sum);

  // What the sum lost, exactly; NaN where it is not finite.
  Value part = arith::SubFOp::create(b, sum, product);
  Value error = arith::AddFOp::create(
      b, arith::SubFOp::create(b, product, arith::SubFOp::create(b, sum, part)),
      arith::SubFOp::create(b, addend, part));

  // Of the two numbers around the exact sum, the odd one.
  Value zero = constant(b.getF64FloatAttr(0));
  auto above = [&](Value value) -> Value {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, value, zero);
  };
  Value bits = arith::BitcastOp::create(b, i64, sum);
  Value even = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                     arith::AndIOp::create(b, bits, integer(1)),
                                     integer(0));
  Value inexact =
      arith::CmpFOp::create(b, arith::CmpFPredicate::ONE, error, zero);
  Value grows = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, above(error),
                                      above(sum));
  Value step = arith::SelectOp::create(b, grows, integer(1), integer(-1));
  Value odd =
      arith::SelectOp::create(b, arith::AndIOp::create(b, even, inexact),
                              arith::AddIOp::create(b, bits, step), bits);
  return arith::TruncFOp::create(b, type,
                                 arith::BitcastOp::create(b, f64, odd));
}

namespace {
struct ExpandFma : bquant::impl::ExpandFmaBase<ExpandFma> {
  void runOnOperation() override {
    FailureOr<std::optional<bquant::Target>> target =
        bquant::getModuleTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    // Nothing is known of no target: then LLVM's default decides.
    if (!*target || bquant::TargetDescription(**target).fusesMultiplyAdd)
      return;
    SmallVector<math::FmaOp> ops;
    getOperation()->walk([&](math::FmaOp op) {
      if (getElementTypeOrSelf(op.getType()).isF32())
        ops.push_back(op);
    });
    for (math::FmaOp op : ops) {
      ImplicitLocOpBuilder b(op.getLoc(), op);
      std::optional<double> power = getPowerOfTwo(op.getA());
      if (!power)
        power = getPowerOfTwo(op.getB());
      Value result;
      if (power && *power <= 1)
        result = arith::AddFOp::create(
            b, arith::MulFOp::create(b, op.getA(), op.getB()), op.getC());
      else
        result = expand(b, op, /*isShort=*/power.has_value());
      op.replaceAllUsesWith(result);
      op.erase();
    }
  }
};
} // namespace
