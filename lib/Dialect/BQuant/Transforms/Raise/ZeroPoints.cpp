//===- ZeroPoints.cpp - Quantized products as products of integers --------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %y = linalg.conv_2d_nhwc_fhwc_q ins(%x, %f, %a, %b) outs(%init)
//
// sums (x - a) (f - b), the same as sum x f - b sum x - a sum f + K a b, all of
// it in integers that wrap. It becomes
//
//   %z = linalg.conv_2d_nhwc_fhwc ins(%x, %f) outs(%init)
//   %s = linalg.generic ins(%x) { the sum of each window }
//   %t = linalg.generic ins(%f) { the sum of each filter }
//   %y = linalg.generic ins(%z, %s, %t) { %z - b * %s - a * %t + K * a * b }
//
// without what a zero point of 0 leaves out. A constant filter takes its zero
// point in where the difference is a byte; its sums are constants.
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/LinalgProducts.h"
#include "Dialect/BQuant/IR/RawElements.h"
#include "ProductMatching.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace bquant;

static std::optional<int64_t> getNumber(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  return std::nullopt;
}

/// `value` with `taken` off each element; null where one is no byte.
static Value subtractFrom(RewriterBase &rewriter, Value value, int64_t taken) {
  std::optional<SmallVector<int8_t>> bytes = getConstantBytes(value);
  if (!bytes)
    return {};
  for (int8_t &byte : *bytes) {
    int64_t moved = byte - taken;
    if (!llvm::isInt<8>(moved))
      return {};
    byte = moved;
  }
  auto type = cast<RankedTensorType>(value.getType());
  return arith::ConstantOp::create(
      rewriter, value.getLoc(),
      DenseElementsAttr::get(type, ArrayRef<int8_t>(*bytes)));
}

namespace {
/// The sums of an operand over all reductions, along the result's loops that it
/// is read by.
struct Sums {
  Value value;
  AffineMap map; // From the result's dimensions.
};
} // namespace

/// `operand`: of a product whose result is indexed by its parallel loops.
static Sums createSums(RewriterBase &rewriter, linalg::LinalgOp op,
                       OpOperand &operand) {
  Location loc = op.getLoc();
  MLIRContext *context = rewriter.getContext();
  AffineMap map = op.getMatchingIndexingMap(&operand),
            result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  // The loops of the operand: those of the result first.
  SmallVector<unsigned> loops;
  SmallVector<AffineExpr> kept, along;
  for (auto [d, index] : llvm::enumerate(result.getResults())) {
    unsigned loop = cast<AffineDimExpr>(index).getPosition();
    if (!map.isFunctionOfDim(loop))
      continue;
    kept.push_back(getAffineDimExpr(loops.size(), context));
    along.push_back(getAffineDimExpr(d, context));
    loops.push_back(loop);
  }
  size_t parallel = loops.size();
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  llvm::append_range(loops, reductions);
  SmallVector<AffineExpr> to(op.getNumLoops(),
                             getAffineConstantExpr(0, context));
  for (auto [i, loop] : llvm::enumerate(loops))
    to[loop] = getAffineDimExpr(i, context);
  map = map.replaceDimsAndSymbols(to, {}, loops.size(), 0);

  SmallVector<int64_t> ranges = op.getStaticLoopRanges(), sizes, window;
  for (auto [i, loop] : llvm::enumerate(loops))
    (i < parallel ? sizes : window).push_back(ranges[loop]);
  Type i32 = rewriter.getI32Type();
  AffineMap resultMap =
      AffineMap::getMultiDimIdentityMap(result.getNumResults(), context);
  resultMap = AffineMap::get(resultMap.getNumDims(), 0, along, context);

  if (std::optional<SmallVector<int8_t>> bytes =
          getConstantBytes(operand.get());
      bytes && map.isProjectedPermutation()) {
    auto type = cast<RankedTensorType>(operand.get().getType());
    SmallVector<int64_t> strides = computeStrides(type.getShape()),
                         resultStrides = computeStrides(sizes);
    SmallVector<int32_t> sums(computeProduct(sizes), 0);
    for (size_t i = 0; i < bytes->size(); ++i) {
      SmallVector<int64_t> place = delinearize(i, strides);
      int64_t at = 0;
      for (auto [d, index] : llvm::enumerate(map.getResults()))
        if (unsigned loop = cast<AffineDimExpr>(index).getPosition();
            loop < parallel)
          at += place[d] * resultStrides[loop];
      sums[at] += (*bytes)[i];
    }
    Value constant = arith::ConstantOp::create(
        rewriter, loc,
        DenseElementsAttr::get(RankedTensorType::get(sizes, i32),
                               ArrayRef<int32_t>(sums)));
    return {constant, resultMap};
  }

  // The window's sizes come from an operand that is not read.
  SmallVector<AffineExpr> reduced;
  for (size_t i = parallel; i < loops.size(); ++i)
    reduced.push_back(getAffineDimExpr(i, context));
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(0));
  Value shape = tensor::EmptyOp::create(rewriter, loc, window, i32);
  Value init = tensor::EmptyOp::create(rewriter, loc, sizes, i32);
  init = linalg::FillOp::create(rewriter, loc, zero, init).getResult(0);
  SmallVector<AffineMap> maps{map,
                              AffineMap::get(loops.size(), 0, reduced, context),
                              AffineMap::get(loops.size(), 0, kept, context)};
  SmallVector<utils::IteratorType> iterators(loops.size(),
                                             utils::IteratorType::reduction);
  std::fill_n(iterators.begin(), parallel, utils::IteratorType::parallel);
  Value sums =
      linalg::GenericOp::create(
          rewriter, loc, init.getType(), ValueRange{operand.get(), shape}, init,
          maps, iterators,
          [&](OpBuilder &b, Location nested, ValueRange args) {
            Value wide = arith::ExtSIOp::create(b, nested, i32, args[0]);
            Value sum = arith::AddIOp::create(b, nested, args[2], wide);
            linalg::YieldOp::create(b, nested, sum);
          })
          .getResult(0);
  return {sums, resultMap};
}

namespace {
/// `To` is `From` without zero points.
template <typename From, typename To>
struct TakeOffZeroPoints : OpRewritePattern<From> {
  using OpRewritePattern<From>::OpRewritePattern;

  LogicalResult matchAndRewrite(From op,
                                PatternRewriter &rewriter) const override {
    auto structured = cast<linalg::LinalgOp>(op.getOperation());
    auto isOfBytes = [](Value value) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      return type && type.hasStaticShape() &&
             type.getElementType().isSignlessInteger(8);
    };
    Value input = op.getInputs()[0], filter = op.getInputs()[1],
          inputZero = op.getInputs()[2], filterZero = op.getInputs()[3],
          init = op.getOutputs()[0];
    if (!structured.hasPureTensorSemantics() || !isOfBytes(input) ||
        !isOfBytes(filter) ||
        !getElementTypeOrSelf(init.getType()).isSignlessInteger(32) ||
        !inputZero.getType().isSignlessInteger(32) ||
        !filterZero.getType().isSignlessInteger(32))
      return rewriter.notifyMatchFailure(
          op, "not of static tensors of i8, summed in i32");
    Location loc = op.getLoc();
    std::optional<int64_t> first = getNumber(inputZero),
                           second = getNumber(filterZero);
    if (second && *second != 0)
      if (Value moved = subtractFrom(rewriter, filter, *second)) {
        Value zero = arith::ConstantOp::create(rewriter, loc,
                                               rewriter.getI32IntegerAttr(0));
        rewriter.modifyOpInPlace(op, [&] {
          op->setOperand(1, moved);
          op->setOperand(3, zero);
        });
        return success();
      }
    Value result = createPlain(op, rewriter, input, filter, init);
    bool hasFirst = first != 0, hasSecond = second != 0;
    if (!hasFirst && !hasSecond) {
      rewriter.replaceOp(op, result);
      return success();
    }
    auto type = cast<RankedTensorType>(result.getType());
    AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
    SmallVector<Value> operands{result};
    SmallVector<AffineMap> maps{identity};
    auto add = [&](OpOperand &operand) {
      Sums sums = createSums(rewriter, structured, operand);
      operands.push_back(sums.value);
      maps.push_back(sums.map);
    };
    if (hasSecond)
      add(op->getOpOperand(0));
    if (hasFirst)
      add(op->getOpOperand(1));
    int64_t count = 1;
    SmallVector<unsigned> reductions;
    structured.getReductionDims(reductions);
    for (unsigned loop : reductions)
      count *= structured.getStaticLoopRanges()[loop];
    maps.push_back(identity);
    Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                          type.getElementType());
    SmallVector<utils::IteratorType> iterators(type.getRank(),
                                               utils::IteratorType::parallel);
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, type, operands, empty, maps, iterators,
        [&](OpBuilder &b, Location nested, ValueRange args) {
          Value sum = args[0];
          unsigned next = 1;
          auto takeOff = [&](Value zero) {
            Value term = arith::MulIOp::create(b, nested, zero, args[next++]);
            sum = arith::SubIOp::create(b, nested, sum, term);
          };
          if (hasSecond)
            takeOff(filterZero);
          if (hasFirst)
            takeOff(inputZero);
          if (hasFirst && hasSecond) {
            Value number = arith::ConstantOp::create(
                b, nested, b.getI32IntegerAttr(int32_t(count)));
            Value both =
                arith::MulIOp::create(b, nested, inputZero, filterZero);
            both = arith::MulIOp::create(b, nested, both, number);
            sum = arith::AddIOp::create(b, nested, sum, both);
          }
          linalg::YieldOp::create(b, nested, sum);
        });
    return success();
  }

private:
  static Value createPlain(From op, PatternRewriter &rewriter, Value input,
                           Value filter, Value init) {
    if constexpr (std::is_same_v<To, linalg::MatmulOp> ||
                  std::is_same_v<To, linalg::BatchMatmulOp>)
      return To::create(rewriter, op.getLoc(), init.getType(),
                        ValueRange{input, filter}, ValueRange{init})
          ->getResult(0);
    else
      return To::create(rewriter, op.getLoc(), init.getType(),
                        ValueRange{input, filter}, ValueRange{init},
                        op.getStrides(), op.getDilations())
          ->getResult(0);
  }
};
} // namespace

void bquant::populateZeroPointPatterns(RewritePatternSet &patterns) {
  using namespace linalg;
  patterns.add<
      TakeOffZeroPoints<QuantizedMatmulOp, linalg::MatmulOp>,
      TakeOffZeroPoints<QuantizedBatchMatmulOp, linalg::BatchMatmulOp>,
      TakeOffZeroPoints<Conv2DNhwcHwcfQOp, Conv2DNhwcHwcfOp>,
      TakeOffZeroPoints<Conv2DNhwcFhwcQOp, Conv2DNhwcFhwcOp>,
      TakeOffZeroPoints<Conv2DNchwFchwQOp, Conv2DNchwFchwOp>,
      TakeOffZeroPoints<Conv2DNgchwGfchwQOp, Conv2DNgchwGfchwOp>,
      TakeOffZeroPoints<Conv2DNhwgcGfhwcQOp, Conv2DNhwgcGfhwcOp>,
      TakeOffZeroPoints<Conv3DNdhwcDhwcfQOp, Conv3DNdhwcDhwcfOp>,
      TakeOffZeroPoints<DepthwiseConv2DNhwcHwcQOp, DepthwiseConv2DNhwcHwcOp>,
      TakeOffZeroPoints<DepthwiseConv2DNhwcHwcmQOp, DepthwiseConv2DNhwcHwcmOp>>(
      patterns.getContext());
}
