//===- WordsProducts.cpp - Products by xor and popcount -------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For one pair of planes dot = K - 2 popcount(a xor b). With masks (ternary),
// of values -1, 0, 1: dot = popcount(m) - 2 popcount((a xor b) and m), where m
// is the and of the masks; popcount(m) is a constant of the filter, or counted
// once for each position of the activations, or in the same loop.
//
// Convolutions are peeled by border classes: the taps of each piece are all
// inside the image, and K is the piece's own.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "BorderClasses.h"
#include "Words.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;

namespace {
/// What is multiplied as one: a plane, or mask and sign.
struct Term {
  Value sign;
  Value mask;     // Null without one.
  int64_t factor; // Of its dots, in the sum of its scalar.
  int64_t scalar;
};

/// The loops of a product and where its operands lie in them.
struct Nest {
  SmallVector<OpFoldResult> sizes; // Of the result's loops.
  SmallVector<int64_t> window;     // Of the reductions, but for the words.
  AffineMap lhs, rhs;
  SmallVector<int64_t> lhsLoops, rhsLoops; // Of the result, for each side.
  int64_t bits;                            // Summed: K.
};

/// All terms of a product. For each term of the rhs, along its loops: the
/// popcount of its mask, if it has one, and what is added to its dots, if
/// anything is.
struct Sides {
  SmallVector<Term> lhs, rhs;
  SmallVector<Value> rhsMaskCounts, added;
  int64_t lhsScalars, rhsScalars;
};
} // namespace

static SmallVector<Term> getTerms(const Parts &parts) {
  SBTensorType type = parts.type;
  if (isMasked(type))
    return {Term{parts.planes[1], parts.planes[0], /*factor=*/2, 0}};
  SmallVector<Term> terms;
  for (auto [i, plane] : llvm::enumerate(parts.planes))
    terms.push_back({plane, Value(), type.hasRatios() ? type.getRatios()[i] : 1,
                     type.hasRatios() ? 0 : int64_t(i)});
  return terms;
}

//===----------------------------------------------------------------------===//
// Dots
//===----------------------------------------------------------------------===//

/// popcount(mask) in each window of the activations.
static Value createMaskCount(ImplicitLocOpBuilder &b, const Nest &nest,
                             Value mask) {
  // The same nest without the loops of the rhs. The window's sizes come from
  // an unused input.
  SmallVector<OpFoldResult> sizes;
  for (int64_t loop : nest.lhsLoops)
    sizes.push_back(nest.sizes[loop]);
  int64_t kept = sizes.size(), reductions = nest.window.size() + 1;
  SmallVector<AffineExpr> loops(nest.sizes.size() + reductions);
  for (auto [i, loop] : llvm::enumerate(nest.lhsLoops))
    loops[loop] = b.getAffineDimExpr(i);
  for (int64_t i = 0; i < reductions; ++i)
    loops[nest.sizes.size() + i] = b.getAffineDimExpr(kept + i);
  // Loops of the rhs do not occur in the map.
  for (AffineExpr &loop : loops)
    if (!loop)
      loop = b.getAffineConstantExpr(0);
  Inputs inputs;
  inputs.add(mask,
             nest.lhs.replaceDimsAndSymbols(loops, {}, kept + reductions, 0));
  if (!nest.window.empty()) {
    Value window = tensor::EmptyOp::create(b, nest.window, b.getI32Type());
    SmallVector<int64_t> windowLoops =
        llvm::to_vector(llvm::seq<int64_t>(kept, kept + nest.window.size()));
    inputs.add(window,
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

/// One generic for all pairs of terms: their popcounts, lhs outer; then, for
/// the pairs of two masks, the popcounts of these.
static SmallVector<Value> createCounts(ImplicitLocOpBuilder &b,
                                       const Nest &nest, const Sides &sides) {
  struct Handles {
    Inputs::Handle sign, mask;
  };
  Inputs inputs;
  auto add = [&](ArrayRef<Term> terms, AffineMap map) {
    SmallVector<Handles> handles(terms.size());
    for (auto [handle, term] : llvm::zip_equal(handles, terms)) {
      handle.sign = inputs.add(term.sign, map);
      if (term.mask)
        handle.mask = inputs.add(term.mask, map);
    }
    return handles;
  };
  SmallVector<Handles> lhs = add(sides.lhs, nest.lhs);
  SmallVector<Handles> rhs = add(sides.rhs, nest.rhs);
  size_t pairs = lhs.size() * rhs.size(), masked = 0;
  for (const Term &x : sides.lhs)
    for (const Term &y : sides.rhs)
      masked += x.mask && y.mask;

  SmallVector<Type> elements(pairs + masked, b.getI32Type());
  return createReduction(
      b, nest.sizes, nest.window.size() + 1, elements, inputs,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        SmallVector<Value> sums(args.take_back(pairs + masked));
        auto accumulate = [&](Value &sum, Value word) {
          Value count = math::CtPopOp::create(b, loc, word);
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
            if (y.mask) {
              Value other = j.mask.get(b, loc, args);
              mask =
                  mask ? arith::AndIOp::create(b, loc, mask, other).getResult()
                       : other;
            }
            if (mask)
              word = arith::AndIOp::create(b, loc, word, mask);
            accumulate(sums[pair++], word);
            if (x.mask && y.mask)
              accumulate(sums[both++], mask);
          }
        return sums;
      });
}

/// The dots of each pair of scalars, i32, in the loops of the nest.
static SmallVector<Value> createDots(ImplicitLocOpBuilder &b, const Nest &nest,
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
      if (x.mask && y.mask) {
        pair.base = inputs.add(counts[both++], all);
      } else if (x.mask) {
        if (!maskCounts[i])
          maskCounts[i] =
              inputs.add(createMaskCount(b, nest, x.mask),
                         getLoopMap(b.getContext(), rank, nest.lhsLoops));
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
        for (const Pair &pair : dots) {
          Value base = pair.base ? pair.base->get(b, loc, args)
                                 : createI32(b, loc, nest.bits);
          Value twice = arith::ShLIOp::create(
              b, loc, pair.count.get(b, loc, args), createI32(b, loc, 1));
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

/// Dots to the op's result.
static Value createResult(ImplicitLocOpBuilder &b, RankedTensorType type,
                          ArrayRef<OpFoldResult> sizes, ArrayRef<Value> dots,
                          const Parts &lhs, const Parts &rhs) {
  if (type.getElementType().isInteger(32))
    return dots.front();
  Scalars lhsScalars = getLhsScalars(lhs.type, lhs.scalars);
  return createScale(b, sizes, dots, &lhsScalars,
                     getRhsScalars(rhs.type, rhs.scalars, type.getRank()));
}

//===----------------------------------------------------------------------===//
// Matmul
//===----------------------------------------------------------------------===//

Value bquant::createMatmulOfWords(ImplicitLocOpBuilder &b, MatmulOp op,
                                  const Parts &lhs, const Parts &rhs) {
  // (batch,) m, n; words.
  int64_t rank = op.getType().getRank();
  Nest nest;
  if (rank == 3)
    nest.lhsLoops = nest.rhsLoops = {0};
  nest.lhsLoops.push_back(rank - 2);
  nest.rhsLoops.push_back(rank - 1);
  SmallVector<int64_t> lhsLoops(nest.lhsLoops), rhsLoops(nest.rhsLoops);
  lhsLoops.push_back(rank);
  rhsLoops.push_back(rank);
  nest.lhs = getLoopMap(b.getContext(), rank + 1, lhsLoops);
  nest.rhs = getLoopMap(b.getContext(), rank + 1, rhsLoops);
  nest.sizes = tensor::getMixedSizes(b, b.getLoc(), lhs.planes.front());
  nest.sizes.back() =
      tensor::getMixedSize(b, b.getLoc(), rhs.planes.front(), rank - 2);
  nest.bits = lhs.type.getShape().back();
  Sides sides{
      getTerms(lhs),           getTerms(rhs), {}, {}, lhs.type.getNumScalars(),
      rhs.type.getNumScalars()};
  for (const Term &term : sides.rhs)
    sides.rhsMaskCounts.push_back(
        term.mask ? createBitCount(b, term.mask, rank - 1) : Value());
  return createResult(b, op.getType(), nest.sizes, createDots(b, nest, sides),
                      lhs, rhs);
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

namespace {
/// A convolution of words, piece by piece.
class Conv2DLowering {
public:
  Conv2DLowering(ImplicitLocOpBuilder &b, Conv2DOp op, const Parts &input,
                 const Parts &filter);

  /// The dots of all pieces, one tensor for each pair of scalars.
  SmallVector<Value> createAllDots();

  SmallVector<OpFoldResult> sizes; // Of the result.

private:
  SmallVector<Value> createPiece(const BorderClass &h, const BorderClass &w);
  Value shareFilter(Value value, const BorderClass &h, const BorderClass &w);
  Value sliceFilter(Value words, const BorderClass &h, const BorderClass &w);
  SmallVector<Value> createPadDots(const BorderClass &h, const BorderClass &w);

  ImplicitLocOpBuilder &b;
  Conv2DOp op;
  int64_t channels, words, filters;
  std::array<Window, 2> windows;
  Sides sides;
};
} // namespace

Conv2DLowering::Conv2DLowering(ImplicitLocOpBuilder &b, Conv2DOp op,
                               const Parts &input, const Parts &filter)
    : b(b), op(op), channels(input.type.getShape().back()),
      words(llvm::divideCeil(channels, kWordBits)),
      filters(filter.type.getDimSize(0)), sides{getTerms(input),
                                                getTerms(filter),
                                                {},
                                                {},
                                                input.type.getNumScalars(),
                                                filter.type.getNumScalars()} {
  sizes.push_back(tensor::getMixedSize(b, b.getLoc(), input.planes.front(), 0));
  for (int64_t size : op.getType().getShape().drop_front())
    sizes.push_back(b.getIndexAttr(size));
  for (int d = 0; d < 2; ++d)
    windows[d] = {input.type.getDimSize(d + 1), filter.type.getDimSize(d + 1),
                  op.getStrides()[d], op.getDilations()[d],
                  op.getPads()[2 * d]};
}

Value Conv2DLowering::sliceFilter(Value value, const BorderClass &h,
                                  const BorderClass &w) {
  return createSlice(b, value, {0, h.tapBegin, w.tapBegin, 0},
                     {filters, h.getTaps(), w.getTaps(), words});
}

/// The filter of a piece: a slice also of a constant, so that the pieces share
/// one filter however it is laid out later.
Value Conv2DLowering::shareFilter(Value value, const BorderClass &h,
                                  const BorderClass &w) {
  SmallVector<int64_t> offsets{0, h.tapBegin, w.tapBegin, 0};
  SmallVector<int64_t> sizes{filters, h.getTaps(), w.getTaps(), words};
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == ArrayRef(sizes))
    return value;
  MLIRContext *context = b.getContext();
  return tensor::ExtractSliceOp::create(
      b, type.clone(sizes), value, getAsIndexOpFoldResult(context, offsets),
      getAsIndexOpFoldResult(context, sizes),
      SmallVector<OpFoldResult>(4, b.getIndexAttr(1)));
}

/// What the padded taps of a piece add to the dots with each term of the
/// filter, where they hold +1: the sum of the filter's signs at these taps,
/// 2 popcount(sign) less the number of signs.
SmallVector<Value> Conv2DLowering::createPadDots(const BorderClass &h,
                                                 const BorderClass &w) {
  int64_t inside = h.getTaps() * w.getTaps();
  int64_t padded = windows[0].taps * windows[1].taps - inside;
  if (op.getPadValue() == 0 || padded == 0)
    return {};
  // The popcount over all taps less that over the ones inside.
  auto count = [&](Value value) {
    Value all = createBitCount(b, value, 1);
    if (inside == 0)
      return all;
    Value some = createBitCount(b, sliceFilter(value, h, w), 1);
    return createLinear(b, 0, {{1, all}, {-1, some}});
  };
  SmallVector<Value> dots;
  for (const Term &term : sides.rhs) {
    if (term.mask)
      dots.push_back(
          createLinear(b, 0, {{2, count(term.sign)}, {-1, count(term.mask)}}));
    else
      dots.push_back(
          createLinear(b, -padded * channels, {{2, count(term.sign)}}));
  }
  return dots;
}

SmallVector<Value> Conv2DLowering::createPiece(const BorderClass &h,
                                               const BorderClass &w) {
  Nest nest;
  nest.sizes = {sizes[0], b.getIndexAttr(h.getOutputs()),
                b.getIndexAttr(w.getOutputs()), sizes[3]};
  nest.lhsLoops = {0, 1, 2};
  nest.rhsLoops = {3};
  nest.bits = h.getTaps() * w.getTaps() * channels;
  Sides piece = sides;
  piece.added = createPadDots(h, w);

  if (nest.bits == 0) {
    // Nothing but padding: an input with pad_value 1 has one plane.
    SmallVector<Type> elements(sides.lhsScalars * sides.rhsScalars,
                               b.getI32Type());
    Inputs inputs;
    for (Value dot : piece.added)
      inputs.add(dot, getLoopMap(b.getContext(), 4, {3}));
    return createElementwise(
        b, nest.sizes, elements, inputs,
        [&](OpBuilder &b, Location loc, ValueRange args) {
          SmallVector<Value> sums(elements.size(), createI32(b, loc, 0));
          if (piece.added.empty())
            return sums;
          for (auto [j, term] : llvm::enumerate(sides.rhs)) {
            Value dot = arith::MulIOp::create(b, loc, args[j],
                                              createI32(b, loc, term.factor));
            sums[term.scalar] =
                arith::AddIOp::create(b, loc, sums[term.scalar], dot);
          }
          return sums;
        });
  }

  // n, oh, ow, oc; kh, kw, words.
  nest.window = {h.getTaps(), w.getTaps()};
  SmallVector<AffineExpr> d(7);
  bindDimsList(b.getContext(), MutableArrayRef(d));
  nest.lhs = AffineMap::get(
      7, 0,
      {d[0], d[1] * windows[0].stride + d[4] * windows[0].dilation,
       d[2] * windows[1].stride + d[5] * windows[1].dilation, d[6]},
      b.getContext());
  nest.rhs = AffineMap::get(7, 0, {d[3], d[4], d[5], d[6]}, b.getContext());

  auto sliceInput = [&](Value value) {
    int64_t n = cast<RankedTensorType>(value.getType()).getDimSize(0);
    return createSlice(
        b, value,
        {0, h.getPosition(windows[0], h.tapBegin),
         w.getPosition(windows[1], w.tapBegin), 0},
        {n, h.getExtent(windows[0]), w.getExtent(windows[1]), words});
  };
  for (Term &term : piece.lhs) {
    term.sign = sliceInput(term.sign);
    if (term.mask)
      term.mask = sliceInput(term.mask);
  }
  for (Term &term : piece.rhs) {
    // Of a slice that is a constant where the filter is.
    piece.rhsMaskCounts.push_back(
        term.mask ? createBitCount(b, sliceFilter(term.mask, h, w), 1)
                  : Value());
    term.sign = shareFilter(term.sign, h, w);
    if (term.mask)
      term.mask = shareFilter(term.mask, h, w);
  }
  return createDots(b, nest, piece);
}

SmallVector<Value> Conv2DLowering::createAllDots() {
  ArrayRef<int64_t> shape = op.getType().getShape();
  SmallVector<BorderClass> rows = getBorderClasses(windows[0], shape[1]);
  SmallVector<BorderClass> columns = getBorderClasses(windows[1], shape[2]);
  if (rows.size() == 1 && columns.size() == 1)
    return createPiece(rows.front(), columns.front());

  SmallVector<Value> results;
  for (int64_t i = 0; i < sides.lhsScalars * sides.rhsScalars; ++i)
    results.push_back(tensor::EmptyOp::create(b, sizes, b.getI32Type()));
  SmallVector<OpFoldResult> ones(4, b.getIndexAttr(1));
  for (const BorderClass &h : rows)
    for (const BorderClass &w : columns) {
      SmallVector<OpFoldResult> offsets(4, b.getIndexAttr(0));
      offsets[1] = b.getIndexAttr(h.begin);
      offsets[2] = b.getIndexAttr(w.begin);
      SmallVector<OpFoldResult> pieceSizes(sizes);
      pieceSizes[1] = b.getIndexAttr(h.getOutputs());
      pieceSizes[2] = b.getIndexAttr(w.getOutputs());
      for (auto [result, piece] : llvm::zip_equal(results, createPiece(h, w)))
        result = tensor::InsertSliceOp::create(b, piece, result, offsets,
                                               pieceSizes, ones);
    }
  return results;
}

Value bquant::createConv2DOfWords(ImplicitLocOpBuilder &b, Conv2DOp op,
                                  const Parts &input, const Parts &filter) {
  Conv2DLowering lowering(b, op, input, filter);
  SmallVector<Value> dots = lowering.createAllDots();
  return createResult(b, op.getType(), lowering.sizes, dots, input, filter);
}
