//===- ConvertBQuantToPacked.cpp - To packed words, xor and popcount
//-------===//
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

#include "ByteProducts.h"
#include "Conversion/Common/LoweredValue.h"
#include "Conversion/Common/OnlineScalars.h"
#include "Conversion/Common/QuantizeLowering.h"
#include "Dialect/BQuant/Analysis/Layouts.h"
#include "Dialect/BQuant/Analysis/Products.h"
#include "EvenRanks.h"
#include "FilterLayout.h"
#include "PackedWords.h"
#include "bquant/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace bquant {
#define GEN_PASS_DEF_CONVERTBQUANTTOPACKED
#include "bquant/Conversion/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

/// A value's planes in each of its layouts, then what else it has.
static void appendTypes(SBTensorType type,
                        ArrayRef<LayoutAttrInterface> layouts,
                        SmallVectorImpl<Type> &types) {
  for (LayoutAttrInterface layout : layouts)
    types.append(countTensors(type, layout),
                 getPackedType(layout, type.getShape()));
  types.push_back(type.getScalarsType());
  if (type.getHasOffset())
    types.push_back(type.getOffsetType());
}

void bquant::populateBQuantToPackedConversions(TypeConverter &converter,
                                               const LayoutAnalysis &layouts) {
  // The type alone does not say how a value lies: of values only.
  converter.addConversion([](Type type) -> std::optional<Type> {
    if (isa<SBTensorType>(type))
      return std::nullopt;
    return type;
  });
  converter.addConversion(
      [&layouts](Value value,
                 SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
        auto type = dyn_cast<SBTensorType>(value.getType());
        if (!type)
          return std::nullopt;
        // Of a value that was converted already: it is a cast, if patterns are
        // not rolled back.
        if (auto cast = value.getDefiningOp<UnrealizedConversionCastOp>())
          llvm::append_range(types, cast.getOperandTypes());
        else
          appendTypes(type, layouts.getLayouts(value), types);
        return success();
      });
  addLoweredValueMaterializations(converter);
}

/// Codes are the last of a value's layouts; in all others each plane lies by
/// itself.
static bool hasCodes(ArrayRef<LayoutAttrInterface> layouts) {
  return !layouts.back().packsPlanes();
}
static ArrayRef<LayoutAttrInterface>
getLayoutsOfPlanes(ArrayRef<LayoutAttrInterface> layouts) {
  return layouts.drop_back(hasCodes(layouts));
}

/// The planes of words in `layouts`.
static SmallVector<Value>
createLayoutsOf(ImplicitLocOpBuilder &b, SBTensorType type, ValueRange words,
                ArrayRef<LayoutAttrInterface> layouts) {
  SmallVector<Value> planes;
  ArrayRef<LayoutAttrInterface> ofPlanes = getLayoutsOfPlanes(layouts);
  if (!ofPlanes.empty())
    planes = createLayouts(b, words, type.getShape().back(), ofPlanes);
  if (hasCodes(layouts))
    planes.push_back(createCodes(b, type, words));
  return planes;
}

/// What a converted operand is, its planes in `layout`: another one than it has
/// only where it has words.
static LoweredValue getLoweredValue(ImplicitLocOpBuilder &b,
                                    const LayoutAnalysis &layouts,
                                    OpOperand &use, ValueRange values,
                                    LayoutAttrInterface layout) {
  auto type = cast<SBTensorType>(use.get().getType());
  ArrayRef<LayoutAttrInterface> all = layouts.getLayouts(use);
  SmallVector<Value> chosen;
  ValueRange left = values;
  for (LayoutAttrInterface each : all) {
    ValueRange tensors = left.take_front(countTensors(type, each));
    left = left.drop_front(tensors.size());
    if (each == layout)
      chosen = llvm::to_vector(tensors);
  }
  if (chosen.empty())
    chosen =
        createLayoutsOf(b, type, values.take_front(type.getPlanes()), layout);
  return {type, chosen, left.front(),
          type.getHasOffset() ? left.back() : Value()};
}

/// A value whose planes are words, in all layouts that are wanted of `op`.
static SmallVector<Value> flattenIn(ImplicitLocOpBuilder &b,
                                    const LayoutAnalysis &layouts,
                                    const LoweredValue &words, Value op) {
  SmallVector<Value> values =
      createLayoutsOf(b, words.type, words.planes, layouts.getLayouts(op));
  llvm::append_range(values,
                     ArrayRef(flatten(words)).drop_front(words.planes.size()));
  return values;
}

/// Planes outside have a layout. What comes as another one than words is not
/// made anything else: of words anything can be made.
static LogicalResult checkCasts(Operation *root) {
  auto check = [](UnrealizedConversionCastOp cast) {
    if (cast.getNumOperands() == 0)
      return WalkResult::advance();
    auto result = dyn_cast<SBTensorType>(cast.getResultTypes().front());
    auto type = result ? result
                       : dyn_cast<SBTensorType>(cast.getOperandTypes().front());
    if (!type)
      return WalkResult::advance();
    TypeRange types = result ? TypeRange(cast.getOperandTypes())
                             : TypeRange(cast.getResultTypes());
    LayoutAttrInterface layout = getLayoutOutside(types);
    SmallVector<Type> expected;
    appendTypes(type, layout, expected);
    if (types != TypeRange(expected))
      return WalkResult(cast.emitError("[words_c3] expected ")
                        << expected << " for " << type << ", but got "
                        << types);
    if (!result || isa<WordsLayoutAttr>(layout))
      return WalkResult::advance();
    for (OpOperand &use : cast->getUses())
      if (LayoutAttrInterface wanted = getWantedLayout(use); wanted != layout)
        return WalkResult(cast.emitError("[words_c2] expected uses that read ")
                          << layout.getName() << ", but got '"
                          << use.getOwner()->getName() << "', which reads "
                          << wanted.getName());
    return WalkResult::advance();
  };
  return failure(root->walk(check).wasInterrupted());
}

namespace {
/// A pattern that knows how values lie.
template <typename Op> struct ConvertPacked : OpConversionPattern<Op> {
  ConvertPacked(const TypeConverter &converter, MLIRContext *context,
                const LayoutAnalysis &layouts)
      : OpConversionPattern<Op>(converter, context), layouts(layouts) {}

  const LayoutAnalysis &layouts;
};
} // namespace

namespace {
/// A constant for each plane; the planes of ternary become mask and sign.
struct ConvertConstant : ConvertPacked<ConstantOp> {
  using ConvertPacked::ConvertPacked;

  LogicalResult
  matchAndRewrite(ConstantOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SBTensorType type = op.getType();
    SmallVector<uint32_t> words = op.getWordValues();
    RankedTensorType plane =
        getPackedType(WordsLayoutAttr::get(b.getContext()), type.getShape());
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
    rewriter.replaceOpWithMultiple(op, {flattenIn(b, layouts, lowered, op)});
    return success();
  }
};

/// The bits of a code, plane 1 the highest.
static SmallVector<Value> emitBits(OpBuilder &b, Location loc, Value code,
                                   int64_t planes) {
  SmallVector<Value> bits;
  for (int64_t plane = planes - 1; plane >= 0; --plane)
    bits.push_back(arith::TruncIOp::create(
        b, loc, b.getI1Type(),
        arith::ShRUIOp::create(b, loc, code, createI32(b, loc, plane))));
  return bits;
}

/// One generic that computes the bits of all planes, one pack.
struct ConvertQuantize : ConvertPacked<QuantizeOp> {
  using ConvertPacked::ConvertPacked;

  LogicalResult
  matchAndRewrite(QuantizeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(verifySolvable(op)))
      return rewriter.notifyMatchFailure(op, "has no words");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SBTensorType type = op.getType();
    Value input = adaptor.getInput().front();
    Solved solved = getGiven(adaptor);
    // One plane does not depend on its scalar: what computes the input can go
    // on to the words, and the sum comes behind.
    bool isSolvedLast = op.getScheme() && type.getPlanes() == 1;
    if (op.getScheme() && !isSolvedLast)
      solved = solve(b, op, input);
    LoweredValue lowered{type, {}, Value(), Value()};
    ArrayRef<LayoutAttrInterface> all = layouts.getLayouts(op),
                                  ofPlanes = getLayoutsOfPlanes(all);
    // Bits that two loop nests read would be written as an i1 each: planes
    // come from the codes where both are wanted.
    bool areCodes = hasCodes(all) && (ofPlanes.empty() || haveBits(type));
    SmallVector<Type> elements(type.getPlanes(), b.getI1Type());
    if (areCodes)
      elements.assign(1, getPackedType(CodesLayoutAttr::get(b.getContext()),
                                       type.getShape()));
    auto finish = [&](OpBuilder &b, Location loc, ArrayRef<Value> bits) {
      if (areCodes)
        return SmallVector<Value>{emitCode(b, loc, type, bits)};
      if (!isMasked(type))
        return llvm::to_vector(bits);
      return SmallVector<Value>{
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, bits[0],
                                bits[1]),
          arith::AndIOp::create(b, loc, bits[0], bits[1])};
    };
    SmallVector<Value> bits;
    if (solved.thresholds && !op.getScheme())
      bits = createQuantizeByLines(
          b, op, input, elements, [&](OpBuilder &b, Location loc, Value rank) {
            return finish(b, loc, emitBits(b, loc, rank, type.getPlanes()));
          });
    if (bits.empty())
      bits = createQuantize(b, op, input, solved, elements, finish);
    Value codes;
    if (areCodes) {
      codes = bits.front();
      if (!ofPlanes.empty())
        bits = createBitsOfCodes(b, type, codes);
    } else if (hasCodes(all)) {
      codes = createCodesOfBits(b, type, bits);
    }
    if (!ofPlanes.empty())
      lowered.planes = SmallVector<Value>(
          packed::PackOp::create(b, ofPlanes, bits).getResults());
    if (codes)
      lowered.planes.push_back(createWholeCodes(b, codes));
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
struct ConvertDequantize : ConvertPacked<DequantizeOp> {
  using ConvertPacked::ConvertPacked;

  LogicalResult
  matchAndRewrite(DequantizeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SBTensorType type = op.getInput().getType();
    LoweredValue lowered =
        ::getLoweredValue(b, layouts, op.getInputMutable(), adaptor.getInput(),
                          WordsLayoutAttr::get(b.getContext()));
    lowered.planes = createUnpack(b, lowered.planes, type.getShape().back());
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
    rewriter.replaceOp(op, createDequantize(b, lowered, read));
    return success();
  }
};

template <typename Op,
          Value (*createWords)(ImplicitLocOpBuilder &, Op, KernelAttrInterface,
                               const LoweredValue &, const LoweredValue &),
          Value (*createFloats)(ImplicitLocOpBuilder &, Op, Value,
                                const LoweredValue &)>
struct ConvertProduct : ConvertPacked<Op> {
  using ConvertPacked<Op>::ConvertPacked;
  using ConvertPacked<Op>::layouts;

  LogicalResult matchAndRewrite(
      Op op, typename Op::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
      ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ArrayRef<ValueRange> operands = adaptor.getOperands();
    bool isFloat = !isa<SBTensorType>(op->getOperand(0).getType());
    KernelAttrInterface kernel = getKernel(op);
    if (!isFloat && !kernel)
      return rewriter.notifyMatchFailure(op, "has no kernel");
    auto getOperand = [&](unsigned i, LayoutAttrInterface layout) {
      return ::getLoweredValue(b, layouts, op->getOpOperand(i), operands[i],
                               layout);
    };
    LoweredValue rhs = getOperand(1, WordsLayoutAttr::get(b.getContext()));
    rewriter.replaceOp(
        op, isFloat ? createFloats(b, op, operands[0].front(), rhs)
                    : createWords(b, op, kernel,
                                  getOperand(0, kernel.getLayout()), rhs));
    return success();
  }
};

struct ConvertMaxPool2D : ConvertPacked<MaxPool2DOp> {
  using ConvertPacked::ConvertPacked;

  LogicalResult
  matchAndRewrite(MaxPool2DOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    LayoutAttrInterface layout = layouts.getPoolLayout(op);
    LoweredValue result = createMaxPool2DOfPlanes(
        b, op,
        ::getLoweredValue(b, layouts, op.getInputMutable(), adaptor.getInput(),
                          layout),
        layout);
    // All users want another layout than words where the pool has it.
    rewriter.replaceOpWithMultiple(op, {isa<WordsLayoutAttr>(layout)
                                            ? flattenIn(b, layouts, result, op)
                                            : flatten(result)});
    return success();
  }
};

struct ConvertBQuantToPacked
    : bquant::impl::ConvertBQuantToPackedBase<ConvertBQuantToPacked> {
  using Base::Base;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    if (failed(checkUses(getOperation(), "words_c1")) ||
        failed(verifyKernels(getOperation())) ||
        failed(checkCasts(getOperation())))
      return signalPassFailure();
    // Before anything is rewritten.
    LayoutAnalysis layouts(getOperation());
    TypeConverter converter;
    populateBQuantToPackedConversions(converter, layouts);
    RewritePatternSet patterns(context);
    populateBQuantToPackedPatterns(converter, patterns, layouts);
    ConversionConfig config;
    config.allowPatternRollback = rollback;
    if (failed(convertBQuantOps(
            getOperation(), converter, std::move(patterns),
            [](Operation *op, ExplainFn explain) -> LogicalResult {
              if (isa<Conv2DOp, MatmulOp>(op) &&
                  cast<SBTensorType>(op->getOperand(1).getType())
                      .getHasOffset())
                return explain("expected a filter without offset "
                               "(--bquant-split-filter-offsets)");
              std::optional<ProductShape> shape = getProductShape(op);
              if (shape && !shape->floatInput && !getKernelAttr(op))
                return explain("expected a kernel (--bquant-select-kernels)");
              return success();
            },
            config)))
      return signalPassFailure();
    packByteProducts(getOperation());
    layOutFloatProducts(getOperation());
  }
};
} // namespace

void bquant::populateBQuantToPackedPatterns(const TypeConverter &converter,
                                            RewritePatternSet &patterns,
                                            const LayoutAnalysis &layouts) {
  populateSignPatterns(converter, patterns);
  patterns
      .add<ConvertConstant, ConvertQuantize, ConvertDequantize,
           ConvertProduct<Conv2DOp, createConv2DOfWords, createConv2DOfFloats>,
           ConvertProduct<MatmulOp, createMatmulOfWords, createMatmulOfFloats>,
           ConvertMaxPool2D>(converter, patterns.getContext(), layouts);
}
