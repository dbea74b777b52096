//===- NarrowVectors.cpp - Vectors of integers of 8 or 16 bits ------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What outgrows 8 bits goes on in 16, and what outgrows these in 32. A
// threshold may be any i32. It is brought near what the other side can be, one
// step further where the predicate is not strict: vectors have no instruction
// for such. Then it goes backwards through what was done to the other side,
// which is not needed any more: in front of the loop, where it does not change.
//
//   %d = arith.subi %c9, %twice : vector<64xi32>    // of 0 to 9 in i8
//   %q = arith.cmpi sle, %t, %d : vector<64xi32>
//   ->
//   %least = (%t, at least -10, at most 10) - 1
//   %most = arith.trunci (9 - %least, half, rounded up)
//   %q = arith.cmpi slt, %count, %most : vector<64xi8>
//
//===----------------------------------------------------------------------===//

#include "NarrowVectors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

static unsigned getWidth(Value vector) {
  return getElementTypeOrSelf(vector).getIntOrFloatBitWidth();
}

static Value createSplat(OpBuilder &b, Location loc, VectorType type,
                         int64_t value) {
  Attribute element = b.getIntegerAttr(type.getElementType(), value);
  return arith::ConstantOp::create(b, loc,
                                   DenseElementsAttr::get(type, element));
}

/// The one number that all elements are.
static std::optional<int64_t> getSplat(Value value) {
  if (APInt number; matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  if (auto broadcast = value.getDefiningOp<vector::BroadcastOp>())
    return getSplat(broadcast.getSource());
  return std::nullopt;
}

/// The same numbers in `width` bits.
static Value extend(OpBuilder &b, Value vector, unsigned width) {
  if (getWidth(vector) == width)
    return vector;
  Type type = cast<VectorType>(vector.getType()).clone(b.getIntegerType(width));
  return arith::ExtSIOp::create(b, vector.getLoc(), type, vector);
}

/// `numbers` from their base, modulo a power of two that they fit: what is on
/// the way need not. Null where they do not fit.
static Value emitLinear(OpBuilder &b, Location loc, Value base,
                        const LinearIntegers &numbers) {
  unsigned width = findWidth(getWidth(base), numbers.range);
  if (width == 0)
    return nullptr;
  Value value = extend(b, base, width);
  auto type = cast<VectorType>(value.getType());
  auto splat = [&](int64_t number) {
    return createSplat(b, loc, type, llvm::SignExtend64(number, width));
  };
  if (int64_t factor = std::abs(numbers.factor); factor > 1)
    value = arith::ShLIOp::create(b, loc, value,
                                  splat(llvm::Log2_64(uint64_t(factor))));
  if (numbers.factor < 0)
    return arith::SubIOp::create(b, loc, splat(numbers.offset), value);
  if (numbers.offset != 0)
    value = arith::AddIOp::create(b, loc, value, splat(numbers.offset));
  return value;
}

Value NarrowVectors::widen(OpBuilder &b, Value vector, IntegerRange range) {
  return add(b, {vector, vector, {range, range}});
}

Value NarrowVectors::add(OpBuilder &b, const NarrowVector &vector) {
  auto type = cast<VectorType>(vector.value.getType());
  Value wide = arith::ExtSIOp::create(b, vector.value.getLoc(),
                                      type.clone(b.getI32Type()), vector.value);
  vectors[wide] = vector;
  return wide;
}

Value NarrowVectors::emit(OpBuilder &b, Operation *op, ValueRange operands) {
  if (operands.size() != 2 ||
      (!vectors.contains(operands[0]) && !vectors.contains(operands[1])))
    return nullptr;
  return isa<arith::CmpIOp>(op) ? emitComparison(b, op, operands)
                                : emitArithmetic(b, op, operands);
}

Value NarrowVectors::emitArithmetic(OpBuilder &b, Operation *op,
                                    ValueRange operands) {
  std::array<NarrowVector, 2> sides;
  for (auto [side, operand] : llvm::zip_equal(sides, operands)) {
    if (auto it = vectors.find(operand); it != vectors.end())
      side = it->second;
    else if (std::optional<int64_t> splat = getSplat(operand))
      side.numbers = {{*splat, *splat}, /*base=*/{}, /*factor=*/0, *splat};
    else
      return nullptr;
  }
  const auto &[left, right] = sides;
  std::optional<LinearIntegers> numbers;
  if (isa<arith::AddIOp>(op))
    numbers = left.numbers + right.numbers;
  else if (isa<arith::SubIOp>(op))
    numbers = left.numbers + -right.numbers;
  else if (isa<arith::ShLIOp>(op))
    numbers = shiftLeft(left.numbers, right.numbers);
  if (!numbers)
    return nullptr;
  Location loc = op->getLoc();
  if (!left.value || !right.value) {
    Value base = left.value ? left.base : right.base;
    Value value = emitLinear(b, loc, base, *numbers);
    return value ? add(b, {value, base, *numbers}) : Value();
  }
  unsigned width = findWidth(
      std::max(getWidth(left.value), getWidth(right.value)), numbers->range);
  if (width == 0)
    return nullptr;
  OperationState state(loc, op->getName());
  state.addOperands(
      {extend(b, left.value, width), extend(b, right.value, width)});
  state.addTypes(state.operands.front().getType());
  return widen(b, b.create(state)->getResult(0), numbers->range);
}

Value NarrowVectors::emitComparison(OpBuilder &b, Operation *op,
                                    ValueRange operands) {
  using Predicate = arith::CmpIPredicate;
  Location loc = op->getLoc();
  Predicate predicate = cast<arith::CmpIOp>(op).getPredicate();
  bool less = predicate == Predicate::slt || predicate == Predicate::sle;
  bool strict = predicate == Predicate::slt || predicate == Predicate::sgt;
  if (!less && !strict && predicate != Predicate::sge)
    return nullptr;
  Value narrow = operands[0], limit = operands[1];
  if (!vectors.contains(narrow)) {
    std::swap(narrow, limit);
    less = !less;
  }
  const NarrowVector &vector = vectors.at(narrow);
  // No limit beyond the vector's numbers becomes one of them.
  unsigned width = findWidth(getWidth(vector.base), vector.numbers.base,
                             /*spare=*/2);
  if (width == 0)
    return nullptr;
  BaseComparison comparison = compareBase(vector.numbers, less, strict);
  auto wide = cast<VectorType>(limit.getType());
  auto splat = [&](int64_t value) { return createSplat(b, loc, wide, value); };
  limit = arith::MaxSIOp::create(b, loc, limit, splat(comparison.clamp.min));
  limit = arith::MinSIOp::create(b, loc, limit, splat(comparison.clamp.max));
  Value addend = splat(comparison.addend);
  limit = comparison.turns
              ? arith::SubIOp::create(b, loc, addend, limit).getResult()
              : arith::AddIOp::create(b, loc, limit, addend).getResult();
  limit = arith::ShRSIOp::create(b, loc, limit, splat(comparison.shift));
  limit = arith::TruncIOp::create(b, loc, wide.clone(b.getIntegerType(width)),
                                  limit);
  return arith::CmpIOp::create(
      b, loc, comparison.less ? Predicate::slt : Predicate::sgt,
      extend(b, vector.base, width), limit);
}
