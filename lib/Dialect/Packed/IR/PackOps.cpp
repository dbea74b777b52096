//===- PackOps.cpp - pack and unpack, with tiling -------------------------===//
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

#include "Support/Constraints.h"
#include "bquant/Dialect/Packed/IR/Packed.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;

/// `elements` and what packs them: `packed` in its layout, but that a tile at
/// the end of a row may have a dynamic number of elements.
static bool isPackedAs(LayoutAttrInterface layout, RankedTensorType elements,
                       Type packed) {
  RankedTensorType expected = getPackedType(layout, elements.getShape());
  auto type = cast<RankedTensorType>(packed);
  return type.getEncoding() == expected.getEncoding() &&
         succeeded(verifyCompatibleShape(type.getShape(), expected.getShape()));
}

/// Constraints 1 to 4 of pack and unpack; `packed` has all in the first layout,
/// then all in the next.
static LogicalResult verifyPacked(Operation *op, StringRef name,
                                  ValueRange elements, ValueRange packed,
                                  ValueRange inits) {
  auto constraint = [&](int i) { return (name + "_c" + Twine(i)).str(); };
  if (elements.empty())
    return expected(op, constraint(1)) << "at least one operand";
  auto type = cast<RankedTensorType>(elements.front().getType());
  if (type.getRank() == 0)
    return expected(op, constraint(2)) << "rank >= 1, but got " << type;
  if (packed.empty() || packed.size() % elements.size())
    return expected(op, constraint(3))
           << "packed planes of each of " << elements.size()
           << " in each layout, but got " << packed.size();
  if (failed(verifyCompatibleShapes(elements.getTypes())))
    return expected(op, constraint(3))
           << "values of one shape, but got " << elements.getTypes();
  for (auto [i, plane] : llvm::enumerate(packed)) {
    auto type = cast<RankedTensorType>(elements[i % elements.size()].getType());
    // Of each layout the first says which one.
    LayoutAttrInterface layout =
        getLayoutOf(packed[i / elements.size() * elements.size()].getType());
    if (!isPackedAs(layout, type, plane.getType()))
      return expected(op, constraint(3))
             << getPackedType(layout, type.getShape()) << " for each " << type
             << " in the layout " << layout.getName() << ", but got "
             << plane.getType();
  }
  if (TypeRange(inits) != op->getResultTypes())
    return expected(op, constraint(4)) << "results of the types of outs";
  return success();
}

/// A tile is of whole words, in any layout.
static SmallVector<Range> getWordsDomain(OpBuilder &b, Location loc,
                                         Value elements) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, elements);
  sizes.back() = affine::makeComposedFoldedAffineApply(
      b, loc, b.getAffineSymbolExpr(0).ceilDiv(kWordBits), {sizes.back()});
  SmallVector<Range> domain;
  for (OpFoldResult size : sizes)
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

/// `tiled` as what makes a tile of result `number` alone.
static FailureOr<TilingResult> takeResult(FailureOr<TilingResult> tiled,
                                          unsigned number) {
  if (succeeded(tiled))
    tiled->tiledValues = {tiled->tiledValues[number]};
  return tiled;
}

/// The largest divisor that `value` is known to have: a constant, an affine
/// function of such values, or the induction variable of a loop.
static int64_t getKnownDivisor(OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant;
  auto v = cast<Value>(value);
  if (auto apply = v.getDefiningOp<affine::AffineApplyOp>()) {
    AffineMap map = apply.getAffineMap();
    SmallVector<AffineExpr> operands;
    for (auto [i, operand] : llvm::enumerate(apply.getMapOperands())) {
      AffineExpr expr =
          i < map.getNumDims()
              ? getAffineDimExpr(i, v.getContext())
              : getAffineSymbolExpr(i - map.getNumDims(), v.getContext());
      operands.push_back(expr * getKnownDivisor(operand));
    }
    ArrayRef<AffineExpr> exprs(operands);
    return map.getResult(0)
        .replaceDimsAndSymbols(exprs.take_front(map.getNumDims()),
                               exprs.drop_front(map.getNumDims()))
        .getLargestKnownDivisor();
  }
  auto argument = dyn_cast<BlockArgument>(v);
  if (!argument)
    return 1;
  auto loop = dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
  if (!loop)
    return 1;
  std::optional<SmallVector<Value>> ivs = loop.getLoopInductionVars();
  std::optional<SmallVector<OpFoldResult>> starts = loop.getLoopLowerBounds();
  std::optional<SmallVector<OpFoldResult>> steps = loop.getLoopSteps();
  if (!ivs || !starts || !steps)
    return 1;
  for (auto [iv, start, step] : llvm::zip_equal(*ivs, *starts, *steps))
    if (iv == v)
      return std::gcd(getKnownDivisor(start), getKnownDivisor(step));
  return 1;
}

/// The tile of the words that hold a tile of rows of `length` elements, `each`
/// to a word: whole words, or the end of the row.
static LogicalResult getWordsTile(OpBuilder &b, Location loc, int64_t each,
                                  int64_t length,
                                  MutableArrayRef<OpFoldResult> offsets,
                                  MutableArrayRef<OpFoldResult> sizes) {
  std::optional<int64_t> offset = getConstantIntValue(offsets.back());
  std::optional<int64_t> size = getConstantIntValue(sizes.back());
  if (!size || getKnownDivisor(offsets.back()) % each != 0 ||
      (*size % each != 0 && !(offset && *offset + *size == length)))
    return failure();
  offsets.back() = affine::makeComposedFoldedAffineApply(
      b, loc, b.getAffineSymbolExpr(0).floorDiv(each), {offsets.back()});
  sizes.back() = b.getIndexAttr(llvm::divideCeil(*size, each));
  return success();
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

void PackOp::build(OpBuilder &b, OperationState &state,
                   ArrayRef<LayoutAttrInterface> layouts, ValueRange inputs) {
  SmallVector<Value> inits;
  for (LayoutAttrInterface layout : layouts)
    for (Value input : inputs) {
      auto type = cast<RankedTensorType>(input.getType());
      SmallVector<OpFoldResult> sizes =
          tensor::getMixedSizes(b, state.location, input);
      RankedTensorType packed = getPackedType(layout, type.getShape());
      sizes.back() = b.getIndexAttr(packed.getShape().back());
      inits.push_back(tensor::EmptyOp::create(b, state.location, sizes,
                                              packed.getElementType(),
                                              packed.getEncoding()));
    }
  build(b, state, TypeRange(ValueRange(inits)), inputs, inits);
}

LayoutAttrInterface PackOp::getLayoutOf(unsigned result) {
  return packed::getLayoutOf(getInits()[result].getType());
}

SmallVector<LayoutAttrInterface> PackOp::getLayouts() {
  SmallVector<LayoutAttrInterface> layouts;
  for (size_t i = 0; i < getInits().size(); i += getInputs().size())
    layouts.push_back(getLayoutOf(i));
  return layouts;
}

LogicalResult PackOp::verify() {
  if (failed(verifyPacked(*this, "pack", getInputs(), getInits(), getInits())))
    return failure();
  for (LayoutAttrInterface layout : getLayouts())
    if (int64_t unit = layout.getUnitChannels();
        !layout.canPack() || (unit % kWordBits != 0 && kWordBits % unit != 0))
      return expected(*this, "pack_c5")
             << "layouts of single planes with tiles of whole words, but got "
             << layout.getName();
  return success();
}

LogicalResult PackOp::reifyResultShapes(OpBuilder &b,
                                        ReifiedRankedShapedTypeDims &dims) {
  return reifyInits(b, getLoc(), getInits(), dims);
}

SmallVector<utils::IteratorType> PackOp::getLoopIteratorTypes() {
  auto type = cast<RankedTensorType>(getInputs().front().getType());
  return SmallVector<utils::IteratorType>(type.getRank(),
                                          utils::IteratorType::parallel);
}

SmallVector<Range> PackOp::getIterationDomain(OpBuilder &b) {
  return getWordsDomain(b, getLoc(), getInputs().front());
}

static int64_t getChannels(Value elements) {
  return cast<RankedTensorType>(elements.getType()).getShape().back();
}

FailureOr<TilingResult>
PackOp::getTiledImplementation(OpBuilder &b, ArrayRef<OpFoldResult> offsets,
                               ArrayRef<OpFoldResult> sizes) {
  Location loc = getLoc();
  if (ShapedType::isDynamic(getChannels(getInputs().front())))
    return failure();
  Slices s =
      getSlices(b, loc, getChannels(getInputs().front()), offsets, sizes);
  SmallVector<Value> inputs =
      extract(b, loc, getInputs(), s.offsets, s.sizes, s.strides);
  SmallVector<Value> inits;
  for (OpResult result : getResults()) {
    SmallVector<OpFoldResult> resultOffsets, resultSizes;
    if (failed(getResultTilePosition(b, result.getResultNumber(), offsets,
                                     sizes, resultOffsets, resultSizes)))
      return failure();
    Value init = getInits()[result.getResultNumber()];
    inits.push_back(tensor::ExtractSliceOp::create(b, loc, init, resultOffsets,
                                                   resultSizes, s.strides));
  }
  auto tiled =
      PackOp::create(b, loc, TypeRange(ValueRange(inits)), inputs, inits);
  SmallVector<Operation *> slices;
  for (Value value : llvm::concat<const Value>(inputs, inits))
    slices.push_back(value.getDefiningOp());
  return TilingResult{{tiled}, SmallVector<Value>(tiled.getResults()), slices};
}

LogicalResult PackOp::getResultTilePosition(
    OpBuilder &b, unsigned result, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,
    SmallVector<OpFoldResult> &resultSizes) {
  LayoutAttrInterface layout = getLayoutOf(result);
  int64_t each = layout.getUnit(), bits = layout.getUnitChannels();
  // As many of a narrower layout as the elements of the tile need.
  Slices s =
      getSlices(b, getLoc(), getChannels(getInputs().front()), offsets, sizes);
  resultOffsets = s.offsets;
  resultSizes = s.sizes;
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  resultOffsets.back() = affine::makeComposedFoldedAffineApply(
      b, getLoc(), s0.floorDiv(bits) * each, {s.offsets.back()});
  resultSizes.back() = affine::makeComposedFoldedAffineApply(
      b, getLoc(), s0.ceilDiv(bits) * each, {s.sizes.back()});
  if (isa<WordsLayoutAttr>(layout)) {
    resultOffsets.back() = offsets.back();
    resultSizes.back() = sizes.back();
  }
  return success();
}

FailureOr<TilingResult>
PackOp::generateResultTileValue(OpBuilder &b, unsigned resultNumber,
                                ArrayRef<OpFoldResult> offsets,
                                ArrayRef<OpFoldResult> sizes) {
  auto type = cast<RankedTensorType>(getResult(resultNumber).getType());
  int64_t channels = getChannels(getInputs().front());
  // The last word of a row may have fewer channels than the tile.
  if (ShapedType::isDynamic(channels) ||
      (channels % kWordBits != 0 && !getConstantIntValue(offsets.back())))
    return failure();
  SmallVector<OpFoldResult> wordOffsets(offsets), wordSizes(sizes);
  if (failed(getWordsTile(b, getLoc(),
                          kWordBits / getLayoutOf(resultNumber).getChannels(),
                          type.getShape().back(), wordOffsets, wordSizes)))
    return failure();
  return takeResult(getTiledImplementation(b, wordOffsets, wordSizes),
                    resultNumber);
}

//===----------------------------------------------------------------------===//
// UnpackOp
//===----------------------------------------------------------------------===//

/// The op on slices.
static TilingResult tileUnpack(UnpackOp op, OpBuilder &b, const Slices &s) {
  Location loc = op.getLoc();
  SmallVector<Value> words =
      extract(b, loc, op.getInputs(), s.wordOffsets, s.wordSizes, s.strides);
  SmallVector<Value> inits =
      extract(b, loc, op.getInits(), s.offsets, s.sizes, s.strides);
  auto tiled =
      UnpackOp::create(b, loc, TypeRange(ValueRange(inits)), words, inits);
  SmallVector<Operation *> slices;
  for (Value value : llvm::concat<const Value>(words, inits))
    slices.push_back(value.getDefiningOp());
  return TilingResult{{tiled}, SmallVector<Value>(tiled.getResults()), slices};
}

LayoutAttrInterface UnpackOp::getLayout() {
  return packed::getLayoutOf(getInputs().front().getType());
}

LogicalResult UnpackOp::verify() {
  if (failed(
          verifyPacked(*this, "unpack", getInits(), getInputs(), getInits())))
    return failure();
  if (!getLayout().canUnpack())
    return expected(*this, "unpack_c5")
           << "the layout words, but got " << getLayout().getName();
  return success();
}

LogicalResult UnpackOp::reifyResultShapes(OpBuilder &b,
                                          ReifiedRankedShapedTypeDims &dims) {
  return reifyInits(b, getLoc(), getInits(), dims);
}

LogicalResult UnpackOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &out) {
  // unpack(pack(x)) = x.
  for (auto [input, result] : llvm::zip_equal(getInputs(), getResults())) {
    auto pack = input.getDefiningOp<PackOp>();
    if (!pack)
      return failure();
    unsigned packed = cast<OpResult>(input).getResultNumber();
    if (pack.getLayoutOf(packed) != getLayout())
      return failure();
    Value source = pack.getInputs()[packed % pack.getInputs().size()];
    // Rows of another number of channels may have as many words.
    if (source.getType() != result.getType() ||
        ShapedType::isDynamic(getChannels(source)))
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
  return getWordsDomain(b, getLoc(), getInits().front());
}

FailureOr<TilingResult>
UnpackOp::getTiledImplementation(OpBuilder &b, ArrayRef<OpFoldResult> offsets,
                                 ArrayRef<OpFoldResult> sizes) {
  int64_t channels = getChannels(getInits().front());
  if (ShapedType::isDynamic(channels))
    return failure();
  Slices s = getSlices(b, getLoc(), channels, offsets, sizes);
  return tileUnpack(*this, b, s);
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

FailureOr<TilingResult>
UnpackOp::generateResultTileValue(OpBuilder &b, unsigned resultNumber,
                                  ArrayRef<OpFoldResult> offsets,
                                  ArrayRef<OpFoldResult> sizes) {
  int64_t channels = getChannels(getInits().front());
  if (ShapedType::isDynamic(channels))
    return failure();
  SmallVector<OpFoldResult> wordOffsets(offsets), wordSizes(sizes);
  if (failed(getWordsTile(b, getLoc(), kWordBits, channels, wordOffsets,
                          wordSizes)))
    return failure();
  Slices s = getSlices(b, getLoc(), channels, wordOffsets, wordSizes);
  s.offsets.assign(offsets.begin(), offsets.end());
  s.sizes.assign(sizes.begin(), sizes.end());
  return takeResult(tileUnpack(*this, b, s), resultNumber);
}

//===----------------------------------------------------------------------===//
// RelayoutOp
//===----------------------------------------------------------------------===//

bool RelayoutOp::hasWords() {
  return packed::getLayoutOf(getInput().getType()) != nullptr;
}

LogicalResult RelayoutOp::verify() {
  RankedTensorType input = getInput().getType(), type = getType();
  auto layout =
      dyn_cast_if_present<FilterLayoutAttrInterface>(type.getEncoding());
  if (!layout)
    return expected(*this, "relayout_c1")
           << "a result with the layout of a filter, but got " << type;
  int64_t outputs = getOutputs(), channels = getChannels();
  SmallVector<int64_t> shape(input.getShape());
  auto blocks = dyn_cast<BlocksAttr>(type.getEncoding());
  if (blocks && hasWords() == isa<FloatsLayoutAttr>(blocks.getRows()))
    return expected(*this, "relayout_c2")
           << (hasWords() ? "rows of bits, but got "
                          : "rows of numbers, but got ")
           << blocks;
  if (!input.hasStaticShape())
    return expected(*this, "relayout_c2")
           << "a static shape, but got " << input;
  bool isRow = outputs >= 0 && outputs < input.getRank() - 1;
  bool fits = outputs >= 0 && outputs < input.getRank() && channels > 0;
  if (fits && hasWords())
    fits = isRow && isa<WordsLayoutAttr>(input.getEncoding()) &&
           shape.back() == llvm::divideCeilSigned(channels, kWordBits);
  else if (fits)
    fits = !input.getEncoding() && channels == (isRow ? shape.back() : 1);
  if (!fits)
    return expected(*this, "relayout_c2")
           << "words with " << channels
           << " bits in a row, or as many numbers, "
           << "and output channels before them, but got " << input;
  if (isRow)
    shape.back() = channels;
  if (RankedTensorType wanted = layout.getType(shape, outputs); wanted != type)
    return expected(*this, "relayout_c3") << wanted << ", but got " << type;
  return success();
}

//===----------------------------------------------------------------------===//
// UnpackCodesOp
//===----------------------------------------------------------------------===//

SmallVector<CodeFieldsLayoutAttr> UnpackCodesOp::getLayouts() {
  return llvm::map_to_vector(getFields().getTypes(), [](Type type) {
    return cast<CodeFieldsLayoutAttr>(packed::getLayoutOf(type));
  });
}

int64_t UnpackCodesOp::getBlockRank() {
  return cast<RankedTensorType>(getFields().front().getType()).getRank() - 1;
}

LogicalResult UnpackCodesOp::verify() {
  if (getFields().empty())
    return expected(*this, 1) << "at least one operand";
  int64_t narrowest = kByteBits, bits = 0;
  for (Type field : getFields().getTypes()) {
    auto layout = dyn_cast<CodeFieldsLayoutAttr>(packed::getLayoutOf(field));
    if (!layout || layout.getBits() >= narrowest)
      return expected(*this, 1)
             << "fields of codes, the widest first, but got " << field;
    narrowest = layout.getBits();
    bits += narrowest;
  }
  int64_t levels = getLevels(), most = (int64_t(1) << bits) - 1;
  if (levels < 1 || levels > most)
    return expected(*this, 2)
           << "levels from 1 to " << most << ", but got " << levels;
  RankedTensorType type = getType();
  auto layout =
      dyn_cast_if_present<FilterLayoutAttrInterface>(type.getEncoding());
  if (!layout || layout.getElementType() != type.getElementType() ||
      layout.getChannels() != layout.getWords() * kWordBytes ||
      !type.hasStaticShape())
    return expected(*this, 3)
           << "a static result of words of four channels in the layout of a "
              "filter, but got "
           << type;
  int64_t outer = getBlockRank();
  if (outer < 0 || outer >= type.getRank())
    return expected(*this, 4)
           << "dimensions of blocks and one of words, but got "
           << getFields().front().getType();
  int64_t bytes = kWordBytes;
  for (int64_t size : type.getShape().drop_front(outer))
    if (llvm::MulOverflow(bytes, size, bytes))
      return expected(*this, 4)
             << "blocks of fewer than 2^63 bytes, but got " << type;
  int64_t words = bytes / kWordBytes;
  if (words % (kByteBits / narrowest) != 0)
    return expected(*this, 4)
           << "blocks of a multiple of " << kByteBits / narrowest
           << " words, but got " << words;
  SmallVector<int64_t> shape(type.getShape().take_front(outer));
  shape.push_back(bytes);
  for (auto [field, layout] :
       llvm::zip_equal(getFields().getTypes(), getLayouts()))
    if (Type wanted = getPackedType(layout, shape); wanted != field)
      return expected(*this, 4) << wanted << ", but got " << field;
  return success();
}
