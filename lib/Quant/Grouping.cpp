//===- Grouping.cpp - Which values of an array share scalars --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Quant/Grouping.h"

using namespace bquant::quant;

std::string bquant::quant::formatShape(const std::vector<int64_t> &shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

Result<Grouping> Grouping::get(std::vector<int64_t> shape,
                               std::vector<int64_t> axes) {
  if (shape.empty())
    return Failure{"expected an array of rank 1 or more, but got a scalar"};
  int64_t rank = shape.size(), size = 1;
  for (int64_t dim : shape)
    if (dim < 1)
      return Failure{"expected an array that is not empty, but got shape " +
                     formatShape(shape)};
  for (int64_t dim : shape)
    if (__builtin_mul_overflow(size, dim, &size) || size > (int64_t(1) << 62))
      return Failure{"expected at most 2^62 values, but got shape " +
                     formatShape(shape)};
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] < 0 || axes[i] >= rank)
      return Failure{"expected axes from 0 to " + std::to_string(rank - 1) +
                     ", but got " + std::to_string(axes[i])};
    if (i && axes[i] <= axes[i - 1])
      return Failure{"expected axes in ascending order, but got " +
                     formatShape(axes)};
  }

  Grouping g;
  int64_t stride = size;
  size_t nextAxis = 0;
  for (int64_t d = 0; d < rank; ++d) {
    stride /= shape[d];
    bool isKept = nextAxis < axes.size() && axes[nextAxis] == d;
    nextAxis += isKept;
    (isKept ? g.groups : g.groupLength) *= shape[d];
    // Neighbouring dimensions of one kind are one dimension, and those of size
    // 1 are none.
    if (shape[d] == 1)
      continue;
    std::vector<Dim> &same = isKept ? g.keptDims : g.reducedDims;
    if (!same.empty() && same.back().stride == stride * shape[d])
      same.back() = {same.back().size * shape[d], stride};
    else
      same.push_back({shape[d], stride});
  }
  g.contiguous = g.reducedDims.empty() || (g.reducedDims.size() == 1 &&
                                           g.reducedDims.front().stride == 1);
  g.dims = std::move(shape);
  g.kept = std::move(axes);
  return g;
}

Grouping::Run Grouping::getRun(int64_t position) const {
  if (keptDims.empty())
    return {0, 0, size() - position};
  int64_t group = 0;
  for (const Dim &dim : keptDims)
    group = group * dim.size + position / dim.stride % dim.size;
  Dim inner = keptDims.back();
  if (inner.stride == 1)
    return {group, 1, inner.size - position % inner.size};
  return {group, 0, inner.stride - position % inner.stride};
}

void Grouping::gather(const float *x, int64_t group, float *out) const {
  const float *start = x;
  for (size_t d = keptDims.size(); d-- > 0;) {
    start += group % keptDims[d].size * keptDims[d].stride;
    group /= keptDims[d].size;
  }
  if (reducedDims.empty()) {
    *out = *start;
    return;
  }
  Dim inner = reducedDims.back();
  size_t outerRank = reducedDims.size() - 1;
  std::vector<int64_t> index(outerRank, 0);
  for (int64_t done = 0; done < groupLength; done += inner.size) {
    for (int64_t i = 0; i < inner.size; ++i)
      *out++ = start[i * inner.stride];
    for (size_t d = outerRank; d-- > 0;) {
      start += reducedDims[d].stride;
      if (++index[d] < reducedDims[d].size)
        break;
      start -= reducedDims[d].size * reducedDims[d].stride;
      index[d] = 0;
    }
  }
}
