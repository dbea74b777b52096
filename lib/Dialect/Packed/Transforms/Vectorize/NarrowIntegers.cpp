//===- NarrowIntegers.cpp - Integers of 8 or 16 bits in vectors -----------===//
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
// which nobody needs any more: in front of the loop, where it does not change.
//
//   %d = arith.subi %c9, %twice : vector<64xi32>    // of 0 to 9 in i8
//   %q = arith.cmpi sle, %t, %d : vector<64xi32>
//   ->
//   %least = (%t, at least -10, at most 10) - 1
//   %most = arith.trunci (9 - %least, half, rounded up)
//   %q = arith.cmpi slt, %count, %most : vector<64xi8>
//
//===----------------------------------------------------------------------===//

#include "NarrowIntegers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

static constexpr unsigned kWidths[] = {8, 16};

/// The fewest bits, at least `width`, that hold all from `min` to `max`, and
/// `spare` numbers behind each end; 0 if 16 are not enough.
static unsigned findWidth(unsigned width, int64_t min, int64_t max,
                          int64_t spare) {
  for (unsigned bits : kWidths)
    if (bits >= width && min - spare >= llvm::minIntN(bits) &&
        max + spare <= llvm::maxIntN(bits))
      return bits;
  return 0;
}

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

/// The numbers from its base, modulo a power of two that they fit: what is on
/// the way need not. Null where they do not fit.
static Value emitLinear(OpBuilder &b, Location loc,
                        const LinearVector &vector) {
  unsigned width = findWidth(getWidth(vector.base.value), vector.min,
                             vector.max, /*spare=*/0);
  if (width == 0)
    return nullptr;
  Value value = extend(b, vector.base.value, width);
  auto type = cast<VectorType>(value.getType());
  auto splat = [&](int64_t number) {
    return createSplat(b, loc, type, llvm::SignExtend64(number, width));
  };
  if (int64_t factor = std::abs(vector.factor); factor > 1)
    value = arith::ShLIOp::create(b, loc, value,
                                  splat(llvm::Log2_64(uint64_t(factor))));
  if (vector.factor < 0)
    return arith::SubIOp::create(b, loc, splat(vector.offset), value);
  if (vector.offset != 0)
    value = arith::AddIOp::create(b, loc, value, splat(vector.offset));
  return value;
}

Value NarrowIntegers::widen(OpBuilder &b, NarrowVector vector) {
  return add(b, {vector, vector});
}

Value NarrowIntegers::add(OpBuilder &b, const LinearVector &vector) {
  auto type = cast<VectorType>(vector.value.getType());
  Value wide = arith::ExtSIOp::create(b, vector.value.getLoc(),
                                      type.clone(b.getI32Type()), vector.value);
  vectors[wide] = vector;
  return wide;
}

Value NarrowIntegers::emit(OpBuilder &b, Operation *op, ValueRange operands) {
  if (operands.size() != 2 ||
      (!vectors.contains(operands[0]) && !vectors.contains(operands[1])))
    return nullptr;
  return isa<arith::CmpIOp>(op) ? emitComparison(b, op, operands)
                                : emitArithmetic(b, op, operands);
}

Value NarrowIntegers::emitArithmetic(OpBuilder &b, Operation *op,
                                     ValueRange operands) {
  if (!isa<arith::AddIOp, arith::SubIOp, arith::ShLIOp>(op))
    return nullptr;
  std::array<LinearVector, 2> sides;
  for (auto [side, operand] : llvm::zip_equal(sides, operands)) {
    auto it = vectors.find(operand);
    std::optional<int64_t> splat = getSplat(operand);
    if (it == vectors.end() && !splat)
      return nullptr;
    if (it != vectors.end())
      side = it->second;
    else
      side.min = side.max = side.offset = *splat;
  }
  auto [left, right] = sides;
  LinearVector result = left.value ? left : right;
  result.min = left.min + right.min;
  result.max = left.max + right.max;
  result.offset = left.offset + right.offset;
  if (isa<arith::SubIOp>(op)) {
    result.min = left.min - right.max;
    result.max = left.max - right.min;
    result.offset = left.offset - right.offset;
    result.factor *= left.value ? 1 : -1;
  } else if (isa<arith::ShLIOp>(op)) {
    if (right.value || right.min < 0 || right.min > 15)
      return nullptr;
    int64_t factor = int64_t(1) << right.min;
    result.min = left.min * factor;
    result.max = left.max * factor;
    result.offset = left.offset * factor;
    result.factor *= factor;
  }
  Location loc = op->getLoc();
  if (!left.value || !right.value) {
    result.value = emitLinear(b, loc, result);
    return result.value ? add(b, result) : Value();
  }
  unsigned width =
      findWidth(std::max(getWidth(left.value), getWidth(right.value)),
                result.min, result.max, /*spare=*/0);
  if (width == 0 || isa<arith::ShLIOp>(op))
    return nullptr;
  OperationState state(loc, op->getName());
  state.addOperands(
      {extend(b, left.value, width), extend(b, right.value, width)});
  state.addTypes(state.operands.front().getType());
  result.value = b.create(state)->getResult(0);
  return widen(b, result);
}

Value NarrowIntegers::emitComparison(OpBuilder &b, Operation *op,
                                     ValueRange operands) {
  using Predicate = arith::CmpIPredicate;
  Location loc = op->getLoc();
  Predicate predicate = cast<arith::CmpIOp>(op).getPredicate();
  Value narrow = operands[0], limit = operands[1];
  if (!vectors.contains(narrow)) {
    std::swap(narrow, limit);
    switch (predicate) {
    case Predicate::slt:
      predicate = Predicate::sgt;
      break;
    case Predicate::sle:
      predicate = Predicate::sge;
      break;
    case Predicate::sgt:
      predicate = Predicate::slt;
      break;
    case Predicate::sge:
      predicate = Predicate::sle;
      break;
    default:
      break;
    }
  }
  const LinearVector &vector = vectors.at(narrow);
  const NarrowVector &base = vector.base;
  // No limit beyond the vector's numbers becomes one of them.
  unsigned width = findWidth(getWidth(base.value), base.min, base.max,
                             /*spare=*/2);
  if (width == 0)
    return nullptr;
  int64_t step = 0;
  switch (predicate) {
  case Predicate::slt:
  case Predicate::sgt:
    break;
  case Predicate::sge:
    predicate = Predicate::sgt;
    step = -1;
    break;
  case Predicate::sle:
    predicate = Predicate::slt;
    step = 1;
    break;
  default:
    return nullptr;
  }
  auto wide = cast<VectorType>(limit.getType());
  auto splat = [&](int64_t value) { return createSplat(b, loc, wide, value); };
  limit = arith::MaxSIOp::create(b, loc, limit, splat(vector.min - 1));
  limit = arith::MinSIOp::create(b, loc, limit, splat(vector.max + 1));
  // Of factor * base: behind the offset, and of a factor that turns the order.
  bool turns = vector.factor < 0;
  if (turns)
    predicate = predicate == Predicate::sgt ? Predicate::slt : Predicate::sgt;
  int64_t factor = std::abs(vector.factor);
  // Of base: rounded down, and up where it is to be less.
  int64_t round = predicate == Predicate::slt ? factor - 1 : 0;
  int64_t by = step - vector.offset;
  limit =
      turns
          ? arith::SubIOp::create(b, loc, splat(round - by), limit).getResult()
          : arith::AddIOp::create(b, loc, limit, splat(round + by)).getResult();
  limit = arith::ShRSIOp::create(b, loc, limit,
                                 splat(llvm::Log2_64(uint64_t(factor))));
  limit = arith::TruncIOp::create(b, loc, wide.clone(b.getIntegerType(width)),
                                  limit);
  return arith::CmpIOp::create(b, loc, predicate, extend(b, base.value, width),
                               limit);
}
