//===- FilterLevels.cpp - Float filters of a few levels -------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   dense<[[0.5, -0.25], [0.0, 0.5], [-0.75, 0.5], ..]> : tensor<64x2xf32>
//
// has the numbers -0.75, 0 and 0.5 in its first channel: it becomes two planes
// of words with the number of each element's level, and three levels with a
// number for each channel, as of TTQ or AdaBin.
//
//===----------------------------------------------------------------------===//

#include "FilterLevels.h"
#include "Constants.h"
#include "TileableOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace mlir;
using namespace bquant;

int64_t FilterLevels::countBytes() const {
  return sizeof(uint32_t) * planes.size() * planes.front().size() +
         sizeof(float) * levels.size() * levels.front().size();
}

/// The dimensions of the filter, that of the channels last; empty if a loop of
/// the result is another one of them.
static SmallVector<unsigned> getDims(AffineMap map, unsigned channel) {
  SmallVector<unsigned> dims;
  std::optional<unsigned> last;
  for (unsigned dim = 0; dim < map.getNumResults(); ++dim) {
    if (map.getDimPosition(dim) == channel)
      last = dim;
    else if (map.getDimPosition(dim) < channel)
      return {};
    else
      dims.push_back(dim);
  }
  if (!last)
    return {};
  dims.push_back(*last);
  return dims;
}

/// The elements of a constant filter, those of all channels side by side; empty
/// for a filter that is not constant.
static SmallVector<float> readElements(Value filter, ArrayRef<unsigned> dims) {
  auto type = cast<RankedTensorType>(filter.getType());
  SmallVector<float> values = getConstantFloats(filter), elements;
  if (values.empty())
    return {};
  SmallVector<int64_t> shape, strides, all = computeStrides(type.getShape());
  for (unsigned dim : dims.drop_back()) {
    shape.push_back(type.getDimSize(dim));
    strides.push_back(all[dim]);
  }
  int64_t channels = type.getDimSize(dims.back()), stride = all[dims.back()];
  SmallVector<int64_t> basis = computeStrides(shape);
  elements.reserve(values.size());
  for (int64_t i = 0, e = values.size() / channels; i < e; ++i) {
    int64_t first = linearize(delinearize(i, basis), strides);
    for (int64_t c = 0; c < channels; ++c)
      elements.push_back(values[first + c * stride]);
  }
  return elements;
}

/// Zeros of both signs are two numbers: one of them changes a sum of -0.
static bool isSame(float a, float b) {
  return llvm::bit_cast<uint32_t>(a) == llvm::bit_cast<uint32_t>(b);
}

/// The numbers of each channel, ascending; empty if one has more than `most`.
static SmallVector<SmallVector<float, 4>>
findNumbers(ArrayRef<float> elements, int64_t channels, size_t most) {
  SmallVector<SmallVector<float, 4>> numbers(channels);
  for (auto [i, value] : llvm::enumerate(elements)) {
    SmallVector<float, 4> &own = numbers[i % channels];
    if (llvm::any_of(
            own, [value = value](float other) { return isSame(other, value); }))
      continue;
    if (own.size() == most || !std::isfinite(value))
      return {};
    own.insert(llvm::lower_bound(own, value), value);
  }
  return numbers;
}

std::optional<FilterLevels>
bquant::findFilterLevels(const LinalgProduct &product) {
  // Fewer elements than that are hardly more than their levels.
  constexpr int64_t kFewest = 16;
  constexpr size_t kMostLevels = 4;
  AffineMap map = product.maps[1];
  if (product.parallel == 0 || !map.isProjectedPermutation())
    return std::nullopt;
  unsigned channel = product.parallel - 1;
  FilterLevels found;
  found.dims = getDims(map, channel);
  // Of channels that read an element each a register is a filter anyway.
  if (found.dims.empty() || readsLanes(product.maps[0], channel))
    return std::nullopt;
  auto type = cast<RankedTensorType>(product.operands[1].getType());
  for (unsigned dim : found.dims)
    found.shape.push_back(type.getDimSize(dim));
  int64_t channels = found.shape.back();
  SmallVector<float> elements = readElements(product.operands[1], found.dims);
  if (elements.empty() || int64_t(elements.size()) < kFewest * channels)
    return std::nullopt;
  SmallVector<SmallVector<float, 4>> numbers =
      findNumbers(elements, channels, kMostLevels);
  if (numbers.empty())
    return std::nullopt;

  size_t count = 2;
  for (ArrayRef<float> own : numbers)
    count = std::max(count, own.size());
  for (size_t level = 0; level < count; ++level) {
    SmallVector<float> &row = found.levels.emplace_back();
    for (ArrayRef<float> own : numbers)
      row.push_back(own[std::min(level, own.size() - 1)]);
  }
  int64_t planes = llvm::Log2_64_Ceil(count),
          words = llvm::divideCeil(channels, kWordBits);
  found.shape.back() = words;
  found.planes.assign(
      planes, SmallVector<uint32_t>(elements.size() / channels * words, 0));
  for (auto [i, value] : llvm::enumerate(elements)) {
    int64_t c = i % channels;
    const float *number =
        llvm::find_if(numbers[c], [value = value](float other) {
          return isSame(other, value);
        });
    int64_t level = number - numbers[c].begin();
    for (int64_t plane = 0; plane < planes; ++plane)
      found.planes[plane][i / channels * words + c / kWordBits] |=
          uint32_t(level >> (planes - 1 - plane) & 1) << (c % kWordBits);
  }
  return found;
}
