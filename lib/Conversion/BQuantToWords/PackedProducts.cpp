//===- PackedProducts.cpp - Dot products of packed words ------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedProducts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace bquant;

SmallVector<PlaneOperand>
bquant::getPlaneOperands(const LoweredValue &lowered) {
  SBTensorType type = lowered.type;
  if (isMasked(type))
    return {PlaneOperand{lowered.planes[1], lowered.planes[0], Value(),
                         /*factor=*/2, 0}};
  SmallVector<PlaneOperand> operands;
  for (auto [i, plane] : llvm::enumerate(lowered.planes))
    operands.push_back({plane, Value(), Value(),
                        type.hasRatios() ? type.getRatios()[i] : 1,
                        type.hasRatios() ? 0 : int64_t(i)});
  return operands;
}

/// popcount(mask) in each window of the activations; in that of each group
/// where there are some.
static Value createMaskCount(ImplicitLocOpBuilder &b, const ProductLoops &loops,
                             Value mask) {
  // The same loops without those of the rhs. The window's sizes come from
  // an unused input.
  SmallVector<OpFoldResult> sizes;
  for (int64_t loop : loops.lhsLoops)
    sizes.push_back(loops.sizes[loop]);
  if (loops.groups.block)
    sizes.push_back(b.getIndexAttr(
        *getConstantIntValue(loops.sizes[loops.rhsLoops.back()]) /
        loops.groups.block));
  int64_t kept = sizes.size(), reductions = loops.window.size() + 1;
  SmallVector<AffineExpr> dims(loops.sizes.size() + reductions);
  for (auto [i, loop] : llvm::enumerate(loops.lhsLoops))
    dims[loop] = b.getAffineDimExpr(i);
  for (int64_t i = 0; i < reductions; ++i)
    dims[loops.sizes.size() + i] = b.getAffineDimExpr(kept + i);
  // Loops of the rhs do not occur in the map, but for the groups.
  for (AffineExpr &dim : dims)
    if (!dim)
      dim = loops.groups.block
                ? b.getAffineDimExpr(loops.lhsLoops.size()) * loops.groups.block
                : b.getAffineConstantExpr(0);
  Inputs inputs;
  inputs.add(mask,
             loops.lhs.replaceDimsAndSymbols(dims, {}, kept + reductions, 0));
  SmallVector<int64_t> window(loops.window);
  if (loops.groups.block)
    window.push_back(loops.groups.words);
  if (!window.empty()) {
    SmallVector<int64_t> windowLoops =
        llvm::to_vector(llvm::seq<int64_t>(kept, kept + window.size()));
    inputs.add(tensor::EmptyOp::create(b, window, b.getI32Type()),
               getLoopMap(b.getContext(), kept + reductions, windowLoops));
  }
  return createReduction(b, sizes, reductions, b.getI32Type(), inputs,
                         [](OpBuilder &b, Location loc, ValueRange args) {
                           Value count =
                               math::CtPopOp::create(b, loc, args.front());
                           return SmallVector<Value>{arith::AddIOp::create(
                               b, loc, args.back(), count)};
                         })
      .front();
}

/// From the loops of the result to what `createMaskCount` counts.
static AffineMap getWindowMap(ImplicitLocOpBuilder &b,
                              const ProductLoops &loops) {
  int64_t rank = loops.sizes.size();
  AffineMap map = getLoopMap(b.getContext(), rank, loops.lhsLoops);
  if (!loops.groups.block)
    return map;
  AffineExpr filter = b.getAffineDimExpr(loops.rhsLoops.back());
  return map.insertResult(filter.floorDiv(loops.groups.block),
                          map.getNumResults());
}

/// Whether the mask of a pair is counted together with it.
static bool countsMask(const ProductLoops &loops, const PlaneOperand &x,
                       const PlaneOperand &y) {
  return x.mask && (y.mask || y.groupMask || loops.bytes);
}

/// One generic for all pairs of planes: their popcounts, lhs outer; then, for
/// the pairs of two masks, the popcounts of these. Bytes count in bytes as long
/// as they can.
static SmallVector<Value> createCounts(ImplicitLocOpBuilder &b,
                                       const ProductLoops &loops,
                                       const PackedOperands &operands) {
  struct Handles {
    Inputs::Handle sign, mask, groupMask;
  };
  Inputs inputs;
  AffineMap filters = getLoopMap(b.getContext(), loops.lhs.getNumDims(),
                                 {loops.rhsLoops.back()});
  auto add = [&](ArrayRef<PlaneOperand> planes, AffineMap map) {
    SmallVector<Handles> handles(planes.size());
    for (auto [handle, plane] : llvm::zip_equal(handles, planes)) {
      handle.sign = inputs.add(plane.sign, map);
      if (plane.mask)
        handle.mask = inputs.add(plane.mask, map);
      if (plane.groupMask)
        handle.groupMask = inputs.add(plane.groupMask, filters);
    }
    return handles;
  };
  SmallVector<Handles> lhs = add(operands.lhs, loops.lhs);
  SmallVector<Handles> rhs = add(operands.rhs, loops.rhs);
  size_t pairs = lhs.size() * rhs.size(), masked = 0;
  for (const PlaneOperand &x : operands.lhs)
    for (const PlaneOperand &y : operands.rhs)
      masked += countsMask(loops, x, y);

  bool narrow = loops.bytes && loops.bits < 256;
  Type type = narrow ? b.getI8Type() : b.getI32Type();
  SmallVector<Type> elements(pairs + masked, type);
  return createReduction(
      b, loops.sizes, loops.window.size() + !loops.bytes, elements, inputs,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        SmallVector<Value> sums(args.take_back(pairs + masked));
        auto accumulate = [&](Value &sum, Value word) {
          Value count = word;
          if (!loops.bytes)
            count = math::CtPopOp::create(b, loc, word);
          else if (!narrow)
            count = arith::ExtUIOp::create(b, loc, type, word);
          sum = arith::AddIOp::create(b, loc, sum, count);
        };
        size_t pair = 0, both = pairs;
        for (auto [x, i] : llvm::zip_equal(operands.lhs, lhs))
          for (auto [y, j] : llvm::zip_equal(operands.rhs, rhs)) {
            Value word = arith::XOrIOp::create(b, loc, i.sign.get(b, loc, args),
                                               j.sign.get(b, loc, args));
            Value mask;
            if (x.mask)
              mask = i.mask.get(b, loc, args);
            if (y.mask || y.groupMask) {
              Value other = (y.mask ? j.mask : j.groupMask).get(b, loc, args);
              mask =
                  mask ? arith::AndIOp::create(b, loc, mask, other).getResult()
                       : other;
            }
            if (mask)
              word = arith::AndIOp::create(b, loc, word, mask);
            accumulate(sums[pair++], word);
            if (countsMask(loops, x, y))
              accumulate(sums[both++], mask);
          }
        return sums;
      });
}

SmallVector<Value> bquant::createDots(ImplicitLocOpBuilder &b,
                                      const ProductLoops &loops,
                                      const PackedOperands &operands) {
  int64_t rank = loops.sizes.size();
  AffineMap all = b.getMultiDimIdentityMap(rank);
  SmallVector<Value> counts = createCounts(b, loops, operands);
  size_t pairs = operands.lhs.size() * operands.rhs.size();

  // dot = base - 2 count, base a number, or along one side, or all loops.
  struct Pair {
    Inputs::Handle count;
    std::optional<Inputs::Handle> base, added;
    int64_t factor, scalar;
  };
  Inputs inputs;
  SmallVector<Pair> dots;
  for (size_t i = 0; i < pairs; ++i)
    dots.emplace_back().count = inputs.add(counts[i], all);
  SmallVector<std::optional<Inputs::Handle>> maskCounts(operands.lhs.size());
  size_t n = 0, both = pairs;
  for (auto [i, x] : llvm::enumerate(operands.lhs))
    for (auto [j, y] : llvm::enumerate(operands.rhs)) {
      Pair &pair = dots[n++];
      pair.factor = x.factor * y.factor;
      pair.scalar = x.scalar * operands.rhsScalars + y.scalar;
      AffineMap alongRhs = getLoopMap(b.getContext(), rank, loops.rhsLoops);
      Value added = operands.added.empty() ? Value() : operands.added[j];
      if (countsMask(loops, x, y)) {
        pair.base = inputs.add(counts[both++], all);
      } else if (x.mask) {
        if (!maskCounts[i])
          maskCounts[i] = inputs.add(createMaskCount(b, loops, x.mask),
                                     getWindowMap(b, loops));
        pair.base = maskCounts[i];
      } else if (y.mask) {
        Value base = operands.rhsMaskCounts[j];
        if (added)
          base = createLinear(b, 0, {{1, base}, {1, added}});
        pair.base = inputs.add(base, alongRhs);
      } else if (added) {
        pair.base =
            inputs.add(createLinear(b, loops.bits, {{1, added}}), alongRhs);
      }
    }

  SmallVector<Type> elements(operands.lhsScalars * operands.rhsScalars,
                             b.getI32Type());
  return createElementwise(
      b, loops.sizes, elements, inputs,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        SmallVector<Value> sums(elements.size());
        auto get = [&](Inputs::Handle handle) -> Value {
          Value count = handle.get(b, loc, args);
          return count.getType().isInteger(32)
                     ? count
                     : arith::ExtUIOp::create(b, loc, b.getI32Type(), count);
        };
        for (const Pair &pair : dots) {
          Value base =
              pair.base ? get(*pair.base) : createI32(b, loc, loops.bits);
          Value twice = arith::ShLIOp::create(b, loc, get(pair.count),
                                              createI32(b, loc, 1));
          Value dot = arith::SubIOp::create(b, loc, base, twice);
          if (pair.factor != 1)
            dot = arith::MulIOp::create(b, loc, dot,
                                        createI32(b, loc, pair.factor));
          Value &sum = sums[pair.scalar];
          sum = sum ? arith::AddIOp::create(b, loc, sum, dot).getResult() : dot;
        }
        return sums;
      });
}

Value bquant::createResult(ImplicitLocOpBuilder &b, RankedTensorType type,
                           ArrayRef<OpFoldResult> sizes, ArrayRef<Value> dots,
                           const LoweredValue &lhs, const LoweredValue &rhs,
                           const BroadcastTensor *start) {
  if (type.getElementType().isInteger(32))
    return dots.front();
  Scalars lhsScalars = getLhsScalars(lhs);
  return createScale(b, sizes, dots, &lhsScalars,
                     getRhsScalars(rhs, type.getRank()), start);
}
