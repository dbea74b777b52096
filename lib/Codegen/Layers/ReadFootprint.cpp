//===- ReadFootprint.cpp - What operations do to buffers ------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   scf.forall (%i) in (6) {
//     %row = memref.subview %image[0, %i + 1, 1, 0] [1, 1, 6, 64]
//     vector.transfer_write %v, %row[%c0, %c0, %j, %c0] // j from 0 to 5
//
// writes [0, 1) x [1, 7) x [1, 7) x [0, 64) of %image. A box of a view is moved
// to what is viewed, until that is a buffer of the function.
//
// Upstream compares two slices
// (ValueBoundsConstraintSet::areOverlappingSlices), but only by operands that
// both see, not of two layers.
//
//===----------------------------------------------------------------------===//

#include "ReadFootprint.h"
#include "bquant/Dialect/Packed/IR/Packed.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;
using packed::LayerOp;

namespace {
class FootprintReader {
public:
  /// `loop`: none if it is of all iterations.
  explicit FootprintReader(size_t mostBoxes, scf::ForallOp loop = {})
      : loop(loop), footprint(mostBoxes) {}

  Footprint read(ArrayRef<Operation *> ops);
  Footprint read(ArrayRef<int64_t> iteration);

private:
  void add(Operation *op);
  bool takesPart(Operation *op);
  /// `box` of `value`; without one, all of it.
  void add(Value value, std::optional<IndexBox> box, bool writes);
  /// What `box` of a subview is of its source.
  std::optional<IndexBox> moveToSource(memref::SubViewOp view,
                                       const IndexBox &box);
  /// The box that a memory operation touches of its only memref; nothing for
  /// one that says no indices.
  std::optional<IndexBox> getBox(Operation *op);
  /// The values that an index may have.
  std::optional<IndexRange> getRange(OpFoldResult index);
  /// The same of a value that is no constant, in an iteration. By intervals:
  /// upstream's ValueBoundsConstraintSet takes no values for given.
  std::optional<IndexRange> computeInIteration(Value value);

  scf::ForallOp loop;
  DenseMap<Value, std::optional<IndexRange>> ranges;
  Footprint footprint;
};
} // namespace

/// Whether `op` is told the number of an iteration, and touches what is its
/// own, as a step of a solver that is done part by part.
bool FootprintReader::takesPart(Operation *op) {
  return !isa<VectorTransferOpInterface, memref::LoadOp, memref::StoreOp>(op) &&
         op->getNumRegions() == 0 && !isPure(op) &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return llvm::is_contained(loop.getInductionVars(), operand);
         });
}

Footprint FootprintReader::read(ArrayRef<Operation *> ops) {
  for (Operation *root : ops)
    root->walk([&](Operation *op) { add(op); });
  return std::move(footprint);
}

Footprint FootprintReader::read(ArrayRef<int64_t> iteration) {
  for (auto [variable, value] :
       llvm::zip_equal(loop.getInductionVars(), iteration))
    ranges[variable] = IndexRange(value, value + 1);
  loop.walk([&](Operation *op) {
    if (op != loop && !takesPart(op))
      add(op);
  });
  return std::move(footprint);
}

/// Whether no other buffer reaches the same memory.
static bool isApart(BlockArgument argument) {
  auto func = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return func && func.getArgAttr(argument.getArgNumber(),
                                 LLVM::LLVMDialect::getNoAliasAttrName());
}

static bool isMemory(Type type) {
  return isa<BaseMemRefType, LLVM::LLVMPointerType>(type);
}

void FootprintReader::add(Operation *op) {
  auto effectsOf = dyn_cast<MemoryEffectOpInterface>(op);
  if (isa<LayerOp>(op))
    return; // What its body does.
  if (!effectsOf) {
    // An intrinsic of arithmetic has no word on memory, and none to reach it
    // by.
    bool isArithmetic = isa<LLVM::CallIntrinsicOp>(op) &&
                        llvm::none_of(op->getOperandTypes(), isMemory);
    if (!isArithmetic && !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
        !op->hasTrait<OpTrait::IsTerminator>())
      footprint.addUnknown();
    return;
  }
  SmallVector<MemoryEffects::EffectInstance> effects;
  effectsOf.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    if (isa<MemoryEffects::Allocate, MemoryEffects::Free>(effect.getEffect()))
      continue;
    if (Value value = effect.getValue(); value && isMemory(value.getType()))
      add(value, getBox(op), isa<MemoryEffects::Write>(effect.getEffect()));
    else
      footprint.addUnknown();
  }
}

std::optional<IndexRange> FootprintReader::getRange(OpFoldResult index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return IndexRange(*constant, *constant + 1);
  auto value = cast<Value>(index);
  if (auto it = ranges.find(value); it != ranges.end())
    return it->second;
  std::optional<IndexRange> range;
  if (loop) {
    range = computeInIteration(value);
  } else {
    auto compute = [&](presburger::BoundType type) {
      return ValueBoundsConstraintSet::computeConstantBound(type, value);
    };
    FailureOr<int64_t> first = compute(presburger::BoundType::LB);
    FailureOr<int64_t> end = compute(presburger::BoundType::UB);
    if (succeeded(first) && succeeded(end) && *first < *end)
      range = IndexRange(*first, *end);
  }
  return ranges[value] = range;
}

/// The values of `expr` of operands that have such.
static std::optional<IndexRange>
compute(AffineExpr expr, ArrayRef<IndexRange> operands, unsigned numDims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return IndexRange(constant.getValue(), constant.getValue() + 1);
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<IndexRange> a = compute(binary.getLHS(), operands, numDims),
                            b = compute(binary.getRHS(), operands, numDims);
  if (!a || !b)
    return std::nullopt;
  // Monotone in either operand: the bounds are at the corners.
  auto fromCorners = [&](auto apply) {
    SmallVector<int64_t> corners;
    for (int64_t left : {a->first, a->second - 1})
      for (int64_t right : {b->first, b->second - 1})
        corners.push_back(apply(left, right));
    return IndexRange(*llvm::min_element(corners),
                      *llvm::max_element(corners) + 1);
  };
  bool isPositive = b->first > 0;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return fromCorners([](int64_t x, int64_t y) { return x + y; });
  case AffineExprKind::Mul:
    return fromCorners([](int64_t x, int64_t y) { return x * y; });
  case AffineExprKind::FloorDiv:
    if (!isPositive)
      return std::nullopt;
    return fromCorners(
        [](int64_t x, int64_t y) { return llvm::divideFloorSigned(x, y); });
  case AffineExprKind::CeilDiv:
    if (!isPositive)
      return std::nullopt;
    return fromCorners(
        [](int64_t x, int64_t y) { return llvm::divideCeilSigned(x, y); });
  case AffineExprKind::Mod:
    if (!isPositive || b->second != b->first + 1)
      return std::nullopt;
    if (llvm::divideFloorSigned(a->first, b->first) ==
        llvm::divideFloorSigned(a->second - 1, b->first))
      return IndexRange(llvm::mod(a->first, b->first),
                        llvm::mod(a->second - 1, b->first) + 1);
    return IndexRange(0, b->first);
  default:
    return std::nullopt;
  }
}

std::optional<IndexRange> FootprintReader::computeInIteration(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto serial = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!serial || argument != serial.getInductionVar())
      return std::nullopt;
    std::optional<IndexRange> first = getRange(serial.getLowerBound()),
                              end = getRange(serial.getUpperBound());
    if (!first || !end || first->first >= end->second - 1)
      return std::nullopt;
    return IndexRange(first->first, end->second - 1);
  }
  Operation *op = value.getDefiningOp();
  SmallVector<IndexRange> operands;
  for (Value operand : op->getOperands()) {
    std::optional<IndexRange> range = getRange(operand);
    if (!range)
      return std::nullopt;
    operands.push_back(*range);
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return compute(apply.getMap().getResult(0), operands,
                   apply.getMap().getNumDims());
  if (isa<affine::AffineMinOp, affine::AffineMaxOp>(op)) {
    bool isMin = isa<affine::AffineMinOp>(op);
    AffineMap map = isMin ? cast<affine::AffineMinOp>(op).getMap()
                          : cast<affine::AffineMaxOp>(op).getMap();
    std::optional<IndexRange> range;
    for (AffineExpr expr : map.getResults()) {
      std::optional<IndexRange> next =
          compute(expr, operands, map.getNumDims());
      if (!next)
        return std::nullopt;
      auto choose = [&](int64_t a, int64_t b) {
        return isMin ? std::min(a, b) : std::max(a, b);
      };
      range = !range ? *next
                     : IndexRange(choose(range->first, next->first),
                                  choose(range->second, next->second));
    }
    return range;
  }
  AffineExpr x = getAffineDimExpr(0, op->getContext()),
             y = getAffineDimExpr(1, op->getContext());
  if (isa<arith::AddIOp>(op))
    return compute(x + y, operands, 2);
  if (isa<arith::SubIOp>(op))
    return compute(x - y, operands, 2);
  if (isa<arith::MulIOp>(op))
    return compute(x * y, operands, 2);
  return std::nullopt;
}

std::optional<IndexBox> FootprintReader::getBox(Operation *op) {
  SmallVector<Value> indices;
  SmallVector<int64_t> sizes;
  if (auto transfer = dyn_cast<VectorTransferOpInterface>(op)) {
    indices.assign(transfer.getIndices().begin(), transfer.getIndices().end());
    sizes = transfer.getTransferChunkAccessed();
  } else if (auto load = dyn_cast<memref::LoadOp>(op)) {
    indices = load.getIndices();
    sizes.assign(indices.size(), 1);
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    indices = store.getIndices();
    sizes.assign(indices.size(), 1);
  } else {
    return std::nullopt;
  }
  IndexBox box;
  for (auto [index, size] : llvm::zip_equal(indices, sizes)) {
    std::optional<IndexRange> range = getRange(index);
    if (!range)
      return std::nullopt;
    box.push_back({range->first, range->second - 1 + size});
  }
  return box;
}

/// All indices of `type`.
static IndexBox getWhole(MemRefType type) {
  IndexBox box;
  for (int64_t size : type.getShape())
    box.push_back({0, size});
  return box;
}

std::optional<IndexBox> FootprintReader::moveToSource(memref::SubViewOp view,
                                                      const IndexBox &box) {
  llvm::SmallBitVector dropped = view.getDroppedDims();
  IndexBox result;
  size_t next = 0;
  for (int64_t d = 0; d < view.getSourceType().getRank(); ++d) {
    auto range = dropped[d] ? IndexRange(0, 1) : box[next++];
    auto offset = getRange(view.getMixedOffsets()[d]);
    std::optional<int64_t> stride =
        getConstantIntValue(view.getMixedStrides()[d]);
    if (!offset || !stride || *stride < 1)
      return std::nullopt;
    result.push_back({offset->first + range.first * *stride,
                      offset->second + (range.second - 1) * *stride});
  }
  return result;
}

/// Appends a box in `shape`, a row-major array, around the elements from
/// `first` to `end`.
static void appendBox(ArrayRef<int64_t> shape, int64_t first, int64_t end,
                      IndexBox &box) {
  if (llvm::is_contained(shape, 0)) {
    for (int64_t extent : shape)
      box.push_back({0, extent});
    return;
  }
  int64_t size = 1;
  for (int64_t extent : shape)
    size *= extent;
  bool same = true; // whether the dimensions before have one index
  for (int64_t extent : shape) {
    if (!same) {
      box.push_back({0, extent});
      continue;
    }
    size /= extent;
    int64_t low = first / size, high = (end - 1) / size;
    box.push_back({low, high + 1});
    same = low == high;
    first -= low * size;
    end -= low * size;
  }
}

/// The elements of a box of such dimensions, in that order.
static IndexRange flatten(ArrayRef<int64_t> shape,
                          ArrayRef<IndexRange> ranges) {
  int64_t first = 0, last = 0;
  for (auto [extent, range] : llvm::zip_equal(shape, ranges)) {
    first = first * extent + range.first;
    last = last * extent + range.second - 1;
  }
  return {first, last + 1};
}

void FootprintReader::add(Value value, std::optional<IndexBox> box,
                          bool writes) {
  bool isAnywhere = false; // in the buffer that the views are of
  while (true) {
    auto type = dyn_cast<MemRefType>(value.getType());
    if (!type || !type.hasStaticShape()) {
      footprint.addUnknown();
      return;
    }
    if (!box || isAnywhere)
      box = getWhole(type);
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation *owner = argument.getOwner()->getParentOp();
      if (auto layer = dyn_cast<LayerOp>(owner)) {
        value = layer.getOperandOf(argument).get();
        continue;
      }
      if (!isa<func::FuncOp>(owner)) // carried by a loop
        footprint.addUnknown();
      footprint.add(
          {value.getAsOpaquePointer(), isApart(argument), *box, writes});
      return;
    }
    Operation *op = value.getDefiningOp();
    if (isa<memref::AllocOp>(op)) {
      // In a loop that threads share each of them has one of its own.
      if (!op->getParentOfType<LayerOp>())
        footprint.add(
            {value.getAsOpaquePointer(), /*isApart=*/true, *box, writes});
      return;
    }
    if (auto view = dyn_cast<memref::SubViewOp>(op)) {
      box = moveToSource(view, *box);
      value = view.getSource();
    } else if (auto view = dyn_cast<memref::CollapseShapeOp>(op)) {
      IndexBox source;
      for (auto [group, range] :
           llvm::zip_equal(view.getReassociationIndices(), *box)) {
        ArrayRef<int64_t> shape =
            view.getSrcType().getShape().slice(group.front(), group.size());
        appendBox(shape, range.first, range.second, source);
      }
      box = source;
      value = view.getSrc();
    } else if (auto view = dyn_cast<memref::ExpandShapeOp>(op)) {
      IndexBox source;
      for (const ReassociationIndices &group : view.getReassociationIndices())
        source.push_back(
            flatten(type.getShape().slice(group.front(), group.size()),
                    ArrayRef(*box).slice(group.front(), group.size())));
      box = source;
      value = view.getSrc();
    } else if (auto view = dyn_cast<ViewLikeOpInterface>(op)) {
      // Another one may begin where the buffer does, as a reinterpret_cast.
      isAnywhere |= !isa<memref::CastOp>(op);
      box = std::nullopt;
      value = view.getViewSource();
    } else if (auto get = dyn_cast<memref::GetGlobalOp>(op)) {
      auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
          get, get.getNameAttr());
      if (!global || !global.getConstant())
        footprint.addUnknown();
      return;
    } else {
      footprint.addUnknown();
      return;
    }
  }
}

Footprint bquant::readFootprint(ArrayRef<Operation *> ops, size_t mostBoxes) {
  return FootprintReader(mostBoxes).read(ops);
}

Footprint bquant::readFootprint(scf::ForallOp loop,
                                ArrayRef<int64_t> iteration) {
  return FootprintReader(/*mostBoxes=*/0, loop).read(iteration);
}
