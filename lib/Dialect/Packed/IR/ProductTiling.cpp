//===- ProductTiling.cpp - Tiles of products by kernels -------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile of the loops [o, o + n) reaches, of an operand with the map f, the
// slice [f(o), f(o + n - 1)], and inside it the map is f again:
// f(o + i) - f(o) = f(i). That holds where f is linear, and of blocks
// (floordiv) where tiles are whole ones or lie inside of one. Of a filter that
// is laid out in blocks a tile starts with one: it reads all of its lanes.
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/Packed/IR/Packed.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;

LogicalResult ProductOp::reifyResultShapes(OpBuilder &b,
                                           ReifiedRankedShapedTypeDims &dims) {
  for (Value init : getInits())
    dims.push_back(tensor::getMixedSizes(b, getLoc(), init));
  return success();
}

SmallVector<utils::IteratorType> ProductOp::getLoopIteratorTypes() {
  SmallVector<utils::IteratorType> types(getNumParallelLoops(),
                                         utils::IteratorType::parallel);
  types.resize(getMaps().front().getNumDims(), utils::IteratorType::reduction);
  return types;
}

SmallVector<Range> ProductOp::getIterationDomain(OpBuilder &b) {
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, getLoc(), getInits().front());
  SmallVector<int64_t> loopSizes = getLoopSizes();
  for (int64_t size : ArrayRef(loopSizes).drop_front(sizes.size()))
    sizes.push_back(ShapedType::isDynamic(size) ? OpFoldResult()
                                                : b.getIndexAttr(size));
  AffineExpr steps = getStepIndex();
  for (auto [number, map] : llvm::enumerate(getMaps()))
    for (auto [dim, index] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(index);
      bool countsSteps = index == steps;
      if (!loop && !countsSteps)
        continue;
      OpFoldResult &size =
          countsSteps ? sizes.back() : sizes[loop.getPosition()];
      if (size)
        continue;
      size = tensor::getMixedSize(b, getLoc(), getOperand(number), dim);
      if (countsSteps)
        size = affine::makeComposedFoldedAffineApply(
            b, getLoc(),
            b.getAffineSymbolExpr(0) * getKernelInterface().getStepSize(),
            {size});
    }
  return llvm::map_to_vector(sizes, [&](OpFoldResult size) {
    return Range{b.getIndexAttr(0), size, b.getIndexAttr(1)};
  });
}

LogicalResult ProductOp::getResultTilePosition(
    OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,
    SmallVector<OpFoldResult> &resultSizes) {
  unsigned rank = getNumParallelLoops();
  resultOffsets.assign(offsets.begin(), offsets.begin() + rank);
  resultSizes.assign(sizes.begin(), sizes.begin() + rank);
  return success();
}

/// The tile of all loops that makes a tile of the results.
LogicalResult ProductOp::getIterationDomainTileFromResultTile(
    OpBuilder &b, unsigned, ArrayRef<OpFoldResult> resultOffsets,
    ArrayRef<OpFoldResult> resultSizes, SmallVectorImpl<OpFoldResult> &offsets,
    SmallVectorImpl<OpFoldResult> &sizes) {
  offsets.assign(resultOffsets.begin(), resultOffsets.end());
  sizes.assign(resultSizes.begin(), resultSizes.end());
  SmallVector<Range> domain = getIterationDomain(b);
  for (const Range &range : ArrayRef(domain).drop_front(offsets.size())) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
  }
  return success();
}

/// Whether a tile of a loop starts with a block of `block` steps, or
/// (`canLieInside`) lies inside of one. Where it starts is known, or else a
/// multiple of its size, as tilings make it.
static bool fitsBlocks(int64_t block, OpFoldResult offset, OpFoldResult size,
                       bool canLieInside) {
  std::optional<int64_t> o = getConstantIntValue(offset);
  std::optional<int64_t> n = getConstantIntValue(size);
  if (o && *o % block == 0)
    return true;
  if (o)
    return canLieInside && n && *o % block + *n <= block;
  return n && (*n % block == 0 || (canLieInside && block % *n == 0));
}

/// Whether the maps and, of words, the place of the channel's bit are the same
/// inside of the tile.
static bool canTile(ProductOp op, ArrayRef<OpFoldResult> offsets,
                    ArrayRef<OpFoldResult> sizes) {
  bool fits = true;
  unsigned channel = op.getNumParallelLoops() - 1;
  for (auto [number, map] : llvm::enumerate(op.getMaps())) {
    auto type = cast<RankedTensorType>(op->getOperand(number).getType());
    bool hasLanes = number >= op.getInputs().size() &&
                    int64_t(map.getNumResults()) < type.getRank();
    map.walkExprs([&](AffineExpr expr) {
      auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
      if (!binary || expr.getKind() != AffineExprKind::FloorDiv)
        return;
      unsigned loop = cast<AffineDimExpr>(binary.getLHS()).getPosition();
      int64_t block = cast<AffineConstantExpr>(binary.getRHS()).getValue();
      fits &= fitsBlocks(block, offsets[loop], sizes[loop], !hasLanes);
    });
    // A tile inside of a word would have to start with the word's first bit.
    for (unsigned dim = 0; dim < map.getNumResults(); ++dim)
      if (op.countsWords(number, dim))
        fits &= fitsBlocks(kWordBits, offsets[channel], sizes[channel],
                           /*canLieInside=*/false);
  }
  return fits;
}

/// Whether tiles one after the other add the floats of a result in the order of
/// the loops: those after a reduction with several steps in a tile are whole.
/// Of a loop with several tiles one does not start at 0.
static bool keepsOrder(ProductOp op, ArrayRef<OpFoldResult> offsets,
                       ArrayRef<OpFoldResult> sizes) {
  if (!op.sumsFloats())
    return true;
  bool hasSteps = false;
  for (size_t loop = op.getNumParallelLoops(); loop < sizes.size(); ++loop) {
    if (hasSteps && !isZeroInteger(offsets[loop]))
      return false;
    hasSteps |= !isOneInteger(sizes[loop]);
  }
  return true;
}

/// The slice of operand `number` that a tile of the loops reaches through its
/// map, and all of the dimensions behind.
static Value extractTile(OpBuilder &b, ProductOp op, unsigned number,
                         AffineMap map, ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) {
  Location loc = op.getLoc();
  Value operand = op->getOperand(number);
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  SmallVector<OpFoldResult> last =
      llvm::map_to_vector(sizes, [&](OpFoldResult size) {
        return affine::makeComposedFoldedAffineApply(b, loc, s0 - 1, {size});
      });
  auto apply = [&](AffineExpr expr, ArrayRef<OpFoldResult> loops) {
    return affine::makeComposedFoldedAffineApply(
        b, loc, AffineMap::get(map.getNumDims(), 0, expr), loops);
  };
  SmallVector<OpFoldResult> sliceOffsets, sliceSizes;
  for (auto [dim, index] : llvm::enumerate(map.getResults())) {
    // Words of a tile that starts at one: a difference of steps rounds down.
    AffineExpr expr =
        op.countsWords(number, dim) ? index.floorDiv(kWordBits) : index;
    sliceOffsets.push_back(apply(expr, offsets));
    sliceSizes.push_back(apply(expr + 1, last));
  }
  auto type = cast<RankedTensorType>(operand.getType());
  for (int64_t d = map.getNumResults(); d < type.getRank(); ++d) {
    sliceOffsets.push_back(b.getIndexAttr(0));
    sliceSizes.push_back(b.getIndexAttr(type.getDimSize(d)));
  }
  SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(b, loc, operand, sliceOffsets,
                                        sliceSizes, strides);
}

FailureOr<TilingResult>
ProductOp::getTiledImplementation(OpBuilder &b, ArrayRef<OpFoldResult> offsets,
                                  ArrayRef<OpFoldResult> sizes) {
  if (!canTile(*this, offsets, sizes) || !keepsOrder(*this, offsets, sizes))
    return failure();
  SmallVector<AffineMap> maps = getMaps();
  AffineMap all =
      AffineMap::getMultiDimIdentityMap(offsets.size(), b.getContext());
  maps.append(getInits().size(),
              AffineMap::get(offsets.size(), 0,
                             all.getResults().take_front(getNumParallelLoops()),
                             b.getContext()));
  TilingResult result;
  SmallVector<Value> operands;
  for (auto [number, map] : llvm::enumerate(maps)) {
    operands.push_back(extractTile(b, *this, number, map, offsets, sizes));
    result.generatedSlices.push_back(operands.back().getDefiningOp());
  }
  ValueRange inits = ValueRange(operands).take_back(getInits().size());
  Operation *tiled = mlir::clone(b, getOperation(), TypeRange(inits), operands);
  result.tiledOps.push_back(tiled);
  llvm::append_range(result.tiledValues, tiled->getResults());
  return result;
}

FailureOr<TilingResult>
ProductOp::generateResultTileValue(OpBuilder &b, unsigned resultNumber,
                                   ArrayRef<OpFoldResult> resultOffsets,
                                   ArrayRef<OpFoldResult> resultSizes) {
  SmallVector<OpFoldResult> offsets, sizes;
  (void)getIterationDomainTileFromResultTile(b, resultNumber, resultOffsets,
                                             resultSizes, offsets, sizes);
  FailureOr<TilingResult> tiled = getTiledImplementation(b, offsets, sizes);
  if (succeeded(tiled))
    tiled->tiledValues = {tiled->tiledValues[resultNumber]};
  return tiled;
}
