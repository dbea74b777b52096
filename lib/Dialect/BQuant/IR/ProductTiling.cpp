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

#include "ProductTiling.h"
#include "Support/Constraints.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace bquant;

#include "bquant/Dialect/BQuant/IR/BQuantProductInterface.cpp.inc"

static unsigned getNumOperands(ProductOpInterface op) {
  return op.getNumInputs() + op.getNumFilters();
}

SmallVector<utils::IteratorType>
bquant::getProductIteratorTypes(ProductOpInterface op) {
  SmallVector<utils::IteratorType> types(op.getNumParallelLoops(),
                                         utils::IteratorType::parallel);
  types.resize(op.getMaps().front().getNumDims(),
               utils::IteratorType::reduction);
  return types;
}

/// The loop and the step of an index `loop floordiv step`; else a step of 0.
static std::pair<unsigned, int64_t> getSteps(AffineExpr expr) {
  auto steps = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!steps || expr.getKind() != AffineExprKind::FloorDiv)
    return {0, 0};
  auto loop = dyn_cast<AffineDimExpr>(steps.getLHS());
  auto step = dyn_cast<AffineConstantExpr>(steps.getRHS());
  if (!loop || !step)
    return {0, 0};
  return {loop.getPosition(), step.getValue()};
}

SmallVector<int64_t> bquant::getLaidOutLoopSizes(ProductOpInterface op) {
  unsigned parallel = op.getNumParallelLoops();
  SmallVector<int64_t> sizes(op.getResultTensor().getShape());
  SmallVector<AffineMap> maps = op.getMaps();
  sizes.resize(maps.front().getNumDims(), ShapedType::kDynamic);
  for (unsigned i = op.getNumInputs(); i < maps.size(); ++i) {
    auto type = cast<RankedTensorType>(op->getOperand(i).getType());
    for (auto [expr, size] : llvm::zip(maps[i].getResults(), type.getShape()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        sizes[dim.getPosition()] = size;
      else if (auto [loop, step] = getSteps(expr); step && loop >= parallel)
        sizes[loop] = size * step;
  }
  return sizes;
}

/// The first operand of static shape that its map leaves at the last step of
/// all loops.
static std::optional<unsigned> findOperandOutside(ProductOpInterface op) {
  SmallVector<int64_t> last = op.getLoopSizes();
  if (llvm::any_of(last, ShapedType::isDynamic))
    return std::nullopt;
  for (int64_t &size : last)
    --size;
  for (auto [i, map] : llvm::enumerate(op.getMaps())) {
    auto type = cast<RankedTensorType>(op->getOperand(i).getType());
    if (!type.hasStaticShape())
      continue;
    for (auto [index, size] : llvm::zip(map.compose(last), type.getShape()))
      if (index >= size)
        return i;
  }
  return std::nullopt;
}

LogicalResult bquant::verifyLaidOutLoops(ProductOpInterface op, int first) {
  SmallVector<int64_t> sizes = op.getLoopSizes();
  for (auto [d, size] : llvm::enumerate(sizes))
    if (d >= op.getNumParallelLoops() && ShapedType::isDynamic(size))
      return expected(op, first) << "a filter that is indexed by loop " << d
                                 << " alone, which gives it its size";
  KernelAttrInterface kernel = op.getKernelInterface();
  if (int64_t step = kernel ? kernel.getStepSize() : 1; sizes.back() % step)
    return expected(op, first + 1) << "a last loop of steps of " << step
                                   << " elements, but got " << sizes.back();
  if (std::optional<unsigned> i = findOperandOutside(op))
    return expected(op, first + 2)
           << "maps that stay inside their operands, but got "
           << AffineMapAttr::get(op.getMaps()[*i]) << " for "
           << op->getOperand(*i).getType();
  return success();
}

SmallVector<Range> bquant::getProductDomain(OpBuilder &b,
                                            ProductOpInterface op) {
  Location loc = op.getLoc();
  auto style = cast<DestinationStyleOpInterface>(op.getOperation());
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, loc, style.getDpsInits().front());
  SmallVector<int64_t> loopSizes = op.getLoopSizes();
  for (int64_t size : ArrayRef(loopSizes).drop_front(sizes.size()))
    sizes.push_back(ShapedType::isDynamic(size) ? OpFoldResult()
                                                : b.getIndexAttr(size));
  for (auto [number, map] : llvm::enumerate(op.getMaps()))
    for (auto [dim, index] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(index);
          loop && !sizes[loop.getPosition()])
        sizes[loop.getPosition()] =
            tensor::getMixedSize(b, loc, op->getOperand(number), dim);
  return llvm::map_to_vector(sizes, [&](OpFoldResult size) {
    return Range{b.getIndexAttr(0), size, b.getIndexAttr(1)};
  });
}

void bquant::getProductTile(OpBuilder &b, ProductOpInterface op,
                            ArrayRef<OpFoldResult> resultOffsets,
                            ArrayRef<OpFoldResult> resultSizes,
                            SmallVectorImpl<OpFoldResult> &offsets,
                            SmallVectorImpl<OpFoldResult> &sizes) {
  offsets.assign(resultOffsets.begin(), resultOffsets.end());
  sizes.assign(resultSizes.begin(), resultSizes.end());
  SmallVector<Range> domain = getProductDomain(b, op);
  for (const Range &range : ArrayRef(domain).drop_front(offsets.size())) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
  }
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
static bool canTile(ProductOpInterface op, ArrayRef<OpFoldResult> offsets,
                    ArrayRef<OpFoldResult> sizes) {
  bool fits = true;
  unsigned channel = op.getNumParallelLoops() - 1;
  for (auto [number, map] : llvm::enumerate(op.getMaps())) {
    auto type = cast<RankedTensorType>(op->getOperand(number).getType());
    bool hasLanes = number >= op.getNumInputs() &&
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

/// The slice of operand `number` that a tile of the loops reaches through its
/// map, and all of the dimensions behind.
static Value extractTile(OpBuilder &b, ProductOpInterface op, unsigned number,
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

FailureOr<TilingResult> bquant::tileProduct(OpBuilder &b, ProductOpInterface op,
                                            ArrayRef<OpFoldResult> offsets,
                                            ArrayRef<OpFoldResult> sizes) {
  if (!canTile(op, offsets, sizes))
    return failure();
  SmallVector<AffineMap> maps = op.getMaps();
  auto style = cast<DestinationStyleOpInterface>(op.getOperation());
  maps.append(style.getNumDpsInits(),
              AffineMap::getMultiDimIdentityMap(offsets.size(), b.getContext())
                  .getMajorSubMap(op.getNumParallelLoops()));
  TilingResult result;
  SmallVector<Value> operands;
  for (auto [number, map] : llvm::enumerate(maps)) {
    operands.push_back(extractTile(b, op, number, map, offsets, sizes));
    result.generatedSlices.push_back(operands.back().getDefiningOp());
  }
  ValueRange inits = ValueRange(operands).drop_front(getNumOperands(op));
  Operation *tiled = mlir::clone(b, op, TypeRange(inits), operands);
  result.tiledOps.push_back(tiled);
  llvm::append_range(result.tiledValues, tiled->getResults());
  return result;
}

int64_t bquant::fitBlocks(int64_t block, int64_t most) {
  if (block < most)
    return most / block * block;
  if (block % most == 0)
    return most;
  int64_t divisor = std::min(block, 2 * most);
  while (block % divisor != 0)
    --divisor;
  return divisor;
}
