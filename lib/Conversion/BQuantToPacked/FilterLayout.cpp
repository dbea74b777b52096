//===- FilterLayout.cpp - How filters lie in memory -----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FilterLayout.h"
#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "Dialect/BQuant/IR/RawElements.h"
#include "PackedWords.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Where each channel of a block lies among its lanes.
static SmallVector<int64_t> getLanePlaces(KernelAttrInterface kernel) {
  AffineMap map = AffineMap::get(
      1, 0, kernel.getLane(getAffineDimExpr(0, kernel.getContext())));
  SmallVector<int64_t> places;
  for (int64_t c = 0; c < kernel.getBlock(); ++c)
    places.push_back(map.compose(c).front());
  return places;
}

template <typename T>
static Value createLaidOut(ImplicitLocOpBuilder &b, KernelAttrInterface kernel,
                           ArrayRef<uint32_t> words, int64_t row,
                           ArrayRef<int64_t> shape, unsigned outputs) {
  RankedTensorType type = getFilterType(kernel, shape, outputs);
  int64_t lanes = getBlockLanes(kernel), block = kernel.getBlock();
  int64_t elements =
      kernel.isDepthwise() ? 1 : type.getDimSize(type.getRank() - 2);
  int64_t batches = computeProduct(shape.take_front(outputs)),
          filters = shape[outputs], blocks = type.getDimSize(outputs),
          taps = computeProduct(shape.drop_front(outputs + 1).drop_back());
  SmallVector<int64_t> places = getLanePlaces(kernel);
  AsmResourceBlob blob = HeapAsmResourceBlob::allocate(
      type.getNumElements() * sizeof(T), /*align=*/64);
  MutableArrayRef<char> data = blob.getMutableData();
  std::fill(data.begin(), data.end(), 0);
  auto *out = reinterpret_cast<T *>(data.data());
  for (int64_t batch = 0; batch < batches; ++batch)
    for (int64_t o = 0; o < filters; ++o)
      for (int64_t tap = 0; tap < taps; ++tap) {
        ArrayRef<uint32_t> bits =
            words.slice(((batch * filters + o) * taps + tap) * row, row);
        int64_t first = ((batch * blocks + o / block) * taps + tap) * elements;
        for (int64_t e = 0; e < elements; ++e)
          out[(first + e) * lanes + places[o % block]] =
              T(kernel.getFilterElement(bits, e));
      }
  // A resource: of dense elements upstream folds slices, and each region of a
  // convolution would keep a filter of its own.
  return arith::ConstantOp::create(
      b, DenseResourceElementsAttr::get(type, "filter", std::move(blob)));
}

//===----------------------------------------------------------------------===//
// Values of run time
//===----------------------------------------------------------------------===//

/// The first bit of each word as a byte.
static Value createBytesOfWords(ImplicitLocOpBuilder &b, Value words) {
  return createElementwise(
      b, b.getI8Type(), words, [](OpBuilder &b, Location loc, ValueRange args) {
        return arith::TruncIOp::create(b, loc, b.getI8Type(), args[0]);
      });
}

/// Bytes with four bits each of words of `channels` bits, which lie in lanes.
static Value createNibblesOfWords(ImplicitLocOpBuilder &b, Value words,
                                  int64_t channels) {
  LayoutAttrInterface layout = packed::NibblesLayoutAttr::get(b.getContext());
  auto type = cast<RankedTensorType>(words.getType());
  int64_t rank = type.getRank(), each = layout.getChannels();
  SmallVector<uint32_t> places;
  for (int64_t bit = 0; bit < kWordBits; bit += each)
    places.push_back(bit);
  // ..., words, nibbles of a word, lanes.
  auto loops = llvm::to_vector(llvm::seq<int64_t>(0, rank + 1));
  loops.erase(loops.end() - 2);
  Inputs inputs;
  inputs.add(words, getLoopMap(b.getContext(), rank + 1, loops));
  inputs.add(
      createConstant(b, RankedTensorType::get(places.size(), b.getI32Type()),
                     places),
      getLoopMap(b.getContext(), rank + 1, {rank - 1}));
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.end() - 1, places.size());
  Value nibbles = createElementwise(
      b, getAsIndexOpFoldResult(b.getContext(), shape), b.getI8Type(), inputs,
      [](OpBuilder &b, Location loc, ValueRange args) {
        Value bits = arith::ShRUIOp::create(b, loc, args[0], args[1]);
        bits = arith::AndIOp::create(b, loc, bits, createI32(b, loc, 15));
        return arith::TruncIOp::create(b, loc, b.getI8Type(), bits);
      });
  nibbles = collapseTwo(b, nibbles, rank - 2);
  shape = llvm::to_vector(type.getShape());
  shape[rank - 2] = layout.countElements(channels);
  return createSlice(b, nibbles, SmallVector<int64_t>(rank, 0), shape);
}

static Value createTransposed(ImplicitLocOpBuilder &b, Value value,
                              ArrayRef<int64_t> perm) {
  auto type = cast<RankedTensorType>(value.getType());
  Value init = tensor::EmptyOp::create(
      b, applyPermutation(type.getShape(), perm), type.getElementType());
  return linalg::TransposeOp::create(b, value, init, perm)->getResult(0);
}

/// Dimension `outputs` of `value` as blocks, and what is in a block behind all
/// others, in `lanes` lanes.
static Value createBlocks(ImplicitLocOpBuilder &b, KernelAttrInterface kernel,
                          Value value, unsigned outputs, int64_t lanes) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t block = kernel.getBlock(),
          blocks = llvm::divideCeil(type.getDimSize(outputs), block),
          parts = kernel.getInterleavedParts();
  TypedAttr zero = b.getZeroAttr(type.getElementType());
  value = padTo(b, value, outputs, blocks * block, zero);
  value = splitDimension(b, value, outputs, {blocks, block});
  int64_t lane = outputs + 1, rank = type.getRank() + 1;
  value = padTo(b, value, lane, lanes, zero);
  if (parts > 1) {
    // Whole rows are moved, which is cheap; lanes would be picked one by one.
    int64_t each = kernel.getLanes() / parts;
    value = splitDimension(b, value, lane,
                           {lanes / kernel.getLanes(), parts, each});
    auto perm = llvm::to_vector(llvm::seq<int64_t>(0, rank + 2));
    std::swap(perm[lane + 1], perm[lane + 2]);
    value = createTransposed(b, value, perm);
    value = collapseTwo(b, collapseTwo(b, value, lane), lane);
  }
  auto perm = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  perm.erase(perm.begin() + lane);
  perm.push_back(lane);
  return createTransposed(b, value, perm);
}

static Value createLaidOut(ImplicitLocOpBuilder &b, KernelAttrInterface kernel,
                           Value words, int64_t channels, unsigned outputs) {
  if (kernel.isDepthwise()) {
    int64_t rank = cast<RankedTensorType>(words.getType()).getRank();
    words = collapseTwo(b, createBytesOfWords(b, words), rank - 2);
  }
  Value blocks = createBlocks(b, kernel, words, outputs, getBlockLanes(kernel));
  return isa<packed::NibblesLayoutAttr>(kernel.getLayout())
             ? createNibblesOfWords(b, blocks, channels)
             : blocks;
}

Value bquant::layOutFilter(ImplicitLocOpBuilder &b, KernelAttrInterface kernel,
                           Value words, ArrayRef<int64_t> shape,
                           unsigned outputs) {
  std::optional<SmallVector<uint32_t>> bits = getConstantBits(words);
  if (!bits)
    return createLaidOut(b, kernel, words, shape.back(), outputs);
  int64_t row = cast<RankedTensorType>(words.getType()).getShape().back();
  if (kernel.getFilterElementType().isInteger(8))
    return createLaidOut<uint8_t>(b, kernel, *bits, row, shape, outputs);
  return createLaidOut<uint32_t>(b, kernel, *bits, row, shape, outputs);
}

//===----------------------------------------------------------------------===//
// Filters of float products
//===----------------------------------------------------------------------===//

/// Where the elements of some dimensions lie, in their order.
static SmallVector<int64_t> getPlaces(ArrayRef<int64_t> shape,
                                      ArrayRef<int64_t> strides) {
  SmallVector<int64_t> places{0};
  for (auto [size, stride] : llvm::zip_equal(shape, strides)) {
    SmallVector<int64_t> outer = std::exchange(places, {});
    for (int64_t place : outer)
      for (int64_t i = 0; i < size; ++i)
        places.push_back(place + i * stride);
  }
  return places;
}

/// A constant, `bits` its numbers or words.
static Value createLaidOut(ImplicitLocOpBuilder &b, KernelAttrInterface kernel,
                           ArrayRef<uint32_t> bits, RankedTensorType type,
                           ArrayRef<int64_t> perm, unsigned outputs,
                           int64_t filters, RankedTensorType result) {
  bool words = type.getElementType().isInteger();
  SmallVector<int64_t> shape = applyPermutation(type.getShape(), perm),
                       strides = applyPermutation(
                           computeStrides(type.getShape()), perm);
  SmallVector<int64_t> batches =
      getPlaces(ArrayRef(shape).take_front(outputs),
                ArrayRef(strides).take_front(outputs));
  SmallVector<int64_t> taps =
      getPlaces(ArrayRef(shape).drop_front(outputs + 1),
                ArrayRef(strides).drop_front(outputs + 1));
  int64_t block = kernel.getBlock(), last = result.getShape().back(),
          blocks = result.getDimSize(outputs);
  AsmResourceBlob blob = HeapAsmResourceBlob::allocate(
      result.getNumElements() * sizeof(uint32_t), /*align=*/64);
  MutableArrayRef<char> data = blob.getMutableData();
  std::fill(data.begin(), data.end(), 0);
  auto *out = reinterpret_cast<uint32_t *>(data.data());
  for (auto [batch, first] : llvm::enumerate(batches))
    for (int64_t o = 0; o < filters; ++o) {
      int64_t lane = o % block;
      uint32_t *at = out + (batch * blocks + o / block) * taps.size() * last;
      for (int64_t tap : taps) {
        if (words)
          at[lane / kWordBits] |=
              (bits[first + tap + o / kWordBits] >> (o % kWordBits) & 1)
              << (lane % kWordBits);
        else
          at[lane] = bits[first + tap + o * strides[outputs]];
        at += last;
      }
    }
  return arith::ConstantOp::create(
      b, DenseResourceElementsAttr::get(result, "filter", std::move(blob)));
}

/// The same of bf16, an even number along the last of `perm`: pairs.
static Value createPairs(ImplicitLocOpBuilder &b, KernelAttrInterface kernel,
                         ArrayRef<uint16_t> bits, ArrayRef<int64_t> shape,
                         ArrayRef<int64_t> strides, unsigned outputs) {
  SmallVector<int64_t> pairs(shape), steps(strides), order(shape.size());
  pairs.back() /= 2;
  steps.back() *= 2;
  std::iota(order.begin(), order.end(), 0);
  std::vector<uint32_t> words;
  words.reserve(computeProduct(pairs));
  for (int64_t place : getPlaces(pairs, steps))
    words.push_back(bits[place] | uint32_t(bits[place + strides.back()]) << 16);
  auto type = RankedTensorType::get(pairs, b.getF32Type());
  RankedTensorType result = getBitFilterType(kernel, pairs, outputs);
  SmallVector<int64_t> laidOut(result.getShape());
  laidOut.back() = getBlockLanes(kernel);
  return createLaidOut(b, kernel, words, type, order, outputs, pairs[outputs],
                       RankedTensorType::get(laidOut, b.getI32Type()));
}

Value bquant::layOutFloatFilter(ImplicitLocOpBuilder &b,
                                KernelAttrInterface kernel, Value filter,
                                ArrayRef<int64_t> perm, unsigned outputs,
                                int64_t filters) {
  auto type = cast<RankedTensorType>(filter.getType());
  bool words = type.getElementType().isInteger();
  SmallVector<int64_t> shape = applyPermutation(type.getShape(), perm);
  shape[outputs] = filters;
  if (type.getElementType().isBF16()) // Its kernel takes constants only.
    return createPairs(
        b, kernel, *getBF16Bits(getConstantTensor(filter)), shape,
        applyPermutation(computeStrides(type.getShape()), perm), outputs);
  if (std::optional<SmallVector<uint32_t>> bits = getConstantBits(filter)) {
    RankedTensorType result = getBitFilterType(kernel, shape, outputs);
    if (!words) {
      SmallVector<int64_t> laidOut(result.getShape());
      laidOut.back() = getBlockLanes(kernel);
      result = RankedTensorType::get(laidOut, b.getF32Type());
    }
    return createLaidOut(b, kernel, *bits, type, perm, outputs, filters,
                         result);
  }
  if (words)
    filter = createUnpack(b, filter, filters).front();
  filter = createTransposed(b, filter, perm);
  filter = createBlocks(b, kernel, filter, outputs,
                        words ? kernel.getBlock() : getBlockLanes(kernel));
  if (words)
    filter = packed::PackOp::create(b,
                                    ArrayRef<LayoutAttrInterface>(
                                        WordsLayoutAttr::get(b.getContext())),
                                    filter)
                 .getResult(0);
  return filter;
}

Value bquant::collapseTwo(ImplicitLocOpBuilder &b, Value tensor,
                          unsigned first) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape;
  SmallVector<ReassociationIndices> joined;
  for (unsigned d = 0; d < type.getRank(); ++d) {
    if (d == first + 1) {
      shape.back() *= type.getDimSize(d);
      joined.back().push_back(d);
      continue;
    }
    shape.push_back(type.getDimSize(d));
    joined.push_back({d});
  }
  DenseResourceElementsAttr resource;
  if (matchPattern(tensor, m_Constant(&resource)))
    return arith::ConstantOp::create(
        b, DenseResourceElementsAttr::get(type.clone(shape),
                                          resource.getRawHandle()));
  return tensor::CollapseShapeOp::create(b, type.clone(shape), tensor, joined);
}
