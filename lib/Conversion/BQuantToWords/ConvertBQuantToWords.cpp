//===- ConvertBQuantToWords.cpp - To packed words, xor and popcount -------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scaled-binary value becomes one tensor of i32 words a plane, its scalars
// and, where present, its offset (1:N).
//
//===----------------------------------------------------------------------===//

#include "Conversion/Common/LoweredValue.h"
#include "Conversion/Common/OnlineScalars.h"
#include "Conversion/Common/QuantizeLowering.h"
#include "PackedWords.h"
#include "bquant/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace bquant {
#define GEN_PASS_DEF_CONVERTBQUANTTOWORDS
#include "bquant/Conversion/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

void bquant::populateBQuantToWordsConversions(TypeConverter &converter) {
  addLoweredValueConversion(
      converter, [](SBTensorType type) -> Type { return type.getPlaneType(); });
}

namespace {
/// A constant for each plane; the planes of ternary become mask and sign.
struct ConvertConstant : OpConversionPattern<ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ConstantOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SBTensorType type = op.getType();
    SmallVector<uint32_t> words = op.getWordValues();
    RankedTensorType plane = type.getPlaneType();
    int64_t size = plane.getNumElements(), row = plane.getShape().back();
    if (isMasked(type)) {
      // The last word of a row has unused bits, which are 0.
      int64_t used = type.getShape().back() % kWordBits;
      uint32_t last = used ? (uint32_t(1) << used) - 1 : ~uint32_t(0);
      for (int64_t i = 0; i < size; ++i) {
        uint32_t first = words[i], second = words[size + i];
        uint32_t valid = i % row == row - 1 ? last : ~uint32_t(0);
        words[i] = ~(first ^ second) & valid;
        words[size + i] = first & second;
      }
    }
    LoweredValue lowered{type, {}, createFloats(b, op.getScalars()), Value()};
    for (int64_t i = 0; i < type.getPlanes(); ++i)
      lowered.planes.push_back(
          createFilter(b, plane, ArrayRef(words).slice(i * size, size)));
    if (op.getOffset())
      lowered.offset = createFloats(b, *op.getOffset());
    rewriter.replaceOpWithMultiple(op, {flatten(lowered)});
    return success();
  }
};

/// One generic that computes the bits of all planes, one pack.
struct ConvertQuantize : OpConversionPattern<QuantizeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(QuantizeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!getReasonUnsolvable(op).empty())
      return rewriter.notifyMatchFailure(op, "has no words");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto valueOf = [](ValueRange range) {
      return range.empty() ? Value() : range.front();
    };
    SBTensorType type = op.getType();
    Value input = adaptor.getInput().front();
    Solved solved{valueOf(adaptor.getScalars()),
                  valueOf(adaptor.getThresholds())};
    // One plane does not depend on its scalar: what computes the input can go
    // on to the words, and the sum comes behind.
    bool isSolvedLast = op.getScheme() && type.getPlanes() == 1;
    if (op.getScheme() && !isSolvedLast)
      solved = solve(b, op, input);
    LoweredValue lowered{type, {}, Value(), Value()};
    SmallVector<Type> elements(type.getPlanes(), b.getI1Type());
    SmallVector<Value> bits = createQuantize(
        b, op, input, solved.thresholds, solved.scalars, elements,
        [&](OpBuilder &b, Location loc, ArrayRef<Value> bits) {
          if (!isMasked(type))
            return llvm::to_vector(bits);
          return SmallVector<Value>{
              arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, bits[0],
                                    bits[1]),
              arith::AndIOp::create(b, loc, bits[0], bits[1])};
        });

    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(b, b.getLoc(), bits.front());
    sizes.back() = b.getIndexAttr(type.getPlaneType().getShape().back());
    SmallVector<Value> inits;
    for (size_t i = 0; i < bits.size(); ++i)
      inits.push_back(tensor::EmptyOp::create(b, sizes, b.getI32Type()));
    auto pack = PackOp::create(b, TypeRange(ValueRange(inits)), Layout::words,
                               bits, inits);
    llvm::append_range(lowered.planes, pack.getResults());
    if (isSolvedLast)
      solved = solve(b, op, input);
    lowered.scalars = solved.scalars;
    if (op.getOffset())
      lowered.offset = adaptor.getOffset().front();
    rewriter.replaceOpWithMultiple(op, {flatten(lowered)});
    return success();
  }

  /// Means become vector code; what has to be sorted is solved by a call.
  static Solved solve(ImplicitLocOpBuilder &b, QuantizeOp op, Value input) {
    return op.getScheme()->isOfMeans() ? createMeans(b, op, input)
                                       : createSolve(b, op, input);
  }
};

/// One unpack, one generic.
struct ConvertDequantize : OpConversionPattern<DequantizeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(DequantizeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SBTensorType type = op.getInput().getType();
    LoweredValue lowered = getLoweredValue(type, adaptor.getInput());
    SmallVector<Value> bits =
        createUnpack(b, lowered.planes, lowered.type.getShape().back());
    Inputs inputs;
    for (Value plane : bits)
      inputs.add(plane, b.getMultiDimIdentityMap(type.getRank()));
    auto read = [&](OpBuilder &b, Location loc, ValueRange args) {
      if (!type.hasRatios())
        return SmallVector<Value>(args.take_front(type.getPlanes()));
      auto choose = [&](Value bit, int64_t set, Value clear) -> Value {
        return arith::SelectOp::create(b, loc, bit, createI32(b, loc, set),
                                       clear);
      };
      if (isMasked(type)) {
        Value m = choose(args[1], 2, createI32(b, loc, -2));
        return SmallVector<Value>{
            arith::SelectOp::create(b, loc, args[0], m, createI32(b, loc, 0))};
      }
      Value sum;
      for (auto [i, m] : llvm::enumerate(type.getRatios())) {
        Value term = choose(args[i], m, createI32(b, loc, -m));
        sum = sum ? arith::AddIOp::create(b, loc, sum, term).getResult() : term;
      }
      return SmallVector<Value>{sum};
    };
    rewriter.replaceOp(
        op, createDequantize(b, op,
                             tensor::getMixedSizes(b, b.getLoc(), bits.front()),
                             inputs, lowered.scalars, lowered.offset, read));
    return success();
  }
};

template <typename Op,
          Value (*createWords)(ImplicitLocOpBuilder &, Op, const LoweredValue &,
                               const LoweredValue &),
          Value (*createFloats)(ImplicitLocOpBuilder &, Op, Value,
                                const LoweredValue &)>
struct ConvertProduct : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  LogicalResult matchAndRewrite(
      Op op, typename Op::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
      ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ArrayRef<ValueRange> operands = adaptor.getOperands();
    LoweredValue rhs = getLoweredValue(
        cast<SBTensorType>(op->getOperand(1).getType()), operands[1]);
    if (auto type = dyn_cast<SBTensorType>(op->getOperand(0).getType()))
      rewriter.replaceOp(
          op, createWords(b, op, getLoweredValue(type, operands[0]), rhs));
    else
      rewriter.replaceOp(op, createFloats(b, op, operands[0].front(), rhs));
    return success();
  }
};

struct ConvertMaxPool2D : OpConversionPattern<MaxPool2DOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MaxPool2DOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    LoweredValue input =
        getLoweredValue(op.getInput().getType(), adaptor.getInput());
    rewriter.replaceOpWithMultiple(
        op, {flatten(createMaxPool2DOfWords(b, op, input))});
    return success();
  }
};

struct ConvertBQuantToWords
    : bquant::impl::ConvertBQuantToWordsBase<ConvertBQuantToWords> {
  using Base::Base;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    TypeConverter converter;
    populateBQuantToWordsConversions(converter);
    RewritePatternSet patterns(context);
    populateBQuantToWordsPatterns(converter, patterns);
    if (failed(checkUses(getOperation(), "words_c1")) ||
        failed(
            convertBQuantOps(getOperation(), converter, std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

void bquant::populateBQuantToWordsPatterns(const TypeConverter &converter,
                                           RewritePatternSet &patterns) {
  populateSignPatterns(converter, patterns);
  patterns
      .add<ConvertConstant, ConvertQuantize, ConvertDequantize,
           ConvertProduct<Conv2DOp, createConv2DOfWords, createConv2DOfFloats>,
           ConvertProduct<MatmulOp, createMatmulOfWords, createMatmulOfFloats>,
           ConvertMaxPool2D>(converter, patterns.getContext());
}
