//===- BoundCodes.cpp - Zero points and bounds as integers ----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A code is a rounded number with a zero point added, within bounds. Where
// i32 holds whatever is rounded, all that follows is done in integers: vectors
// are narrowed within bounds by one instruction. Else the bounds come first:
// rounding keeps the order and does not move integers. Upstream's arith has no
// such patterns, since a number that no integer holds has no result.
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/FloatBounds.h"
#include "bquant/Dialect/Packed/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>

namespace bquant {
#define GEN_PASS_DEF_BOUNDCODES
#include "bquant/Dialect/Packed/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

/// Floats have all integers and sums up to these.
static constexpr int64_t kMostExact = 1 << 20;

/// What a number may be so that i32 has it and what is added to it.
static constexpr float kMostRounded = 2147483647.0f - 4.0f * kMostExact;

/// The integer that a float is.
static std::optional<int64_t> getInteger(Value value) {
  APFloat number(0.0f);
  if (!matchPattern(value, m_ConstantFloat(&number)) || !number.isInteger())
    return std::nullopt;
  double integer = number.convertToDouble();
  if (std::abs(integer) > kMostExact)
    return std::nullopt;
  return int64_t(integer);
}

static bool isLowerBound(Operation *op) {
  return isa<arith::MaximumFOp, arith::MaxNumFOp>(op);
}

static bool isBound(Operation *op) {
  return isLowerBound(op) || isa<arith::MinimumFOp, arith::MinNumFOp>(op);
}

namespace {
/// A number, rounded, with an integer added, within bounds, and moved: of codes
/// without a sign, less 128.
struct Code {
  math::RoundEvenOp rounded;
  int64_t added = 0, moved = 0;
  /// From the last one on.
  SmallVector<Operation *> bounds;
};
} // namespace

static std::optional<Code> findCode(arith::FPToSIOp op) {
  Code code;
  Value value = op.getIn();
  if (auto move = value.getDefiningOp<arith::SubFOp>()) {
    std::optional<int64_t> number = getInteger(move.getRhs());
    if (!number)
      return std::nullopt;
    code.moved = -*number;
    value = move.getLhs();
  }
  bool below = false, above = false;
  for (Operation *bound = value.getDefiningOp(); bound && isBound(bound);
       bound = value.getDefiningOp()) {
    if (!getInteger(bound->getOperand(1)))
      return std::nullopt;
    (isLowerBound(bound) ? below : above) = true;
    code.bounds.push_back(bound);
    value = bound->getOperand(0);
  }
  if (auto add = value.getDefiningOp<arith::AddFOp>()) {
    std::optional<int64_t> added = getInteger(add.getRhs());
    if (!added)
      return std::nullopt;
    code.added = *added;
    value = add.getLhs();
  }
  code.rounded = value.getDefiningOp<math::RoundEvenOp>();
  // Beyond both bounds no sum matters that is rounded.
  if (!code.rounded || !value.getType().isF32() || !below || !above ||
      op.getType().getIntOrFloatBitWidth() > 32)
    return std::nullopt;
  return code;
}

static Value createInteger(ImplicitLocOpBuilder &b, Type type, int64_t value) {
  return arith::ConstantOp::create(b, b.getIntegerAttr(type, value));
}

static Value truncate(ImplicitLocOpBuilder &b, Type type, Value value) {
  return type == value.getType() ? value
                                 : arith::TruncIOp::create(b, type, value);
}

/// Rounded to an i32.
static Value createRounded(ImplicitLocOpBuilder &b, Value number) {
  return arith::FPToSIOp::create(b, b.getI32Type(),
                                 math::RoundEvenOp::create(b, number));
}

static Value boundIntegers(ImplicitLocOpBuilder &b, const Code &code,
                           Value number, Type type) {
  Type i32 = b.getI32Type();
  Value value = createRounded(b, number);
  if (int64_t added = code.added + code.moved)
    value = arith::AddIOp::create(b, value, createInteger(b, i32, added),
                                  arith::IntegerOverflowFlags::nsw);
  for (Operation *bound : llvm::reverse(code.bounds)) {
    Value limit =
        createInteger(b, i32, *getInteger(bound->getOperand(1)) + code.moved);
    value = isLowerBound(bound)
                ? arith::MaxSIOp::create(b, value, limit).getResult()
                : arith::MinSIOp::create(b, value, limit).getResult();
  }
  return truncate(b, type, value);
}

static Value boundNumber(ImplicitLocOpBuilder &b, const Code &code,
                         Value number, Type type) {
  for (Operation *bound : llvm::reverse(code.bounds)) {
    double limit = *getInteger(bound->getOperand(1)) - code.added;
    Value constant =
        arith::ConstantOp::create(b, b.getF32FloatAttr(float(limit)));
    Operation *moved = b.clone(*bound);
    moved->setOperands({number, constant});
    number = moved->getResult(0);
  }
  Value value = truncate(b, type, createRounded(b, number));
  int64_t added = code.added + code.moved;
  if (!added)
    return value;
  return arith::AddIOp::create(b, value, createInteger(b, type, added));
}

namespace {
struct BoundCodes : bquant::impl::BoundCodesBase<BoundCodes> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<std::pair<arith::FPToSIOp, Code>> codes;
    getOperation().walk([&](arith::FPToSIOp op) {
      if (!isa<linalg::GenericOp>(op->getParentOp()))
        return;
      if (std::optional<Code> code = findCode(op))
        codes.emplace_back(op, std::move(*code));
    });
    FloatBoundsFinder finder;
    for (auto &[op, code] : codes) {
      rewriter.setInsertionPoint(op);
      ImplicitLocOpBuilder b(op.getLoc(), rewriter);
      Value number = code.rounded.getOperand();
      std::optional<FloatBounds> bounds = finder.find(number);
      bool fits = bounds && bounds->low >= -kMostRounded &&
                  bounds->high <= kMostRounded;
      Value value = fits ? boundIntegers(b, code, number, op.getType())
                         : boundNumber(b, code, number, op.getType());
      Operation *dead = op.getIn().getDefiningOp();
      rewriter.replaceOp(op, value);
      while (dead && isOpTriviallyDead(dead)) {
        Operation *next = dead->getOperand(0).getDefiningOp();
        rewriter.eraseOp(dead);
        dead = next;
      }
    }
  }
};
} // namespace
