//===- FilterLayout.cpp - How filters lie in memory -----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FilterLayout.h"
#include "Conversion/Common/FilterBlocks.h"
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

/// The bits of what an output channel has at a tap: words of its channels, or
/// numbers.
using GetRow = function_ref<ArrayRef<uint32_t>(int64_t batch, int64_t output,
                                               int64_t tap)>;

/// Where word `word` of each channel of a block lies among its lanes.
static SmallVector<int64_t> getLanePlaces(FilterLayoutAttrInterface layout,
                                          int64_t word) {
  AffineExpr lane = layout.getLane(getAffineDimExpr(0, layout.getContext()));
  AffineMap map = AffineMap::get(1, 0, layout.getPlace(lane, word));
  SmallVector<int64_t> places;
  for (int64_t c = 0; c < layout.getBlock(); ++c)
    places.push_back(map.compose(c).front());
  return places;
}

/// A constant filter of `shape`, laid out: a resource, as of dense elements
/// upstream folds slices, and each region of a convolution would keep a filter
/// of its own.
static Value createLaidOut(ImplicitLocOpBuilder &b,
                           FilterLayoutAttrInterface layout,
                           ArrayRef<int64_t> shape, unsigned outputs,
                           GetRow getRow) {
  RankedTensorType type = layout.getType(shape, outputs);
  int64_t lanes = layout.countLanes(), block = layout.getBlock(),
          words = layout.getWords();
  ArrayRef<int64_t> inside = shape.drop_front(outputs + 1);
  int64_t elements = layout.countElements(inside.empty() ? 1 : inside.back()),
          taps = inside.empty() ? 1 : computeProduct(inside.drop_back()),
          batches = computeProduct(shape.take_front(outputs)),
          filters = shape[outputs], blocks = type.getDimSize(outputs);
  SmallVector<SmallVector<int64_t>> places;
  for (int64_t word = 0; word < words; ++word)
    places.push_back(getLanePlaces(layout, word));
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  AsmResourceBlob blob = HeapAsmResourceBlob::allocate(
      type.getNumElements() * bytes, /*align=*/64);
  MutableArrayRef<char> data = blob.getMutableData();
  std::fill(data.begin(), data.end(), 0);
  for (int64_t batch = 0; batch < batches; ++batch)
    for (int64_t o = 0; o < filters; ++o)
      for (int64_t tap = 0; tap < taps; ++tap) {
        ArrayRef<uint32_t> row = getRow(batch, o, tap);
        int64_t first = ((batch * blocks + o / block) * taps + tap) * elements;
        for (int64_t e = 0; e < elements * words; ++e) {
          uint32_t element = layout.encode(row, e);
          int64_t at =
              (first + e / words) * lanes + places[e % words][o % block];
          if (bytes == 1)
            data[at] = char(element);
          else
            reinterpret_cast<uint32_t *>(data.data())[at] = element;
        }
      }
  return arith::ConstantOp::create(
      b, DenseResourceElementsAttr::get(type, "filter", std::move(blob)));
}

Value bquant::layOutFilter(ImplicitLocOpBuilder &b, KernelAttrInterface kernel,
                           Value words, ArrayRef<int64_t> shape,
                           unsigned outputs) {
  FilterLayoutAttrInterface layout = kernel.getFilterLayout();
  if (std::optional<SmallVector<uint32_t>> bits = getConstantBits(words)) {
    int64_t row = cast<RankedTensorType>(words.getType()).getShape().back(),
            taps = computeProduct(shape.drop_front(outputs + 1).drop_back());
    return createLaidOut(
        b, layout, shape, outputs, [&](int64_t batch, int64_t o, int64_t tap) {
          int64_t first = ((batch * shape[outputs] + o) * taps + tap) * row;
          return ArrayRef(*bits).slice(first, row);
        });
  }
  return packed::RelayoutOp::create(b, layout.getType(shape, outputs), words,
                                    shape.back(), outputs);
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

/// A constant filter of numbers, `bits` theirs, whose dimensions are of `shape`
/// and lie by `strides`.
static Value createOfNumbers(ImplicitLocOpBuilder &b,
                             KernelAttrInterface kernel,
                             ArrayRef<uint32_t> bits, ArrayRef<int64_t> shape,
                             ArrayRef<int64_t> strides, unsigned outputs) {
  bool hasRow = outputs + 1 < shape.size();
  auto takePlaces = [&](size_t from, size_t to) {
    return getPlaces(shape.slice(from, to - from),
                     strides.slice(from, to - from));
  };
  SmallVector<int64_t> batches = takePlaces(0, outputs),
                       taps = takePlaces(outputs + 1, shape.size() - hasRow);
  SmallVector<uint32_t> row(hasRow ? shape.back() : 1);
  return createLaidOut(b, kernel.getFilterLayout(), shape, outputs,
                       [&](int64_t batch, int64_t o, int64_t tap) {
                         int64_t first =
                             batches[batch] + o * strides[outputs] + taps[tap];
                         for (auto [c, number] : llvm::enumerate(row))
                           number = bits[first + int64_t(c) * strides.back()];
                         return ArrayRef(row);
                       });
}

/// A constant filter of signs: in each word those of a block's channels.
static Value createOfSigns(ImplicitLocOpBuilder &b, KernelAttrInterface kernel,
                           ArrayRef<uint32_t> bits, ArrayRef<int64_t> shape,
                           ArrayRef<int64_t> strides, unsigned outputs) {
  RankedTensorType type = getBitFilterType(kernel, shape, outputs);
  SmallVector<int64_t> batches =
      getPlaces(shape.take_front(outputs), strides.take_front(outputs));
  SmallVector<int64_t> taps =
      getPlaces(shape.drop_front(outputs + 1), strides.drop_front(outputs + 1));
  int64_t block = kernel.getBlock(), last = type.getShape().back(),
          blocks = type.getDimSize(outputs);
  std::vector<uint32_t> words(type.getNumElements(), 0);
  for (auto [batch, first] : llvm::enumerate(batches))
    for (int64_t o = 0; o < shape[outputs]; ++o)
      for (auto [tap, place] : llvm::enumerate(taps)) {
        int64_t lane = o % block,
                at = ((batch * blocks + o / block) * taps.size() + tap) * last;
        words[at + lane / kWordBits] |=
            (bits[first + place + o / kWordBits] >> (o % kWordBits) & 1)
            << (lane % kWordBits);
      }
  AsmResourceBlob blob = HeapAsmResourceBlob::allocateAndCopyWithAlign(
      llvm::ArrayRef<char>(reinterpret_cast<const char *>(words.data()),
                           words.size() * sizeof(uint32_t)),
      /*align=*/64);
  return arith::ConstantOp::create(
      b, DenseResourceElementsAttr::get(type, "filter", std::move(blob)));
}

Value bquant::layOutFloatFilter(ImplicitLocOpBuilder &b,
                                KernelAttrInterface kernel, Value filter,
                                ArrayRef<int64_t> perm, unsigned outputs,
                                int64_t filters) {
  auto type = cast<RankedTensorType>(filter.getType());
  bool words = type.getElementType().isInteger();
  SmallVector<int64_t> shape = applyPermutation(type.getShape(), perm),
                       strides = applyPermutation(
                           computeStrides(type.getShape()), perm);
  shape[outputs] = filters;
  if (type.getElementType().isBF16()) { // Its kernel takes constants only.
    SmallVector<uint16_t> halves = *getBF16Bits(getConstantTensor(filter));
    SmallVector<uint32_t> bits(halves.begin(), halves.end());
    return createOfNumbers(b, kernel, bits, shape, strides, outputs);
  }
  if (std::optional<SmallVector<uint32_t>> bits = getConstantBits(filter))
    return words ? createOfSigns(b, kernel, *bits, shape, strides, outputs)
                 : createOfNumbers(b, kernel, *bits, shape, strides, outputs);
  if (words)
    filter = createUnpack(b, filter, filters).front();
  filter = createTransposed(b, filter, perm);
  if (!words)
    return packed::RelayoutOp::create(
        b, kernel.getFilterLayout().getType(shape, outputs), filter,
        outputs + 1 < shape.size() ? shape.back() : 1, outputs);
  auto blocks = cast<packed::BlocksAttr>(kernel.getFilterLayout());
  return packed::PackOp::create(
             b,
             ArrayRef<LayoutAttrInterface>(
                 WordsLayoutAttr::get(b.getContext())),
             createBlocks(b, blocks, filter, outputs, blocks.getBlock()))
      .getResult(0);
}
