//===- ScaledProducts.cpp - Products as sources of thresholds -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScaledProducts.h"
#include "Dialect/BQuant/Analysis/Constants.h"
#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::chains;

//===----------------------------------------------------------------------===//
// What a product is
//===----------------------------------------------------------------------===//

SmallVector<float> chains::getConstantScalars(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto pool = dyn_cast_or_null<MaxPool2DOp>(op))
    return getConstantScalars(pool.getInput());
  if (auto constant = dyn_cast_or_null<ConstantOp>(op))
    return constant.getScalarValues();
  if (auto quantize = dyn_cast_or_null<QuantizeOp>(op))
    if (quantize.getScalars())
      return getConstantFloats(quantize.getScalars());
  return {};
}

SmallVector<float> chains::getConstantOffset(Value value) {
  if (!cast<SBTensorType>(value.getType()).getHasOffset())
    return {0.0f};
  Operation *op = value.getDefiningOp();
  if (auto pool = dyn_cast_or_null<MaxPool2DOp>(op))
    return getConstantOffset(pool.getInput());
  if (auto constant = dyn_cast_or_null<ConstantOp>(op))
    return getFloatValues(*constant.getOffset());
  if (auto quantize = dyn_cast_or_null<QuantizeOp>(op))
    return getConstantFloats(quantize.getOffset());
  return {};
}

/// Left operand, right operand and size of the reduction of a product of two
/// scaled-binary values; a null value if it is none.
static std::tuple<Value, Value, int64_t> getProductOperands(Operation *op) {
  Value lhs, rhs;
  int64_t taps = 1;
  if (auto conv = dyn_cast_or_null<Conv2DOp>(op)) {
    lhs = conv.getInput();
    rhs = conv.getFilter();
    for (int64_t size : conv.getFilter().getType().getShape().drop_front())
      taps *= size; // The verifier has checked for overflow.
  } else if (auto matmul = dyn_cast_or_null<MatmulOp>(op)) {
    lhs = matmul.getLhs();
    rhs = matmul.getRhs();
    taps = matmul.getRhs().getType().getShape().back();
  }
  if (!lhs || !isa<SBTensorType>(lhs.getType()))
    return {};
  return {lhs, rhs, taps};
}

static bool allFinite(ArrayRef<float> values) {
  return llvm::all_of(values, [](float v) { return std::isfinite(v); });
}

std::optional<ScaledProduct> chains::getScaledProduct(Operation *product) {
  auto [lhs, rhs, taps] = getProductOperands(product);
  if (!lhs)
    return std::nullopt;
  auto x = cast<SBTensorType>(lhs.getType());
  auto w = cast<SBTensorType>(rhs.getType());
  if (!x.hasOneScalar() || x.getHasOffset() || !w.hasOneScalar() ||
      w.getHasOffset())
    return std::nullopt;
  ScaledProduct result;
  result.bound = taps * x.getLargestMultiple() * w.getLargestMultiple();
  // The integer itself needs no scalars.
  if (cast<ShapedType>(product->getResult(0).getType())
          .getElementType()
          .isInteger(32))
    return result;
  // One scalar for all samples, and one for each filter: a batch of matrices
  // has one for each matrix.
  SmallVector<float> v = getConstantScalars(lhs), f = getConstantScalars(rhs);
  if (v.size() != 1 || f.empty() || (f.size() > 1 && w.getRank() == 3) ||
      !allFinite(v) || !allFinite(f))
    return std::nullopt;
  for (float factor : f)
    result.factors.push_back(v.front() * factor);
  return result;
}

FloatRange chains::getLeafRange(Operation *op) {
  auto largest = [](Value value) {
    // The largest offset and the sum of the planes' largest scalars.
    SmallVector<float> scalars = getConstantScalars(value);
    SmallVector<float> offset = getConstantOffset(value);
    auto type = cast<SBTensorType>(value.getType());
    if (scalars.empty() || offset.empty())
      return std::numeric_limits<double>::infinity();
    double c = 0;
    for (float each : offset) {
      double magnitude = std::fabs(double(each));
      c = magnitude <= c ? c : magnitude; // NaN is no bound.
    }
    size_t groups = scalars.size() / type.getNumScalars();
    double sum = 0;
    for (int64_t i = 0; i < type.getNumScalars(); ++i) {
      double most = 0;
      for (size_t g = 0; g < groups; ++g) {
        double v = std::fabs(double(scalars[i * groups + g]));
        // NaN is no bound.
        most = v <= most ? most : v;
      }
      sum += most;
    }
    if (type.hasRatios())
      sum *= double(type.getLargestMultiple());
    return c + sum;
  };
  double bound = std::numeric_limits<double>::infinity();
  int64_t sums = 1;
  if (auto dequantize = dyn_cast_or_null<DequantizeOp>(op)) {
    bound = largest(dequantize.getInput());
  } else {
    auto [lhs, rhs, taps] = getProductOperands(op);
    if (lhs)
      bound = largest(lhs) * largest(rhs) * double(taps);
    sums += taps;
  }
  // Room for the roundings of at most 64 terms, which are of a part of each,
  // but of a step where numbers are subnormal. False for NaN, too.
  bound = bound * 1.001 +
          64.0 * double(sums) * std::numeric_limits<float>::denorm_min();
  if (!(bound < double(std::numeric_limits<float>::max())))
    return {};
  float high = std::nextafter(float(bound), INFINITY);
  return {-high, high, false};
}

//===----------------------------------------------------------------------===//
// What a product becomes
//===----------------------------------------------------------------------===//

ConstantOp chains::getFilter(Operation *product) {
  Value filter;
  if (auto conv = dyn_cast_or_null<Conv2DOp>(product))
    filter = conv.getFilter();
  else if (auto matmul = dyn_cast_or_null<MatmulOp>(product))
    filter = matmul.getRhs();
  // The signs of an offset are not among the words.
  if (!filter || cast<SBTensorType>(filter.getType()).getHasOffset())
    return {};
  return filter.getDefiningOp<ConstantOp>();
}

/// Gives a product other words of its constant filter.
static void setFilterWords(Operation *product, ArrayRef<uint32_t> words,
                           RewriterBase &rewriter) {
  ConstantOp filter = getFilter(product);
  SBTensorType type = filter.getType();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(product);
  auto changed = ConstantOp::create(
      rewriter, filter.getLoc(), type, getWordsAttr(type.getWordsType(), words),
      filter.getScalars(), filter.getOffsetAttr());
  rewriter.modifyOpInPlace(product, [&] { product->setOperand(1, changed); });
  if (filter.use_empty())
    rewriter.eraseOp(filter);
}

void chains::negateFilters(Operation *product, const std::vector<bool> &marked,
                           RewriterBase &rewriter) {
  ConstantOp filter = getFilter(product);
  SBTensorType type = filter.getType();
  SmallVector<uint32_t> words = filter.getWordValues();
  // Rows of words within a filter; filters are dimension 0, of a batch of
  // matrices 1.
  int64_t rowWords = type.getPlaneType().getShape().back();
  int64_t filterWords = rowWords;
  for (int64_t d = type.getRank() == 3 ? 2 : 1; d < type.getRank() - 1; ++d)
    filterWords *= type.getDimSize(d);
  int64_t tail = type.getShape().back() % kWordBits;
  for (auto [i, word] : llvm::enumerate(words)) {
    if (!marked[i / filterWords % marked.size()])
      continue;
    bool last = int64_t(i) % rowWords == rowWords - 1;
    word ^= last && tail ? (1u << tail) - 1 : ~0u;
  }
  setFilterWords(product, words, rewriter);
}

void chains::negateInputs(Operation *product, const std::vector<bool> &marked,
                          RewriterBase &rewriter) {
  ConstantOp filter = getFilter(product);
  SmallVector<uint32_t> words = filter.getWordValues();
  // Each row of words lies along the input's channels.
  SmallVector<uint32_t> row(filter.getType().getPlaneType().getShape().back());
  for (auto [c, negated] : llvm::enumerate(marked))
    row[c / kWordBits] |= uint32_t(negated) << (c % kWordBits);
  for (auto [i, word] : llvm::enumerate(words))
    word ^= row[i % row.size()];
  setFilterWords(product, words, rewriter);
}

Value chains::multiplyChannels(Value input, ArrayRef<float> factors,
                               RewriterBase &rewriter, Location loc) {
  ImplicitLocOpBuilder b(loc, rewriter);
  auto constant = arith::ConstantOp::create(
      b, getFloatsAttr(
             RankedTensorType::get(int64_t(factors.size()), b.getF32Type()),
             factors));
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, input);
  int64_t rank = sizes.size();
  // One factor serves all channels.
  AffineExpr channel = factors.size() == 1 ? b.getAffineConstantExpr(0)
                                           : b.getAffineDimExpr(rank - 1);
  Inputs inputs;
  inputs.add(constant, AffineMap::get(rank, 0, channel));
  inputs.add(input, b.getMultiDimIdentityMap(rank));
  return createElementwise(b, sizes, b.getF32Type(), inputs,
                           [](OpBuilder &b, Location loc, ValueRange args) {
                             Value x = args[1];
                             if (x.getType().isInteger(32))
                               x = arith::SIToFPOp::create(b, loc,
                                                           b.getF32Type(), x);
                             return arith::MulFOp::create(b, loc, args[0], x);
                           });
}

Value chains::makeAccumulator(Operation *product, RewriterBase &rewriter) {
  Value old = product->getResult(0);
  auto type = cast<RankedTensorType>(old.getType());
  if (type.getElementType().isInteger(32))
    return old;
  ScaledProduct scaled = *getScaledProduct(product);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfter(product);
  Operation *copy = rewriter.clone(*product);
  copy->getResult(0).setType(type.clone(rewriter.getI32Type()));
  if (!old.use_empty())
    rewriter.replaceAllUsesWith(old, multiplyChannels(copy->getResult(0),
                                                      scaled.factors, rewriter,
                                                      product->getLoc()));
  rewriter.eraseOp(product);
  return copy->getResult(0);
}
