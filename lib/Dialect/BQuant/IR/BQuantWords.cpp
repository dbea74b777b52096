//===- BQuantWords.cpp - pack and unpack, with tiling ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both iterate over words: a tile of words [o, o + n) along the last dimension
// goes with the elements [32 o, min(32 (o + n), C)).
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

/// "[constraint] expected ".
static InFlightDiagnostic expected(Operation *op, const Twine &constraint) {
  return op->emitOpError() << "[" << constraint << "] expected ";
}

/// Constraints 1 to 3 of pack and unpack.
static LogicalResult verifyWords(Operation *op, StringRef name,
                                 ValueRange elements, ValueRange words,
                                 ValueRange inits, TypeRange results) {
  auto constraint = [&](int i) { return (name + "_c" + Twine(i)).str(); };
  if (elements.empty())
    return expected(op, constraint(1)) << "at least one operand";
  auto type = cast<RankedTensorType>(elements.front().getType());
  if (type.getRank() == 0)
    return expected(op, constraint(2)) << "rank >= 1, but got " << type;
  // A tile at the end of a row may have a dynamic number of elements.
  SmallVector<int64_t> shape(type.getShape());
  if (!ShapedType::isDynamic(shape.back()))
    shape.back() = llvm::divideCeil(shape.back(), kWordBits);
  for (auto [e, w] : llvm::zip_equal(elements, words)) {
    auto wordsType = cast<RankedTensorType>(w.getType());
    if (e.getType() != type ||
        failed(verifyCompatibleShape(wordsType.getShape(), shape)))
      return expected(op, constraint(3))
             << "words of shape [" << shape << "] for each " << type
             << ", but got " << wordsType << " for " << e.getType();
  }
  if (TypeRange(inits) != results)
    return expected(op, constraint(4)) << "results of the types of outs";
  return success();
}

static SmallVector<Range> getWordsDomain(OpBuilder &b, Location loc,
                                         Value words) {
  SmallVector<Range> domain;
  for (OpFoldResult size : tensor::getMixedSizes(b, loc, words))
    domain.push_back({b.getIndexAttr(0), size, b.getIndexAttr(1)});
  return domain;
}

namespace {
/// A slice of words and the slice of elements that goes with it.
struct Slices {
  SmallVector<OpFoldResult> wordOffsets, wordSizes, offsets, sizes, strides;
};
} // namespace

static Slices getSlices(OpBuilder &b, Location loc, int64_t channels,
                        ArrayRef<OpFoldResult> offsets,
                        ArrayRef<OpFoldResult> sizes) {
  Slices s;
  s.wordOffsets.assign(offsets.begin(), offsets.end());
  s.wordSizes.assign(sizes.begin(), sizes.end());
  s.offsets = s.wordOffsets;
  s.sizes = s.wordSizes;
  s.strides.assign(offsets.size(), b.getIndexAttr(1));
  AffineExpr o, n;
  bindSymbols(b.getContext(), o, n);
  s.offsets.back() = affine::makeComposedFoldedAffineApply(
      b, loc, o * kWordBits, {offsets.back()});
  s.sizes.back() = affine::makeComposedFoldedAffineMin(
      b, loc,
      AffineMap::get(0, 2, {n * kWordBits, channels - o * kWordBits},
                     b.getContext()),
      {offsets.back(), sizes.back()});
  // With whole words everywhere the minimum is the first.
  if (channels % kWordBits == 0)
    s.sizes.back() = affine::makeComposedFoldedAffineApply(
        b, loc, o * kWordBits, {sizes.back()});
  return s;
}

static SmallVector<Value> extract(OpBuilder &b, Location loc, ValueRange values,
                                  ArrayRef<OpFoldResult> offsets,
                                  ArrayRef<OpFoldResult> sizes,
                                  ArrayRef<OpFoldResult> strides) {
  SmallVector<Value> slices;
  for (Value value : values)
    slices.push_back(
        tensor::ExtractSliceOp::create(b, loc, value, offsets, sizes, strides));
  return slices;
}

/// The op on slices. `fromWords`: the inputs are the words.
template <typename Op>
static TilingResult tileWords(Op op, OpBuilder &b, const Slices &s,
                              bool fromWords) {
  Location loc = op.getLoc();
  SmallVector<Value> words =
      extract(b, loc, fromWords ? op.getInputs() : op.getInits(), s.wordOffsets,
              s.wordSizes, s.strides);
  SmallVector<Value> elements =
      extract(b, loc, fromWords ? op.getInits() : op.getInputs(), s.offsets,
              s.sizes, s.strides);
  const SmallVector<Value> &inputs = fromWords ? words : elements;
  const SmallVector<Value> &inits = fromWords ? elements : words;
  auto tiled = Op::create(b, loc, TypeRange(ValueRange(inits)), op.getLayout(),
                          inputs, inits);
  SmallVector<Operation *> slices;
  for (Value value : llvm::concat<const Value>(inputs, inits))
    slices.push_back(value.getDefiningOp());
  return TilingResult{{tiled}, SmallVector<Value>(tiled.getResults()), slices};
}

static LogicalResult reifyInits(OpBuilder &b, Location loc, ValueRange inits,
                                ReifiedRankedShapedTypeDims &dims) {
  for (Value init : inits)
    dims.push_back(tensor::getMixedSizes(b, loc, init));
  return success();
}

//===----------------------------------------------------------------------===//
// PackOp
//===----------------------------------------------------------------------===//

LogicalResult PackOp::verify() {
  return verifyWords(*this, "pack", getInputs(), getInits(), getInits(),
                     getResultTypes());
}

LogicalResult PackOp::reifyResultShapes(OpBuilder &b,
                                        ReifiedRankedShapedTypeDims &dims) {
  return reifyInits(b, getLoc(), getInits(), dims);
}

SmallVector<utils::IteratorType> PackOp::getLoopIteratorTypes() {
  auto type = cast<RankedTensorType>(getInits().front().getType());
  return SmallVector<utils::IteratorType>(type.getRank(),
                                          utils::IteratorType::parallel);
}

SmallVector<Range> PackOp::getIterationDomain(OpBuilder &b) {
  return getWordsDomain(b, getLoc(), getInits().front());
}

static int64_t getChannels(Value elements) {
  return cast<RankedTensorType>(elements.getType()).getShape().back();
}

FailureOr<TilingResult>
PackOp::getTiledImplementation(OpBuilder &b, ArrayRef<OpFoldResult> offsets,
                               ArrayRef<OpFoldResult> sizes) {
  Slices s =
      getSlices(b, getLoc(), getChannels(getInputs().front()), offsets, sizes);
  return tileWords(*this, b, s, /*fromWords=*/false);
}

LogicalResult PackOp::getResultTilePosition(
    OpBuilder &b, unsigned, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,
    SmallVector<OpFoldResult> &resultSizes) {
  resultOffsets.assign(offsets.begin(), offsets.end());
  resultSizes.assign(sizes.begin(), sizes.end());
  return success();
}

FailureOr<TilingResult>
PackOp::generateResultTileValue(OpBuilder &b, unsigned,
                                ArrayRef<OpFoldResult> offsets,
                                ArrayRef<OpFoldResult> sizes) {
  return getTiledImplementation(b, offsets, sizes);
}

//===----------------------------------------------------------------------===//
// UnpackOp
//===----------------------------------------------------------------------===//

LogicalResult UnpackOp::verify() {
  return verifyWords(*this, "unpack", getInits(), getInputs(), getInits(),
                     getResultTypes());
}

LogicalResult UnpackOp::reifyResultShapes(OpBuilder &b,
                                          ReifiedRankedShapedTypeDims &dims) {
  return reifyInits(b, getLoc(), getInits(), dims);
}

LogicalResult UnpackOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &out) {
  // unpack(pack(x)) = x.
  for (auto [input, result] : llvm::zip_equal(getInputs(), getResults())) {
    auto pack = input.getDefiningOp<PackOp>();
    if (!pack || pack.getLayout() != getLayout())
      return failure();
    Value source = pack.getInputs()[cast<OpResult>(input).getResultNumber()];
    if (source.getType() != result.getType())
      return failure();
    out.push_back(source);
  }
  return success();
}

SmallVector<utils::IteratorType> UnpackOp::getLoopIteratorTypes() {
  auto type = cast<RankedTensorType>(getInputs().front().getType());
  return SmallVector<utils::IteratorType>(type.getRank(),
                                          utils::IteratorType::parallel);
}

SmallVector<Range> UnpackOp::getIterationDomain(OpBuilder &b) {
  return getWordsDomain(b, getLoc(), getInputs().front());
}

FailureOr<TilingResult>
UnpackOp::getTiledImplementation(OpBuilder &b, ArrayRef<OpFoldResult> offsets,
                                 ArrayRef<OpFoldResult> sizes) {
  int64_t channels = getChannels(getInits().front());
  if (ShapedType::isDynamic(channels))
    return failure();
  Slices s = getSlices(b, getLoc(), channels, offsets, sizes);
  return tileWords(*this, b, s, /*fromWords=*/true);
}

LogicalResult UnpackOp::getResultTilePosition(
    OpBuilder &b, unsigned, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,
    SmallVector<OpFoldResult> &resultSizes) {
  int64_t channels = getChannels(getInits().front());
  if (ShapedType::isDynamic(channels))
    return failure();
  Slices s = getSlices(b, getLoc(), channels, offsets, sizes);
  resultOffsets = s.offsets;
  resultSizes = s.sizes;
  return success();
}

/// `offsets` and `sizes` are of elements: whole words, or the end of the row.
FailureOr<TilingResult>
UnpackOp::generateResultTileValue(OpBuilder &b, unsigned,
                                  ArrayRef<OpFoldResult> offsets,
                                  ArrayRef<OpFoldResult> sizes) {
  int64_t channels = getChannels(getInits().front());
  if (ShapedType::isDynamic(channels))
    return failure();
  std::optional<int64_t> size = getConstantIntValue(sizes.back());
  std::optional<int64_t> offset = getConstantIntValue(offsets.back());
  bool whole = size && *size % kWordBits == 0;
  bool end =
      size && offset && *offset % kWordBits == 0 && *offset + *size == channels;
  if (!whole && !end)
    return failure();
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  SmallVector<OpFoldResult> wordOffsets(offsets), wordSizes(sizes);
  wordOffsets.back() = affine::makeComposedFoldedAffineApply(
      b, getLoc(), s0.floorDiv(kWordBits), {offsets.back()});
  wordSizes.back() = b.getIndexAttr(llvm::divideCeil(*size, kWordBits));
  Slices s = getSlices(b, getLoc(), channels, wordOffsets, wordSizes);
  s.offsets.assign(offsets.begin(), offsets.end());
  s.sizes.assign(sizes.begin(), sizes.end());
  return tileWords(*this, b, s, /*fromWords=*/true);
}
