//===- LowerRounding.cpp - Rounding as a part of the conversion -----------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A code is a number, rounded, with a zero point and within bounds:
//
//   %t = math.roundeven %x : f32
//   %u = arith.addf %t, %c3 : f32
//   %v = arith.maximumf %u, %c-128 : f32
//   %w = arith.minimumf %v, %c127 : f32
//   %y = arith.fptosi %w : f32 to i8
//
// Integers may be added after the conversion, bounds may be met before the
// rounding, as it keeps the order and does not move integers, and x86 rounds
// where it converts. Neither upstream nor LLVM does any of it.
//
//===----------------------------------------------------------------------===//

#include "bquant/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/TargetParser/Triple.h"

namespace bquant {
#define GEN_PASS_DEF_LOWERROUNDING
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;

/// Floats hold all integers and sums up to these exactly.
static constexpr int64_t kMostExact = 1 << 20;

/// The integer that `value`, or each of its elements, is.
static std::optional<int64_t> getInteger(Value value) {
  APFloat number(0.0f);
  APSInt integer(/*BitWidth=*/32, /*isUnsigned=*/false);
  bool exact = false;
  if (!matchPattern(value, m_ConstantFloat(&number)) ||
      number.convertToInteger(integer, APFloat::rmTowardZero, &exact) !=
          APFloat::opOK ||
      std::abs(integer.getSExtValue()) > kMostExact)
    return std::nullopt;
  return integer.getSExtValue();
}

namespace {
/// A number, rounded, with an integer added, within bounds.
struct Code {
  Value number;
  int64_t added = 0;
  /// The bounds from the last one on.
  SmallVector<Operation *> bounds;
};
} // namespace

static std::optional<Code> findCode(arith::FPToSIOp op) {
  Code code;
  Value value = op.getIn();
  bool below = false, above = false;
  while (isa_and_present<arith::MaximumFOp, arith::MinimumFOp>(
      value.getDefiningOp())) {
    Operation *bound = value.getDefiningOp();
    if (!getInteger(bound->getOperand(1)))
      return std::nullopt;
    (isa<arith::MaximumFOp>(bound) ? below : above) = true;
    code.bounds.push_back(bound);
    value = bound->getOperand(0);
  }
  // Without bounds a sum of floats may round.
  if (auto add = value.getDefiningOp<arith::AddFOp>(); add && below && above) {
    std::optional<int64_t> added = getInteger(add.getRhs());
    if (!added)
      return std::nullopt;
    code.added = *added;
    value = add.getLhs();
  }
  auto rounded = value.getDefiningOp<math::RoundEvenOp>();
  if (!rounded || !getElementTypeOrSelf(value).isF32())
    return std::nullopt;
  code.number = rounded.getOperand();
  return code;
}

/// `value` or a vector of it, of `type`.
static Value createNumber(ImplicitLocOpBuilder &b, Type type, int64_t value) {
  Type element = getElementTypeOrSelf(type);
  TypedAttr attr = isa<FloatType>(element)
                       ? TypedAttr(b.getFloatAttr(element, value))
                       : b.getIntegerAttr(element, value);
  if (auto shaped = dyn_cast<ShapedType>(type))
    attr = DenseElementsAttr::get(shaped, Attribute(attr));
  return arith::ConstantOp::create(b, attr);
}

/// To the nearest i32, of two the even one.
static Value createRounded(ImplicitLocOpBuilder &b, Value value, bool isX86) {
  Type type = b.getI32Type();
  if (auto shaped = dyn_cast<ShapedType>(value.getType()))
    type = shaped.clone(type);
  if (isX86)
    return LLVM::LrintOp::create(b, type, value);
  return arith::FPToSIOp::create(b, type, math::RoundEvenOp::create(b, value));
}

static void convert(arith::FPToSIOp op, const Code &code, bool isX86) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value value = code.number;
  for (Operation *bound : llvm::reverse(code.bounds)) {
    Value limit = createNumber(b, value.getType(),
                               *getInteger(bound->getOperand(1)) - code.added);
    value = isa<arith::MaximumFOp>(bound)
                ? arith::MaximumFOp::create(b, value, limit).getResult()
                : arith::MinimumFOp::create(b, value, limit).getResult();
  }
  value = createRounded(b, value, isX86);
  if (getElementTypeOrSelf(op.getType()).getIntOrFloatBitWidth() < 32)
    value = arith::TruncIOp::create(b, op.getType(), value);
  if (code.added)
    value = arith::AddIOp::create(b, value,
                                  createNumber(b, op.getType(), code.added));
  op.replaceAllUsesWith(value);
  op.erase();
}

namespace {
struct LowerRounding : bquant::impl::LowerRoundingBase<LowerRounding> {
  void runOnOperation() override {
    auto target = getOperation()->getAttrOfType<LLVM::TargetAttr>(
        LLVM::LLVMDialect::getTargetAttrName());
    bool isX86 = target && llvm::Triple(target.getTriple().getValue()).isX86();
    SmallVector<std::pair<arith::FPToSIOp, Code>> codes;
    getOperation()->walk([&](arith::FPToSIOp op) {
      if (getElementTypeOrSelf(op.getType()).getIntOrFloatBitWidth() > 32)
        return;
      if (std::optional<Code> code = findCode(op))
        codes.emplace_back(op, std::move(*code));
    });
    for (auto &[op, code] : codes)
      convert(op, code, isX86);
  }
};
} // namespace
