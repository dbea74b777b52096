//===- NarrowIntegers.cpp - Integers of 16 bits in vectors ----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A threshold may be any i32. It is brought into 16 bits, behind all that the
// other side can be, and one step further where the predicate is not strict:
// vectors have no instruction for such.
//
//   %d = arith.subi %c576, %twice : vector<64xi32>    // -576 to 576
//   %q = arith.cmpi sle, %t, %d : vector<64xi32>
//   ->
//   %d = arith.subi %c576, %twice : vector<64xi16>
//   %least = arith.trunci (%t, at least -32767, at most 32767) - 1
//   %q = arith.cmpi sgt, %d, %least : vector<64xi16>
//
//===----------------------------------------------------------------------===//

#include "NarrowIntegers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace bquant;

static constexpr int64_t kMin = std::numeric_limits<int16_t>::min(),
                         kMax = std::numeric_limits<int16_t>::max();

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

Value NarrowIntegers::widen(OpBuilder &b, NarrowVector vector) {
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
  std::array<NarrowVector, 2> sides;
  for (auto [side, operand] : llvm::zip_equal(sides, operands)) {
    auto it = vectors.find(operand);
    std::optional<int64_t> splat = getSplat(operand);
    if (it == vectors.end() && (!splat || *splat < kMin || *splat > kMax))
      return nullptr;
    side = it != vectors.end() ? it->second
                               : NarrowVector{nullptr, *splat, *splat};
  }
  auto [left, right] = sides;
  NarrowVector result{nullptr, left.min + right.min, left.max + right.max};
  if (isa<arith::SubIOp>(op)) {
    result.min = left.min - right.max;
    result.max = left.max - right.min;
  } else if (isa<arith::ShLIOp>(op)) {
    if (right.min != right.max || right.min < 0 || right.min > 15)
      return nullptr;
    result.min = left.min * (int64_t(1) << right.min);
    result.max = left.max * (int64_t(1) << right.min);
  }
  if (result.min < kMin || result.max > kMax)
    return nullptr;
  auto type = cast<VectorType>(operands[0].getType()).clone(b.getI16Type());
  SmallVector<Value> values;
  for (const NarrowVector &side : sides)
    values.push_back(side.value ? side.value
                                : createSplat(b, op->getLoc(), type, side.min));
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(values);
  state.addTypes(type);
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
  const NarrowVector &vector = vectors.at(narrow);
  // No limit beyond the vector's numbers becomes one of them.
  if (vector.min <= kMin + 1 || vector.max >= kMax - 1)
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
  Value least = createSplat(b, loc, wide, kMin + 1),
        most = createSplat(b, loc, wide, kMax - 1);
  limit = arith::MaxSIOp::create(b, loc, limit, least);
  limit = arith::MinSIOp::create(b, loc, limit, most);
  if (step != 0)
    limit =
        arith::AddIOp::create(b, loc, limit, createSplat(b, loc, wide, step));
  limit = arith::TruncIOp::create(b, loc, wide.clone(b.getI16Type()), limit);
  return arith::CmpIOp::create(b, loc, predicate, vector.value, limit);
}
