//===- ConvertBQuantToReference.cpp - To i8 signs and plain loops ---------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scaled-binary value becomes one tensor of i8 signs a plane, its scalars
// and, where present, its offset (1:N).
//
//===----------------------------------------------------------------------===//

#include "Conversion/Common/LoweredValue.h"
#include "Conversion/Common/OnlineScalars.h"
#include "Conversion/Common/QuantizeLowering.h"
#include "ReferenceProducts.h"
#include "bquant/Conversion/Passes.h"
#include "bquant/Target/ModuleTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace bquant {
#define GEN_PASS_DEF_CONVERTBQUANTTOREFERENCE
#include "bquant/Conversion/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

void bquant::populateBQuantToReferenceConversions(TypeConverter &converter) {
  addLoweredValueConversion(converter, [](SBTensorType type) -> Type {
    return RankedTensorType::get(type.getShape(),
                                 IntegerType::get(type.getContext(), 8));
  });
}

namespace {
struct ConvertConstant : OpConversionPattern<ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ConstantOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SBTensorType type = op.getType();
    SmallVector<uint32_t> words = op.getWordValues();
    int64_t size = type.getPlaneType().getNumElements();
    auto plane = RankedTensorType::get(type.getShape(), b.getI8Type());
    SmallVector<Value> values;
    for (int64_t i = 0; i < type.getPlanes(); ++i)
      values.push_back(
          createSigns(b, plane, ArrayRef(words).slice(i * size, size)));
    values.push_back(createFloats(b, op.getScalars()));
    if (op.getOffset())
      values.push_back(createFloats(b, *op.getOffset()));
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }
};

struct ConvertQuantize : OpConversionPattern<QuantizeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(QuantizeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(verifySolvable(op)))
      return rewriter.notifyMatchFailure(op, "has no reference");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value input = adaptor.getInput().front();
    Solved solved =
        op.getScheme() ? createSolve(b, op, input) : getGiven(adaptor);
    SmallVector<Type> elements(op.getType().getPlanes(), b.getI8Type());
    LoweredValue lowered{op.getType(), {}, solved.scalars, Value()};
    lowered.planes = createQuantize(
        b, op, input, solved, elements,
        [](OpBuilder &b, Location loc, ArrayRef<Value> bits) {
          Value plus = arith::ConstantOp::create(b, loc, b.getI8IntegerAttr(1));
          Value minus =
              arith::ConstantOp::create(b, loc, b.getI8IntegerAttr(-1));
          return llvm::map_to_vector(bits, [&](Value bit) -> Value {
            return arith::SelectOp::create(b, loc, bit, plus, minus);
          });
        });
    if (op.getOffset())
      lowered.offset = adaptor.getOffset().front();
    rewriter.replaceOpWithMultiple(op, {flatten(lowered)});
    return success();
  }
};

struct ConvertDequantize : OpConversionPattern<DequantizeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(DequantizeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    LoweredValue signs =
        getLoweredValue(op.getInput().getType(), adaptor.getInput());
    ArrayRef<int64_t> ratios = signs.type.getRatios();
    auto read = [&](OpBuilder &b, Location loc, ValueRange args) {
      Value m, zero = arith::ConstantOp::create(b, loc, b.getI8IntegerAttr(0));
      SmallVector<Value> bits;
      for (int64_t i = 0; i < signs.type.getPlanes(); ++i) {
        if (ratios.empty()) {
          bits.push_back(arith::CmpIOp::create(
              b, loc, arith::CmpIPredicate::sgt, args[i], zero));
          continue;
        }
        Value term = arith::ExtSIOp::create(b, loc, b.getI32Type(), args[i]);
        term =
            arith::MulIOp::create(b, loc, createI32(b, loc, ratios[i]), term);
        m = m ? arith::AddIOp::create(b, loc, m, term).getResult() : term;
      }
      return ratios.empty() ? bits : SmallVector<Value>{m};
    };
    rewriter.replaceOp(op, createDequantize(b, signs, read));
    return success();
  }
};

template <typename Op,
          Value (*create)(ImplicitLocOpBuilder &, Op, Value,
                          const LoweredValue *, const LoweredValue &)>
struct ConvertProduct : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  LogicalResult matchAndRewrite(
      Op op, typename Op::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
      ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ArrayRef<ValueRange> operands = adaptor.getOperands();
    LoweredValue rhs = getLoweredValue(
        cast<SBTensorType>(op->getOperand(1).getType()), operands[1]);
    if (auto type = dyn_cast<SBTensorType>(op->getOperand(0).getType())) {
      LoweredValue lhs = getLoweredValue(type, operands[0]);
      rewriter.replaceOp(op, create(b, op, Value(), &lhs, rhs));
    } else {
      rewriter.replaceOp(op, create(b, op, operands[0].front(), nullptr, rhs));
    }
    return success();
  }
};

struct ConvertMaxPool2D : OpConversionPattern<MaxPool2DOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MaxPool2DOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    LoweredValue signs =
        getLoweredValue(op.getInput().getType(), adaptor.getInput());
    rewriter.replaceOpWithMultiple(op,
                                   {flatten(createMaxPool2D(b, op, signs))});
    return success();
  }
};

struct ConvertBQuantToReference
    : bquant::impl::ConvertBQuantToReferenceBase<ConvertBQuantToReference> {
  using Base::Base;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    TypeConverter converter;
    populateBQuantToReferenceConversions(converter);
    RewritePatternSet patterns(context);
    populateBQuantToReferencePatterns(converter, patterns);
    // What a product of floats is depends on it.
    if (failed(getModuleDescription(getOperation())) ||
        failed(checkUses(getOperation(), "reference_c1")) ||
        failed(
            convertBQuantOps(getOperation(), converter, std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

void bquant::populateBQuantToReferencePatterns(const TypeConverter &converter,
                                               RewritePatternSet &patterns) {
  populateSignPatterns(converter, patterns);
  patterns.add<ConvertConstant, ConvertQuantize, ConvertDequantize,
               ConvertProduct<Conv2DOp, createConv2D>,
               ConvertProduct<MatmulOp, createMatmul>, ConvertMaxPool2D>(
      converter, patterns.getContext());
}
