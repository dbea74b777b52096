//===- QuantizeLowering.cpp - From numbers to bits and back ---------------===//
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

#include "QuantizeLowering.h"
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

Solved
bquant::getGiven(QuantizeOp::GenericAdaptor<ArrayRef<ValueRange>> adaptor) {
  auto get = [](ValueRange range) {
    return range.empty() ? Value() : range.front();
  };
  return {get(adaptor.getScalars()), get(adaptor.getThresholds())};
}

SmallVector<Value> bquant::createQuantize(ImplicitLocOpBuilder &b,
                                          QuantizeOp op, Value input,
                                          const Solved &solved,
                                          TypeRange elements,
                                          FinishBits finish) {
  Value thresholds = solved.thresholds;
  SBTensorType type = op.getType();
  int64_t rank = type.getRank(), planes = type.getPlanes();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), input);
  Inputs inputs(input);
  if (!thresholds) {
    // The last plane's scalar is of no use.
    SmallVector<Inputs::Handle> handles;
    int64_t used = type.hasRatios() ? 1 : planes - 1;
    for (int64_t i = 0; i < used; ++i)
      handles.push_back(
          inputs.addRow(b, solved.scalars, i, type.getAxes(), rank));
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

Value bquant::createDequantize(ImplicitLocOpBuilder &b,
                               const LoweredValue &input, ReadBits read) {
  SBTensorType type = input.type;
  int64_t rank = type.getRank();
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), input.planes.front());
  Inputs inputs(input.planes);
  SmallVector<Inputs::Handle> handles;
  for (int64_t i = 0; i < type.getNumScalars(); ++i)
    handles.push_back(inputs.addRow(b, input.scalars, i, type.getAxes(), rank));
  Inputs::Handle c;
  if (input.offset)
    c = inputs.add(input.offset,
                   getLoopMap(b.getContext(), rank, type.getAxes()));
  return createElementwise(
      b, sizes, b.getF32Type(), inputs,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        SmallVector<Value> bits = read(b, loc, args);
        Value sum = input.offset ? c.get(b, loc, args) : Value();
        for (auto [i, handle] : llvm::enumerate(handles)) {
          Value v = handle.get(b, loc, args);
          Value term;
          if (type.hasRatios()) {
            Value m =
                arith::SIToFPOp::create(b, loc, b.getF32Type(), bits.front());
            term = arith::MulFOp::create(b, loc, v, m);
          } else {
            term = arith::SelectOp::create(b, loc, bits[i], v,
                                           arith::NegFOp::create(b, loc, v));
          }
          sum =
              sum ? arith::AddFOp::create(b, loc, sum, term).getResult() : term;
        }
        return sum;
      });
}

namespace {
struct ConvertSign : OpConversionPattern<SignOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SignOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto emit = [](OpBuilder &b, Location loc, ValueRange args) {
      Value bit = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGE,
                                        args.front(), createF32(b, loc, 0));
      return arith::SelectOp::create(b, loc, bit, createF32(b, loc, 1),
                                     createF32(b, loc, -1));
    };
    rewriter.replaceOp(op, createElementwise(b, b.getF32Type(),
                                             adaptor.getInput().front(), emit));
    return success();
  }
};
} // namespace

void bquant::populateSignPatterns(const TypeConverter &converter,
                                  RewritePatternSet &patterns) {
  patterns.add<ConvertSign>(converter, patterns.getContext());
}
