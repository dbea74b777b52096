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

SmallVector<Term> bquant::getTerms(const Parts &parts) {
  SBTensorType type = parts.type;
  if (isMasked(type))
    return {Term{parts.planes[1], parts.planes[0], Value(), /*factor=*/2, 0}};
  SmallVector<Term> terms;
  for (auto [i, plane] : llvm::enumerate(parts.planes))
    terms.push_back({plane, Value(), Value(),
                     type.hasRatios() ? type.getRatios()[i] : 1,
                     type.hasRatios() ? 0 : int64_t(i)});
  return terms;
}

/// popcount(mask) in each window of the activations; in that of each group
/// where there are some.
static Value createMaskCount(ImplicitLocOpBuilder &b, const Nest &nest,
                             Value mask) {
  // The same nest without the loops of the rhs. The window's sizes come from
  // an unused input.
  SmallVector<OpFoldResult> sizes;
  for (int64_t loop : nest.lhsLoops)
    sizes.push_back(nest.sizes[loop]);
  if (nest.groups.block)
    sizes.push_back(
        b.getIndexAttr(*getConstantIntValue(nest.sizes[nest.rhsLoops.back()]) /
                       nest.groups.block));
  int64_t kept = sizes.size(), reductions = nest.window.size() + 1;
  SmallVector<AffineExpr> loops(nest.sizes.size() + reductions);
  for (auto [i, loop] : llvm::enumerate(nest.lhsLoops))
    loops[loop] = b.getAffineDimExpr(i);
  for (int64_t i = 0; i < reductions; ++i)
    loops[nest.sizes.size() + i] = b.getAffineDimExpr(kept + i);
  // Loops of the rhs do not occur in the map, but for the groups.
  for (AffineExpr &loop : loops)
    if (!loop)
      loop = nest.groups.block
                 ? b.getAffineDimExpr(nest.lhsLoops.size()) * nest.groups.block
                 : b.getAffineConstantExpr(0);
  Inputs inputs;
  inputs.add(mask,
             nest.lhs.replaceDimsAndSymbols(loops, {}, kept + reductions, 0));
  SmallVector<int64_t> window(nest.window);
  if (nest.groups.block)
    window.push_back(nest.groups.words);
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
static AffineMap getWindowMap(ImplicitLocOpBuilder &b, const Nest &nest) {
  int64_t rank = nest.sizes.size();
  AffineMap map = getLoopMap(b.getContext(), rank, nest.lhsLoops);
  if (!nest.groups.block)
    return map;
  AffineExpr filter = b.getAffineDimExpr(nest.rhsLoops.back());
  return map.insertResult(filter.floorDiv(nest.groups.block),
                          map.getNumResults());
}

/// Whether the mask of a pair is counted together with it.
static bool countsMask(const Nest &nest, const Term &x, const Term &y) {
  return x.mask && (y.mask || y.part || nest.bytes);
}

/// One generic for all pairs of terms: their popcounts, lhs outer; then, for
/// the pairs of two masks, the popcounts of these. Bytes count in bytes as long
/// as they can.
static SmallVector<Value> createCounts(ImplicitLocOpBuilder &b,
                                       const Nest &nest, const Sides &sides) {
  struct Handles {
    Inputs::Handle sign, mask, part;
  };
  Inputs inputs;
  int64_t loops = nest.lhs.getNumDims();
  AffineMap parts = getLoopMap(b.getContext(), loops, {nest.rhsLoops.back()});
  auto add = [&](ArrayRef<Term> terms, AffineMap map) {
    SmallVector<Handles> handles(terms.size());
    for (auto [handle, term] : llvm::zip_equal(handles, terms)) {
      handle.sign = inputs.add(term.sign, map);
      if (term.mask)
        handle.mask = inputs.add(term.mask, map);
      if (term.part)
        handle.part = inputs.add(term.part, parts);
    }
    return handles;
  };
  SmallVector<Handles> lhs = add(sides.lhs, nest.lhs);
  SmallVector<Handles> rhs = add(sides.rhs, nest.rhs);
  size_t pairs = lhs.size() * rhs.size(), masked = 0;
  for (const Term &x : sides.lhs)
    for (const Term &y : sides.rhs)
      masked += countsMask(nest, x, y);

  bool narrow = nest.bytes && nest.bits < 256;
  Type type = narrow ? b.getI8Type() : b.getI32Type();
  SmallVector<Type> elements(pairs + masked, type);
  return createReduction(
      b, nest.sizes, nest.window.size() + !nest.bytes, elements, inputs,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        SmallVector<Value> sums(args.take_back(pairs + masked));
        auto accumulate = [&](Value &sum, Value word) {
          Value count = word;
          if (!nest.bytes)
            count = math::CtPopOp::create(b, loc, word);
          else if (!narrow)
            count = arith::ExtUIOp::create(b, loc, type, word);
          sum = arith::AddIOp::create(b, loc, sum, count);
        };
        size_t pair = 0, both = pairs;
        for (auto [x, i] : llvm::zip_equal(sides.lhs, lhs))
          for (auto [y, j] : llvm::zip_equal(sides.rhs, rhs)) {
            Value word = arith::XOrIOp::create(b, loc, i.sign.get(b, loc, args),
                                               j.sign.get(b, loc, args));
            Value mask;
            if (x.mask)
              mask = i.mask.get(b, loc, args);
            if (y.mask || y.part) {
              Value other = (y.mask ? j.mask : j.part).get(b, loc, args);
              mask =
                  mask ? arith::AndIOp::create(b, loc, mask, other).getResult()
                       : other;
            }
            if (mask)
              word = arith::AndIOp::create(b, loc, word, mask);
            accumulate(sums[pair++], word);
            if (countsMask(nest, x, y))
              accumulate(sums[both++], mask);
          }
        return sums;
      });
}

SmallVector<Value> bquant::createDots(ImplicitLocOpBuilder &b, const Nest &nest,
                                      const Sides &sides) {
  int64_t rank = nest.sizes.size();
  AffineMap all = b.getMultiDimIdentityMap(rank);
  SmallVector<Value> counts = createCounts(b, nest, sides);
  size_t pairs = sides.lhs.size() * sides.rhs.size();

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
  SmallVector<std::optional<Inputs::Handle>> maskCounts(sides.lhs.size());
  size_t n = 0, both = pairs;
  for (auto [i, x] : llvm::enumerate(sides.lhs))
    for (auto [j, y] : llvm::enumerate(sides.rhs)) {
      Pair &pair = dots[n++];
      pair.factor = x.factor * y.factor;
      pair.scalar = x.scalar * sides.rhsScalars + y.scalar;
      AffineMap alongRhs = getLoopMap(b.getContext(), rank, nest.rhsLoops);
      Value added = sides.added.empty() ? Value() : sides.added[j];
      if (countsMask(nest, x, y)) {
        pair.base = inputs.add(counts[both++], all);
      } else if (x.mask) {
        if (!maskCounts[i])
          maskCounts[i] = inputs.add(createMaskCount(b, nest, x.mask),
                                     getWindowMap(b, nest));
        pair.base = maskCounts[i];
      } else if (y.mask) {
        Value base = sides.rhsMaskCounts[j];
        if (added)
          base = createLinear(b, 0, {{1, base}, {1, added}});
        pair.base = inputs.add(base, alongRhs);
      } else if (added) {
        pair.base =
            inputs.add(createLinear(b, nest.bits, {{1, added}}), alongRhs);
      }
    }

  SmallVector<Type> elements(sides.lhsScalars * sides.rhsScalars,
                             b.getI32Type());
  return createElementwise(
      b, nest.sizes, elements, inputs,
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
              pair.base ? get(*pair.base) : createI32(b, loc, nest.bits);
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
                           const Parts &lhs, const Parts &rhs,
                           const Along *start) {
  if (type.getElementType().isInteger(32))
    return dots.front();
  Scalars lhsScalars = getLhsScalars(lhs);
  return createScale(b, sizes, dots, &lhsScalars,
                     getRhsScalars(rhs, type.getRank()), start);
}
