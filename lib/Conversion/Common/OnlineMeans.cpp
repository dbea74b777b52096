//===- OnlineMeans.cpp - Scalars that are means ---------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a G x N tensor, a mean a row:
//
//   %sums = linalg.generic (g, part, lane | i)
//       ins(%rows as G x P x N / 32 P x 32)
//       { %sum + extf |x| }                              // G x P x 32, f64
//   ... and those of what N leaves over
//   %sum = linalg.generic (g | lane) ins(%sums) { addf }
//   %v = linalg.generic (g) ins(%sum) { truncf (%sum / N) }
//
// which is the order that the solvers sum in, so the scalars are theirs in
// every bit.
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "OnlineScalars.h"
#include "bquant/Quant/Solve.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;

namespace {
/// Sums over rows, and what is made of them.
class Means {
public:
  Means(ImplicitLocOpBuilder &b, Value rows) : b(b), rows(rows) {
    auto type = cast<RankedTensorType>(rows.getType());
    groups = type.getDimSize(0);
    count = type.getDimSize(1);
  }

  /// What a value adds to each sum, of the value and of one number of each of
  /// the row's `factors`.
  using CreateSummands = function_ref<SmallVector<Value>(OpBuilder &, Location,
                                                         Value, ValueRange)>;

  /// `results` sums for each row, each a tensor of G x f64.
  SmallVector<Value> createSums(unsigned results, ValueRange factors,
                                CreateSummands createSummands) {
    int64_t partials = quant::numMeanParts(count) * quant::meanPartials;
    int64_t whole = count / partials * partials;
    SmallVector<Value> partial;
    if (whole != 0)
      partial = createPartials(whole, results, factors, createSummands);
    if (whole != count)
      addRest(partial, whole, results, factors, createSummands);

    Inputs inputs;
    for (Value sums : partial)
      inputs.add(sums, map(2, {0, 1}));
    SmallVector<Type> elements(results, b.getF64Type());
    return createReduction(
        b, OpFoldResult(b.getIndexAttr(groups)), 1, elements, inputs,
        [&](OpBuilder &b, Location loc, ValueRange args) {
          return add(b, loc, args.take_back(results), args.take_front(results));
        });
  }

  /// One number a row, of the numbers of `inputs`.
  Value
  createNumber(Type type, ValueRange inputs,
               function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
    Inputs all;
    for (Value input : inputs)
      all.add(input, map(1, {0}));
    return createElementwise(b, OpFoldResult(b.getIndexAttr(groups)), type, all,
                             [&](OpBuilder &b, Location loc, ValueRange args) {
                               return body(b, loc,
                                           args.take_front(inputs.size()));
                             });
  }

  /// The mean of a sum; NaN where the sum is not finite.
  Value emitMean(OpBuilder &b, Location loc, Value sum) {
    Value mean =
        arith::DivFOp::create(b, loc, sum, createF64(b, loc, double(count)));
    constexpr double inf = std::numeric_limits<double>::infinity();
    Value finite = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, sum,
                                         createF64(b, loc, inf));
    Value nan = createF64(b, loc, std::numeric_limits<double>::quiet_NaN());
    return arith::SelectOp::create(b, loc, finite, mean, nan);
  }

  /// NaN where `value` is: one NaN for all machines.
  static Value emitScalar(OpBuilder &b, Location loc, Value value) {
    Value scalar = arith::TruncFOp::create(b, loc, b.getF32Type(), value);
    Value ordered =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ORD, value, value);
    Value nan = createF32(b, loc, std::numeric_limits<float>::quiet_NaN());
    return arith::SelectOp::create(b, loc, ordered, scalar, nan);
  }

  static Value createF64(OpBuilder &b, Location loc, double value) {
    return arith::ConstantOp::create(b, loc, b.getF64FloatAttr(value));
  }

  /// |x| as f64.
  static Value emitMagnitude(OpBuilder &b, Location loc, Value x) {
    Value magnitude = math::AbsFOp::create(b, loc, x);
    return arith::ExtFOp::create(b, loc, b.getF64Type(), magnitude);
  }

private:
  AffineMap map(int64_t rank, ArrayRef<int64_t> loops) {
    return getLoopMap(b.getContext(), rank, loops);
  }

  static SmallVector<Value> add(OpBuilder &b, Location loc, ValueRange sums,
                                ValueRange summands) {
    SmallVector<Value> next;
    for (auto [sum, summand] : llvm::zip_equal(sums, summands))
      next.push_back(arith::AddFOp::create(b, loc, sum, summand));
    return next;
  }

  /// Columns [from, to) of all rows.
  Value createColumns(Value values, int64_t from, int64_t to) {
    return createSlice(b, values, {0, from}, {groups, to - from});
  }

  /// The partial sums, G x P 32, of the first `whole` values of each row.
  SmallVector<Value> createPartials(int64_t whole, unsigned results,
                                    ValueRange factors,
                                    CreateSummands createSummands) {
    constexpr int64_t lanes = quant::meanPartials;
    int64_t parts = quant::numMeanParts(count);
    auto type = cast<RankedTensorType>(rows.getType());
    Value split = tensor::ExpandShapeOp::create(
        b, type.clone({groups, parts, whole / parts / lanes, lanes}),
        createColumns(rows, 0, whole),
        ArrayRef<ReassociationIndices>{{0}, {1, 2, 3}});
    Inputs inputs;
    inputs.add(split, map(4, {0, 1, 3, 2}));
    for (Value factor : factors)
      inputs.add(factor, map(4, {0}));
    SmallVector<Type> elements(results, b.getF64Type());
    SmallVector<Value> sums = createReduction(
        b,
        {b.getIndexAttr(groups), b.getIndexAttr(parts), b.getIndexAttr(lanes)},
        1, elements, inputs, [&](OpBuilder &b, Location loc, ValueRange args) {
          return add(b, loc, args.take_back(results),
                     createSummands(b, loc, args.front(),
                                    args.slice(1, factors.size())));
        });
    for (Value &partial : sums)
      partial = tensor::CollapseShapeOp::create(
          b, RankedTensorType::get({groups, parts * lanes}, b.getF64Type()),
          partial, ArrayRef<ReassociationIndices>{{0}, {1, 2}});
    return sums;
  }

  /// Adds the values from `whole` on, fewer than partial sums, to the first
  /// ones.
  void addRest(SmallVector<Value> &partial, int64_t whole, unsigned results,
               ValueRange factors, CreateSummands createSummands) {
    int64_t rest = count - whole;
    Inputs inputs;
    inputs.add(createColumns(rows, whole, count), map(2, {0, 1}));
    for (Value factor : factors)
      inputs.add(factor, map(2, {0}));
    for (Value sums : partial)
      inputs.add(createColumns(sums, 0, rest), map(2, {0, 1}));
    SmallVector<Type> elements(results, b.getF64Type());
    SmallVector<Value> sums = createElementwise(
        b, {b.getIndexAttr(groups), b.getIndexAttr(rest)}, elements, inputs,
        [&](OpBuilder &b, Location loc, ValueRange args) {
          SmallVector<Value> values = createSummands(
              b, loc, args.front(), args.slice(1, factors.size()));
          if (whole == 0)
            return values;
          return add(b, loc, args.slice(1 + factors.size(), results), values);
        });
    if (whole == 0) {
      partial = sums;
      return;
    }
    SmallVector<OpFoldResult> offsets(2, b.getIndexAttr(0)),
        sizes{b.getIndexAttr(groups), b.getIndexAttr(rest)},
        strides(2, b.getIndexAttr(1));
    for (auto [all, part] : llvm::zip_equal(partial, sums))
      all =
          tensor::InsertSliceOp::create(b, part, all, offsets, sizes, strides);
  }

  ImplicitLocOpBuilder &b;
  Value rows;
  int64_t groups, count;
};
} // namespace

/// R tensors of G as one of R x G.
static Value createStack(ImplicitLocOpBuilder &b, ArrayRef<Value> parts) {
  auto type = cast<RankedTensorType>(parts.front().getType());
  int64_t groups = type.getDimSize(0);
  SmallVector<int64_t> shape{int64_t(parts.size()), groups};
  if (parts.size() == 1)
    return tensor::ExpandShapeOp::create(
        b, type.clone(shape), parts.front(),
        ArrayRef<ReassociationIndices>{{0, 1}});
  Value all = tensor::EmptyOp::create(b, shape, type.getElementType());
  for (auto [i, part] : llvm::enumerate(parts)) {
    SmallVector<OpFoldResult> offsets{b.getIndexAttr(i), b.getIndexAttr(0)},
        sizes{b.getIndexAttr(1), b.getIndexAttr(groups)},
        strides(2, b.getIndexAttr(1));
    all = tensor::InsertSliceOp::create(b, part, all, offsets, sizes, strides);
  }
  return all;
}

/// v_i = mean |r_i|, r_1 = x, r_{i+1} = r_i - v_i sign r_i.
static SmallVector<Value> createGreedy(ImplicitLocOpBuilder &b, Means &means,
                                       int64_t planes) {
  SmallVector<Value> scalars;
  for (int64_t i = 0; i < planes; ++i) {
    SmallVector<Value> sums = means.createSums(
        1, scalars,
        [](OpBuilder &b, Location loc, Value x, ValueRange factors) {
          Value zero = createF32(b, loc, 0);
          for (Value v : factors) {
            Value bit = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGE,
                                              x, zero);
            Value term = arith::SelectOp::create(
                b, loc, bit, v, arith::NegFOp::create(b, loc, v));
            x = arith::SubFOp::create(b, loc, x, term);
          }
          return SmallVector<Value>{Means::emitMagnitude(b, loc, x)};
        });
    scalars.push_back(means.createNumber(
        b.getF32Type(), sums, [&](OpBuilder &b, Location loc, ValueRange args) {
          Value mean = means.emitMean(b, loc, args.front());
          return Means::emitScalar(b, loc, mean);
        }));
  }
  return scalars;
}

/// D = .7 mean |x|, 2v the mean of the |x| over it. Thresholds are the least
/// f32 for which x >= -D, x >= 0 and x > D: D rounded, or the next f32.
static Solved createTernaryWeights(ImplicitLocOpBuilder &b, Means &means) {
  SmallVector<Value> sum = means.createSums(
      1, {}, [](OpBuilder &b, Location loc, Value x, ValueRange) {
        return SmallVector<Value>{Means::emitMagnitude(b, loc, x)};
      });
  Value threshold = means.createNumber(
      b.getF64Type(), sum, [&](OpBuilder &b, Location loc, ValueRange args) {
        return arith::MulFOp::create(b, loc, Means::createF64(b, loc, 0.7),
                                     means.emitMean(b, loc, args.front()));
      });
  SmallVector<Value> over = means.createSums(
      2, threshold,
      [](OpBuilder &b, Location loc, Value x, ValueRange factors) {
        Value magnitude = Means::emitMagnitude(b, loc, x);
        Value isOver = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT,
                                             magnitude, factors.front());
        Value zero = Means::createF64(b, loc, 0);
        return SmallVector<Value>{
            arith::SelectOp::create(b, loc, isOver, Means::createF64(b, loc, 1),
                                    zero),
            arith::SelectOp::create(b, loc, isOver, magnitude, zero)};
      });
  Value scalar = means.createNumber(
      b.getF32Type(), {over[0], over[1], threshold},
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value zero = Means::createF64(b, loc, 0);
        Value v = arith::DivFOp::create(b, loc, args[1], args[0]);
        v = arith::DivFOp::create(b, loc, v, Means::createF64(b, loc, 2));
        Value any = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT,
                                          args[0], zero);
        v = arith::SelectOp::create(b, loc, any, v, zero);
        // With a threshold of NaN nothing is over it.
        Value ordered = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ORD,
                                              args[2], args[2]);
        v = arith::SelectOp::create(b, loc, ordered, v, args[2]);
        return Means::emitScalar(b, loc, v);
      });

  // D rounded, and one f32 up or down where that is on the wrong side; D >= 0.
  auto step = [&](arith::CmpFPredicate wrong, int64_t by) {
    return [=](OpBuilder &b, Location loc, ValueRange args) -> Value {
      Type f32 = b.getF32Type(), i32 = b.getI32Type();
      Value near = arith::TruncFOp::create(b, loc, f32, args.front());
      Value back = arith::ExtFOp::create(b, loc, b.getF64Type(), near);
      Value bits = arith::BitcastOp::create(b, loc, i32, near);
      bits = arith::AddIOp::create(b, loc, bits, createI32(b, loc, by));
      Value next = arith::BitcastOp::create(b, loc, f32, bits);
      Value off = arith::CmpFOp::create(b, loc, wrong, back, args.front());
      Value t = arith::SelectOp::create(b, loc, off, next, near);
      return by > 0 ? t : arith::NegFOp::create(b, loc, t).getResult();
    };
  };
  Value zero = means.createNumber(b.getF32Type(), {},
                                  [](OpBuilder &b, Location loc, ValueRange) {
                                    return createF32(b, loc, 0);
                                  });
  Value low = means.createNumber(b.getF32Type(), threshold,
                                 step(arith::CmpFPredicate::OGT, -1));
  Value high = means.createNumber(b.getF32Type(), threshold,
                                  step(arith::CmpFPredicate::OLE, 1));
  return {createStack(b, scalar), createStack(b, {low, zero, high})};
}

Solved bquant::createMeansOfRows(ImplicitLocOpBuilder &b, SchemeAttr scheme,
                                 Value rows) {
  Means means(b, rows);
  if (scheme.getKind() == SchemeKind::twn)
    return createTernaryWeights(b, means);
  return {createStack(b, createGreedy(b, means, scheme.getPlanes())), Value()};
}
