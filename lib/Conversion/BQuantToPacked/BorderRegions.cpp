//===- BorderRegions.cpp - Results put together by border classes ---------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BorderRegions.h"
#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;

SmallVector<OpFoldResult>
bquant::getBorderRegionSizes(OpBuilder &b, ArrayRef<OpFoldResult> sizes,
                             const BorderClass &h, const BorderClass &w) {
  return {sizes[0], b.getIndexAttr(h.getOutputs()),
          b.getIndexAttr(w.getOutputs()), sizes[3]};
}

Value bquant::createRegionImage(ImplicitLocOpBuilder &b, Value image,
                                const std::array<Window, 2> &windows,
                                const BorderClass &h, const BorderClass &w,
                                int64_t each) {
  auto type = cast<RankedTensorType>(image.getType());
  SmallVector<int64_t> offsets(type.getRank(), 0), sizes(type.getShape());
  offsets[1] = h.getPosition(windows[0], h.tapBegin);
  offsets[2] = w.getPosition(windows[1], w.tapBegin) * each;
  sizes[1] = h.getExtent(windows[0]);
  sizes[2] = w.getExtent(windows[1]) * each;
  return createSlice(b, image, offsets, sizes);
}

Value bquant::createRegionTaps(ImplicitLocOpBuilder &b, Value filter,
                               int64_t window, const BorderClass &h,
                               const BorderClass &w, int64_t each) {
  auto type = cast<RankedTensorType>(filter.getType());
  SmallVector<int64_t> offsets(type.getRank(), 0), sizes(type.getShape());
  offsets[window] = h.tapBegin;
  offsets[window + 1] = w.tapBegin * each;
  sizes[window] = h.getTaps();
  sizes[window + 1] = w.getTaps() * each;
  if (type.getShape() == ArrayRef(sizes))
    return filter;
  return tensor::ExtractSliceOp::create(
      b, type.clone(sizes), filter,
      getAsIndexOpFoldResult(b.getContext(), offsets),
      getAsIndexOpFoldResult(b.getContext(), sizes),
      SmallVector<OpFoldResult>(sizes.size(), b.getIndexAttr(1)));
}

SmallVector<Value> bquant::assembleBorderRegions(
    ImplicitLocOpBuilder &b, ArrayRef<OpFoldResult> sizes,
    ArrayRef<BorderClass> rows, ArrayRef<BorderClass> columns,
    CreateBorderRegion createBorderRegion) {
  if (rows.size() == 1 && columns.size() == 1)
    return createBorderRegion(rows.front(), columns.front());
  SmallVector<Value> results;
  SmallVector<OpFoldResult> ones(4, b.getIndexAttr(1));
  for (const BorderClass &h : rows)
    for (const BorderClass &w : columns) {
      SmallVector<OpFoldResult> offsets(4, b.getIndexAttr(0));
      offsets[1] = b.getIndexAttr(h.begin);
      offsets[2] = b.getIndexAttr(w.begin);
      SmallVector<Value> region = createBorderRegion(h, w);
      if (results.empty())
        for (Value value : region) {
          auto type = cast<RankedTensorType>(value.getType());
          results.push_back(tensor::EmptyOp::create(
              b, sizes, type.getElementType(), type.getEncoding()));
        }
      for (auto [result, value] : llvm::zip_equal(results, region))
        result = tensor::InsertSliceOp::create(
            b, value, result, offsets, getBorderRegionSizes(b, sizes, h, w),
            ones);
    }
  return results;
}
