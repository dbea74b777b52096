//===- Arithmetic.cpp - What both lowerings compute alike -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of operations is fixed by the descriptions of the ops: every
// product, sum and difference is rounded, nothing is contracted.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/DialectConversion.h"
#include <cmath>

using namespace mlir;
using namespace bquant;

//===----------------------------------------------------------------------===//
// Numbers to bits
//===----------------------------------------------------------------------===//

/// `r_1 = x, s_i = sign r_i, r_{i+1} = r_i - v_i s_i`.
static SmallVector<Value> emitCascade(OpBuilder &b, Location loc, Value x,
                                      ArrayRef<Value> scalars) {
  SmallVector<Value> bits;
  Value r = x, zero = createF32(b, loc, 0);
  for (auto [i, v] : llvm::enumerate(scalars)) {
    // Ordered: sign(NaN) is -1.
    Value bit =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGE, r, zero);
    bits.push_back(bit);
    if (i + 1 == scalars.size())
      break;
    Value term = arith::SelectOp::create(b, loc, bit, v,
                                         arith::NegFOp::create(b, loc, v));
    r = arith::SubFOp::create(b, loc, r, term);
  }
  return bits;
}

/// Whether each row of constant thresholds ascends, with NaN only at its end:
/// then `t_n <= x` says that at least n + 1 of them are.
static bool ascends(Value thresholds) {
  std::optional<SmallVector<uint32_t>> bits = getConstantBits(thresholds);
  if (!bits)
    return false;
  auto type = cast<RankedTensorType>(thresholds.getType());
  bool isFloat = type.getElementType().isF32();
  auto follows = [&](uint32_t low, uint32_t high) {
    if (!isFloat)
      return int32_t(low) <= int32_t(high);
    return std::isnan(llvm::bit_cast<float>(high)) ||
           llvm::bit_cast<float>(low) <= llvm::bit_cast<float>(high);
  };
  size_t row = type.getShape().back();
  for (size_t n = 1; n < bits->size(); ++n)
    if (n % row != 0 && !follows((*bits)[n - 1], (*bits)[n]))
      return false;
  return true;
}

/// The bits of `codes[n]`, n the number of thresholds `t <= x`.
static SmallVector<Value> emitRanked(OpBuilder &b, Location loc, Value x,
                                     ArrayRef<Value> thresholds, bool ascending,
                                     ArrayRef<int64_t> codes, int64_t planes) {
  // reached[n]: at least n + 1 thresholds are <= x.
  SmallVector<Value> reached;
  for (Value t : thresholds) {
    if (x.getType().isF32())
      reached.push_back(arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLE,
                                              t, x)); // Ordered: NaN never.
    else
      reached.push_back(
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, t, x));
  }
  if (!ascending && thresholds.size() > 1) {
    Value rank;
    for (Value le : reached) {
      Value one = arith::ExtUIOp::create(b, loc, b.getI32Type(), le);
      rank = rank ? arith::AddIOp::create(b, loc, rank, one).getResult() : one;
    }
    for (auto [n, le] : llvm::enumerate(reached))
      le = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, rank,
                                 createI32(b, loc, n));
  }

  SmallVector<Value> bits;
  for (int64_t plane = 0; plane < planes; ++plane) {
    auto bitOf = [&](int64_t code) { return code >> (planes - 1 - plane) & 1; };
    auto constant = [&](bool bit) -> Value {
      return arith::ConstantOp::create(b, loc, b.getBoolAttr(bit));
    };
    Value bit = constant(bitOf(codes.front()));
    for (auto [n, le] : llvm::enumerate(reached)) {
      // Where the bit does not change, the threshold is not its.
      if (bitOf(codes[n + 1]) == bitOf(codes[n]))
        continue;
      bit = arith::SelectOp::create(b, loc, le, constant(bitOf(codes[n + 1])),
                                    bit);
    }
    bits.push_back(bit);
  }
  return bits;
}

SmallVector<Value> bquant::createQuantize(ImplicitLocOpBuilder &b,
                                          QuantizeOp op, Value input,
                                          Value thresholds, Value scalars,
                                          TypeRange elements,
                                          FinishBits finish) {
  SBTensorType type = op.getType();
  int64_t rank = type.getRank(), planes = type.getPlanes();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), input);
  Inputs inputs;
  inputs.add(input, b.getMultiDimIdentityMap(rank));
  if (!thresholds) {
    // The last plane's scalar is of no use.
    SmallVector<Inputs::Handle> handles;
    int64_t used = type.hasRatios() ? 1 : planes - 1;
    for (int64_t i = 0; i < used; ++i)
      handles.push_back(inputs.addRow(b, scalars, i, type.getAxes(), rank));
    return createElementwise(
        b, sizes, elements, inputs,
        [&](OpBuilder &b, Location loc, ValueRange args) {
          SmallVector<Value> v(planes);
          for (int64_t i = 0; i + 1 < planes; ++i) {
            v[i] = handles[type.hasRatios() ? 0 : i].get(b, loc, args);
            if (type.hasRatios() && type.getRatios()[i] != 1)
              v[i] = arith::MulFOp::create(
                  b, loc, createF32(b, loc, type.getRatios()[i]), v[i]);
          }
          return finish(b, loc, emitCascade(b, loc, args.front(), v));
        });
  }

  auto t = cast<RankedTensorType>(thresholds.getType());
  SmallVector<Inputs::Handle> handles;
  // Those of a scheme ascend, and its codes are in the order of the levels.
  bool ascending = op.getScheme() || ascends(thresholds);
  SmallVector<int64_t> codes;
  if (op.getScheme()) {
    for (int64_t n = 0; n < t.getDimSize(0); ++n)
      handles.push_back(inputs.addRow(b, thresholds, n, type.getAxes(), rank));
    codes = llvm::to_vector(llvm::seq<int64_t>(0, t.getDimSize(0) + 1));
  } else {
    codes = llvm::to_vector(*op.getCodes());
  }
  // One number, or one a channel, for each threshold.
  int64_t count = op.getScheme() ? 0 : t.getShape().back();
  for (int64_t n = 0; n < count; ++n) {
    if (t.getRank() == 1) {
      handles.push_back(inputs.addRow(b, thresholds, n, {}, rank));
      continue;
    }
    // Column n as a row of its own.
    int64_t channels = t.getDimSize(0);
    Value column = createSlice(b, thresholds, {0, n}, {channels, 1});
    RankedTensorType flat = t.clone({channels});
    if (std::optional<SmallVector<uint32_t>> bits = getConstantBits(column))
      column = createConstant(b, flat, *bits);
    else
      column = tensor::CollapseShapeOp::create(
          b, flat, column, ArrayRef<ReassociationIndices>{{0, 1}});
    handles.push_back(
        inputs.add(column, getLoopMap(b.getContext(), rank, {rank - 1})));
  }
  return createElementwise(b, sizes, elements, inputs,
                           [&](OpBuilder &b, Location loc, ValueRange args) {
                             SmallVector<Value> values;
                             for (const Inputs::Handle &handle : handles)
                               values.push_back(handle.get(b, loc, args));
                             return finish(b, loc,
                                           emitRanked(b, loc, args.front(),
                                                      values, ascending, codes,
                                                      planes));
                           });
}

//===----------------------------------------------------------------------===//
// Bits to numbers
//===----------------------------------------------------------------------===//

Value bquant::createDequantize(ImplicitLocOpBuilder &b, DequantizeOp op,
                               ArrayRef<OpFoldResult> sizes, Inputs inputs,
                               Value scalars, Value offset, ReadBits read) {
  SBTensorType type = op.getInput().getType();
  int64_t rank = type.getRank();
  SmallVector<Inputs::Handle> handles;
  for (int64_t i = 0; i < type.getNumScalars(); ++i)
    handles.push_back(inputs.addRow(b, scalars, i, type.getAxes(), rank));
  Inputs::Handle c;
  if (offset)
    c = inputs.add(offset, getLoopMap(b.getContext(), rank, type.getAxes()));
  return createElementwise(
             b, sizes, b.getF32Type(), inputs,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               SmallVector<Value> bits = read(b, loc, args);
               Value sum = offset ? c.get(b, loc, args) : Value();
               for (auto [i, handle] : llvm::enumerate(handles)) {
                 Value v = handle.get(b, loc, args);
                 Value term;
                 if (type.hasRatios()) {
                   Value m = arith::SIToFPOp::create(b, loc, b.getF32Type(),
                                                     bits.front());
                   term = arith::MulFOp::create(b, loc, v, m);
                 } else {
                   term = arith::SelectOp::create(
                       b, loc, bits[i], v, arith::NegFOp::create(b, loc, v));
                 }
                 sum =
                     sum ? arith::AddFOp::create(b, loc, sum, term).getResult()
                         : term;
               }
               return SmallVector<Value>{sum};
             })
      .front();
}

static Value createSign(ImplicitLocOpBuilder &b, Value input) {
  auto type = cast<RankedTensorType>(input.getType());
  Inputs inputs;
  inputs.add(input, b.getMultiDimIdentityMap(type.getRank()));
  return createElementwise(
             b, tensor::getMixedSizes(b, b.getLoc(), input), b.getF32Type(),
             inputs,
             [](OpBuilder &b, Location loc, ValueRange args) {
               Value bit =
                   arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGE,
                                         args.front(), createF32(b, loc, 0));
               return SmallVector<Value>{arith::SelectOp::create(
                   b, loc, bit, createF32(b, loc, 1), createF32(b, loc, -1))};
             })
      .front();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

Scalars bquant::getLhsScalars(const Parts &lhs) {
  // No axis is the reduction, so each is the result's loop of its number.
  return {lhs.type.getNumScalars(), lhs.scalars,
          llvm::to_vector(lhs.type.getAxes())};
}

Scalars bquant::getRhsScalars(const Parts &rhs, int64_t rank) {
  Scalars scalars{rhs.type.getNumScalars(), rhs.scalars, {}};
  // Filters and rows are the result's last loop; axis 0 of a batched matmul is
  // the batch.
  int64_t columns = rhs.type.getRank() == 4 ? 0 : rhs.type.getRank() - 2;
  for (int64_t axis : rhs.type.getAxes())
    scalars.loops.push_back(axis == columns ? rank - 1 : axis);
  return scalars;
}

Scalars bquant::getLhsOffset(ImplicitLocOpBuilder &b, const Parts &lhs) {
  // One row of scalars.
  auto type = cast<RankedTensorType>(lhs.offset.getType());
  SmallVector<int64_t> shape{1};
  llvm::append_range(shape, type.getShape());
  Scalars offset{1, Value(), llvm::to_vector(lhs.type.getAxes())};
  if (std::optional<SmallVector<uint32_t>> bits = getConstantBits(lhs.offset)) {
    offset.values = createConstant(b, type.clone(shape), *bits);
    return offset;
  }
  SmallVector<ReassociationIndices> reassociation;
  for (int64_t d = 0; d < type.getRank(); ++d)
    reassociation.push_back(d == 0 ? ReassociationIndices{0, 1}
                                   : ReassociationIndices{d + 1});
  offset.values = tensor::ExpandShapeOp::create(b, type.clone(shape),
                                                lhs.offset, reassociation);
  return offset;
}

/// v_i w_j where both are constants and v_i is one number; else a null value.
static Value foldFactor(ImplicitLocOpBuilder &b, const Scalars &lhs, int64_t i,
                        const Scalars &rhs, int64_t j) {
  if (!lhs.loops.empty())
    return {};
  std::optional<SmallVector<uint32_t>> v = getConstantBits(lhs.values);
  std::optional<SmallVector<uint32_t>> w = getConstantBits(rhs.values);
  if (!v || !w)
    return {};
  auto type = cast<RankedTensorType>(rhs.values.getType());
  int64_t size = w->size() / rhs.count;
  SmallVector<uint32_t> out;
  for (uint32_t bits : ArrayRef(*w).slice(j * size, size))
    out.push_back(llvm::bit_cast<uint32_t>(llvm::bit_cast<float>((*v)[i]) *
                                           llvm::bit_cast<float>(bits)));
  SmallVector<int64_t> shape(type.getShape());
  shape.front() = 1;
  return createConstant(b, type.clone(shape), out);
}

namespace {
/// v_i w_j in a body: one number, or two whose product is rounded.
class Factor {
public:
  /// Without `lhs`: w_j alone. Adds to `inputs` what it reads.
  Factor(ImplicitLocOpBuilder &b, Inputs &inputs, int64_t rank,
         const Scalars *lhs, int64_t i, const Scalars &rhs, int64_t j) {
    auto add = [&](const Scalars &side, int64_t row) {
      handles.push_back(inputs.addRow(b, side.values, row, side.loops, rank));
    };
    Value folded = lhs ? foldFactor(b, *lhs, i, rhs, j) : Value();
    if (folded) {
      add({1, folded, rhs.loops}, 0);
      return;
    }
    if (lhs)
      add(*lhs, i);
    add(rhs, j);
  }

  Value get(OpBuilder &b, Location loc, ValueRange args) const {
    Value factor = handles.front().get(b, loc, args);
    if (handles.size() > 1)
      factor = arith::MulFOp::create(b, loc, factor,
                                     handles.back().get(b, loc, args));
    return factor;
  }

private:
  SmallVector<Inputs::Handle> handles;
};
} // namespace

/// `sum + factor * dot`, or the first term.
static Value emitTerm(OpBuilder &b, Location loc, Value sum, Value factor,
                      Value dot) {
  if (!dot.getType().isF32())
    dot = arith::SIToFPOp::create(b, loc, b.getF32Type(), dot);
  Value term = arith::MulFOp::create(b, loc, factor, dot);
  return sum ? arith::AddFOp::create(b, loc, sum, term).getResult() : term;
}

Value bquant::createScale(ImplicitLocOpBuilder &b, ArrayRef<OpFoldResult> sizes,
                          ArrayRef<Value> dots, const Scalars *lhs,
                          const Scalars &rhs, const Along *start) {
  int64_t rank = sizes.size();
  Inputs inputs;
  for (Value dot : dots)
    inputs.add(dot, b.getMultiDimIdentityMap(rank));
  SmallVector<Factor> factors;
  for (int64_t i = 0; i < (lhs ? lhs->count : 1); ++i)
    for (int64_t j = 0; j < rhs.count; ++j)
      factors.emplace_back(b, inputs, rank, lhs, i, rhs, j);
  Inputs::Handle first;
  if (start)
    first = inputs.add(start->value,
                       getLoopMap(b.getContext(), rank, start->loops));
  return createElementwise(
             b, sizes, b.getF32Type(), inputs,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               Value sum = start ? first.get(b, loc, args) : Value();
               for (auto [n, factor] : llvm::enumerate(factors))
                 sum = emitTerm(b, loc, sum, factor.get(b, loc, args), args[n]);
               return SmallVector<Value>{sum};
             })
      .front();
}

/// The term as a constant, where it is one; `columns` its elements.
static Value foldOffsetTerm(ImplicitLocOpBuilder &b, ArrayRef<Along> sums,
                            const Scalars &offset, const Scalars &rhs) {
  auto type = cast<RankedTensorType>(sums.front().value.getType());
  SmallVector<float> total;
  for (auto [j, sum] : llvm::enumerate(sums)) {
    Value factor = foldFactor(b, offset, 0, rhs, j);
    std::optional<SmallVector<uint32_t>> counts = getConstantBits(sum.value);
    // One factor, or one for each sum.
    if (!factor || !counts || !(rhs.loops.empty() || rhs.loops == sum.loops))
      return {};
    SmallVector<uint32_t> factors = *getConstantBits(factor);
    for (auto [n, count] : llvm::enumerate(*counts)) {
      float f = llvm::bit_cast<float>(factors[factors.size() == 1 ? 0 : n]);
      float term = f * float(int32_t(count));
      if (j == 0)
        total.push_back(term);
      else
        total[n] += term;
    }
  }
  SmallVector<uint32_t> bits;
  for (float value : total)
    bits.push_back(llvm::bit_cast<uint32_t>(value));
  return createConstant(b, type.clone(b.getF32Type()), bits);
}

Along bquant::createOffsetTerm(ImplicitLocOpBuilder &b,
                               ArrayRef<OpFoldResult> sizes,
                               ArrayRef<Along> sums, const Scalars &offset,
                               const Scalars &rhs) {
  if (Value constant = foldOffsetTerm(b, sums, offset, rhs))
    return {constant, sums.front().loops};
  // The loops of the offset and of the sums alone.
  Along result{Value(), sums.front().loops};
  for (int64_t loop : offset.loops)
    if (!llvm::is_contained(result.loops, loop))
      result.loops.push_back(loop);
  llvm::sort(result.loops);
  auto toOwn = [&](ArrayRef<int64_t> loops) {
    return llvm::map_to_vector(loops, [&](int64_t loop) -> int64_t {
      return llvm::find(result.loops, loop) - result.loops.begin();
    });
  };
  SmallVector<OpFoldResult> own;
  for (int64_t loop : result.loops)
    own.push_back(sizes[loop]);
  int64_t rank = own.size();
  Scalars c{offset.count, offset.values, toOwn(offset.loops)};
  Scalars w{rhs.count, rhs.values, toOwn(rhs.loops)};
  Inputs inputs;
  SmallVector<Factor> factors;
  for (const Along &sum : sums)
    inputs.add(sum.value, getLoopMap(b.getContext(), rank, toOwn(sum.loops)));
  for (int64_t j = 0; j < rhs.count; ++j)
    factors.emplace_back(b, inputs, rank, &c, 0, w, j);
  result.value =
      createElementwise(b, own, b.getF32Type(), inputs,
                        [&](OpBuilder &b, Location loc, ValueRange args) {
                          Value sum;
                          for (auto [j, factor] : llvm::enumerate(factors))
                            sum = emitTerm(b, loc, sum,
                                           factor.get(b, loc, args), args[j]);
                          return SmallVector<Value>{sum};
                        })
          .front();
  return result;
}

namespace {
struct ConvertSign : OpConversionPattern<SignOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SignOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(op, createSign(b, adaptor.getInput().front()));
    return success();
  }
};
} // namespace

void bquant::populateSignPatterns(const TypeConverter &converter,
                                  RewritePatternSet &patterns) {
  patterns.add<ConvertSign>(converter, patterns.getContext());
}
