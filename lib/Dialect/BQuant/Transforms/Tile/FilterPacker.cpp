//===- FilterPacker.cpp - Filters laid out by channels --------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   [oc][kh][kw][c]  ->  [oc / t][kh][kw][c][t]
//   [kh][kw][c][words of oc]  ->  [oc / t][kh][kw][c][words of t]
//
// with t channels a tile.
// A constant is laid out at compile time, another value by a copy in front of
// the layer. Slices of one constant share it.

#include "FilterPacker.h"
#include "Dialect/BQuant/IR/RawElements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace bquant;

Value FilterPacker::get(Location loc, Value filter, int64_t dim, int64_t start,
                        int64_t blocks, int64_t tileChannels) {
  Value &result = packed[{filter, {dim, start, blocks, tileChannels}}];
  if (result)
    return result;
  auto type = cast<RankedTensorType>(filter.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + dim);
  shape.insert(shape.begin(), blocks);
  shape.push_back(tileChannels);
  auto packedType = RankedTensorType::get(shape, type.getElementType());

  OpBuilder::InsertionGuard guard(rewriter);
  if (auto words = getConstantBits(filter)) {
    rewriter.setInsertionPointToStart(&block);
    AsmResourceBlob blob = HeapAsmResourceBlob::allocate(
        packedType.getNumElements() * sizeof(uint32_t), /*align=*/64);
    auto *out = reinterpret_cast<uint32_t *>(blob.getMutableData().data());
    int64_t outer = computeProduct(type.getShape().take_front(dim)),
            size = type.getDimSize(dim),
            inner = computeProduct(type.getShape().drop_front(dim + 1));
    for (int64_t b = 0; b < blocks; ++b)
      for (int64_t o = 0; o < outer; ++o)
        for (int64_t i = 0; i < inner; ++i)
          for (int64_t c = 0; c < tileChannels; ++c)
            *out++ =
                (*words)[(o * size + start + b * tileChannels + c) * inner + i];
    auto attr =
        DenseResourceElementsAttr::get(packedType, "filter", std::move(blob));
    return result = arith::ConstantOp::create(rewriter, loc, attr);
  }

  // At run time: (b, i..., c) <- filter[i..., start + b * tileChannels + c,
  // ...].
  unsigned rank = shape.size();
  SmallVector<AffineExpr> exprs;
  for (unsigned i = 1; i + 1 < rank; ++i)
    exprs.push_back(rewriter.getAffineDimExpr(i));
  exprs.insert(exprs.begin() + dim,
               rewriter.getAffineDimExpr(0) * tileChannels +
                   rewriter.getAffineDimExpr(rank - 1));
  SmallVector<OpFoldResult> offsets(rank - 1, rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(rank - 1, rewriter.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(rewriter.getContext(), type.getShape());
  offsets[dim] = rewriter.getIndexAttr(start);
  sizes[dim] = rewriter.getIndexAttr(blocks * tileChannels);
  if (Operation *op = filter.getDefiningOp())
    rewriter.setInsertionPointAfter(op);
  else
    rewriter.setInsertionPointToStart(&block);
  Value slice = tensor::ExtractSliceOp::create(rewriter, loc, filter, offsets,
                                               sizes, strides);
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, shape, type.getElementType());
  SmallVector<AffineMap> maps{
      AffineMap::get(rank, 0, exprs, rewriter.getContext()),
      rewriter.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto copy = linalg::GenericOp::create(
      rewriter, loc, TypeRange(packedType), slice, empty, maps, iterators,
      [](OpBuilder &b, Location loc, ValueRange args) {
        linalg::YieldOp::create(b, loc, args[0]);
      });
  return result = copy.getResult(0);
}
