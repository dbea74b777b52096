//===- TileBody.cpp - The ops of one tile ---------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileBody.h"
#include "Dialect/BQuant/Analysis/TileableOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

SmallVector<OpFoldResult> Box::getStrides(Builder &b) const {
  return SmallVector<OpFoldResult>(offsets.size(), b.getIndexAttr(1));
}

Value Box::extract(OpBuilder &b, Location loc, Value source) const {
  return tensor::ExtractSliceOp::create(b, loc, source, offsets, sizes,
                                        getStrides(b));
}

void Box::toPacked(OpBuilder &b, Location loc, Layout layout) {
  int64_t unit = getUnitElements(layout), bits = getElementBits(layout) * unit;
  offsets.back() = affine::makeComposedFoldedAffineApply(
      b, loc, b.getAffineSymbolExpr(0).floorDiv(bits) * unit, {offsets.back()});
  sizes.back() =
      b.getIndexAttr(countElements(layout, *getConstantIntValue(sizes.back())));
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static LogicalResult emitRefused(Operation *op) {
  return op->emitOpError("expected an op that can be tiled, but its tiling "
                         "refuses a tile");
}

/// Whether `init` is a fill, or computed for one op alone.
static bool startsAlone(Value init) {
  if (init.getDefiningOp<linalg::FillOp>())
    return true;
  auto generic = init.getDefiningOp<linalg::GenericOp>();
  return generic && !isReduction(generic) && init.hasOneUse();
}

FailureOr<SmallVector<Value>>
TileBody::emit(TileRegion &region, const Box &tile, const Segment &segment,
               ValueRange inits, const Tiles &known) {
  this->tile = tile;
  channelSegment = segment;
  tiles = known;
  DenseMap<Value, Value> places;
  for (auto [liveOut, init] : llvm::zip_equal(region.liveOuts, inits))
    places[liveOut.first] = init;
  // What a product starts from writes to the product's place.
  for (Operation *op : region.ops)
    if (isa<linalg::GenericOp, PackedProductOp>(op))
      for (auto [init, result] :
           llvm::zip_equal(cast<DestinationStyleOpInterface>(op).getDpsInits(),
                           op->getResults()))
        if (startsAlone(init) && places.count(result))
          places[init] = places[result];
  for (Operation *op : region.ops)
    if (!tiles.contains(op->getResult(0)) && failed(emitOp(op, places)))
      return emitRefused(op);
  return llvm::map_to_vector(region.liveOuts, [&](const auto &liveOut) {
    return tiles.lookup(liveOut.first);
  });
}

FailureOr<TileBody::Tiles> TileBody::emitProducts(TileRegion &region,
                                                  const Box &tile,
                                                  const Segment &segment) {
  this->tile = tile;
  channelSegment = segment;
  tiles.clear();
  auto isStart = [](Operation *op) {
    return isa<linalg::FillOp>(op) && op->hasOneUse() &&
           isa<PackedProductOp>(*op->user_begin());
  };
  for (Operation *op : region.ops)
    if ((isa<PackedProductOp>(op) || isStart(op)) &&
        failed(emitOp(op, Tiles())))
      return emitRefused(op);
  return tiles;
}

FailureOr<TilingResult> TileBody::getTiled(Operation *op) {
  auto addReductions = [&](Box &box, ArrayRef<int64_t> ranges) {
    for (int64_t size : ranges.drop_front(tile.sizes.size())) {
      box.offsets.push_back(rewriter.getIndexAttr(0));
      box.sizes.push_back(rewriter.getIndexAttr(size));
    }
  };
  auto tiling = cast<TilingInterface>(op);
  if (isa<UnpackOp>(op))
    return tiling.generateResultTileValue(rewriter, 0, tile.offsets,
                                          tile.sizes);
  Box box = tile;
  if (isa<PackOp>(op))
    box.toPacked(rewriter, loc, Layout::words); // Its tiles, in any layout.
  if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
    SmallVector<int64_t> ranges(generic.getStaticLoopRanges());
    addReductions(box, ranges);
  }
  if (auto product = dyn_cast<PackedProductOp>(op))
    addReductions(box, product.getLoopSizes());
  return tiling.getTiledImplementation(rewriter, box.offsets, box.sizes);
}

LogicalResult TileBody::emitOp(Operation *op,
                               const DenseMap<Value, Value> &inits) {
  FailureOr<TilingResult> result = getTiled(op);
  if (failed(result))
    return failure();
  Operation *tiled = result->tiledOps.front();
  tiled->setLoc(op->getLoc());
  auto style = cast<DestinationStyleOpInterface>(op);
  rewriter.setInsertionPoint(tiled);
  for (OpOperand &operand : op->getOpOperands()) {
    OpOperand &use = tiled->getOpOperand(operand.getOperandNumber());
    Value value = operand.get();
    auto type = dyn_cast<RankedTensorType>(use.get().getType());
    if (Value known = tiles.lookup(value)) {
      use.set(known);
    } else if (isa<PackOp>(op) && !style.isDpsInit(&operand)) {
      // Of static size also where the row ends inside a word.
      use.set(tile.extract(rewriter, loc, value));
    } else if (style.isDpsInit(&operand) &&
               value.getDefiningOp<tensor::EmptyOp>()) {
      Value init = inits.lookup(style.getTiedOpResult(&operand));
      // A fill's result has the type of what it fills.
      use.set(init ? init
                   : tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                             type.getElementType())
                         .getResult());
    } else if (isBitFilter(operand)) {
      setBitFilter(operand, use);
    } else if (isFilter(operand)) {
      setFilter(operand, cast<linalg::GenericOp>(tiled), use);
    }
  }
  if (isa<PackOp>(op))
    for (auto [result, init] : llvm::zip_equal(
             tiled->getResults(),
             cast<DestinationStyleOpInterface>(tiled).getDpsInits()))
      result.setType(init.getType()); // Static, too.
  rewriter.setInsertionPointAfter(tiled);
  for (Operation *slice : result->generatedSlices)
    if (slice->use_empty())
      rewriter.eraseOp(slice);
  for (auto [whole, part] :
       llvm::zip_equal(op->getResults(), tiled->getResults()))
    tiles[whole] = part;
  return success();
}

//===----------------------------------------------------------------------===//
// Filters
//===----------------------------------------------------------------------===//

/// What `filter` is a slice of, as far as it can be told; adds the slices'
/// offsets to `offsets`.
static Value getWholeFilter(Value filter, MutableArrayRef<int64_t> offsets) {
  while (auto slice = filter.getDefiningOp<tensor::ExtractSliceOp>()) {
    if (slice.getType().getRank() != slice.getSourceType().getRank() ||
        llvm::any_of(slice.getStaticOffsets(), ShapedType::isDynamic) ||
        llvm::any_of(slice.getStaticStrides(),
                     [](int64_t stride) { return stride != 1; }))
      break;
    for (auto [offset, o] : llvm::zip_equal(offsets, slice.getStaticOffsets()))
      offset += o;
    filter = slice.getSource();
  }
  return filter;
}

/// The block of channels that the current tile has of a packed filter.
Box TileBody::getBlock() {
  AffineExpr s0 = rewriter.getAffineSymbolExpr(0);
  Box box;
  box.offsets.push_back(affine::makeComposedFoldedAffineApply(
      rewriter, loc, (s0 - channelSegment.start).floorDiv(channelSegment.tile),
      {tile.offsets.back()}));
  box.sizes.push_back(rewriter.getIndexAttr(1));
  return box;
}

int64_t TileBody::getNumBlocks() const {
  return (channelSegment.end - channelSegment.start) / channelSegment.tile;
}

/// Makes `use` of the tile read its block of the packed filter.
void TileBody::setFilter(OpOperand &operand, linalg::GenericOp tiled,
                         OpOperand &use) {
  auto type = cast<RankedTensorType>(operand.get().getType());
  SmallVector<int64_t> offsets(type.getRank(), 0);
  Value filter = getWholeFilter(operand.get(), offsets);
  Value packed =
      filters.get(loc, filter, /*dim=*/0, offsets[0] + channelSegment.start,
                  getNumBlocks(), channelSegment.tile);

  Box box = getBlock();
  SmallVector<int64_t> shape(type.getShape().drop_front());
  shape.push_back(channelSegment.tile);
  offsets.push_back(0);
  for (auto [offset, size] :
       llvm::zip_equal(ArrayRef(offsets).drop_front(), shape)) {
    box.offsets.push_back(rewriter.getIndexAttr(offset));
    box.sizes.push_back(rewriter.getIndexAttr(size));
  }
  use.set(tensor::ExtractSliceOp::create(
      rewriter, loc, RankedTensorType::get(shape, type.getElementType()),
      packed, box.offsets, box.sizes, box.getStrides(rewriter)));

  SmallVector<AffineMap> maps = tiled.getIndexingMapsArray();
  AffineMap &map = maps[use.getOperandNumber()];
  SmallVector<AffineExpr> exprs(map.getResults().drop_front());
  exprs.push_back(map.getResult(0));
  map = AffineMap::get(map.getNumDims(), 0, exprs, rewriter.getContext());
  tiled.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
}

/// Makes `use` of the tile unpack its block of the filter's words.
void TileBody::setBitFilter(OpOperand &operand, OpOperand &use) {
  auto unpack = operand.get().getDefiningOp<UnpackOp>();
  Value words =
      unpack.getInputs()[cast<OpResult>(operand.get()).getResultNumber()];
  auto type = cast<RankedTensorType>(words.getType());
  int64_t last = type.getRank() - 1;
  SmallVector<int64_t> offsets(type.getRank(), 0);
  Value filter = getWholeFilter(words, offsets);
  int64_t perTile = llvm::divideCeil(channelSegment.tile, kWordBits);
  Value packed = filters.get(loc, filter, last,
                             offsets[last] + channelSegment.start / kWordBits,
                             getNumBlocks(), perTile);

  Box box = getBlock();
  AffineMap map = cast<linalg::GenericOp>(operand.getOwner())
                      .getMatchingIndexingMap(&operand);
  SmallVector<int64_t> shape;
  for (int64_t i = 0; i < last; ++i) {
    unsigned d = map.getDimPosition(i);
    OpFoldResult offset = rewriter.getIndexAttr(offsets[i]);
    shape.push_back(type.getDimSize(i));
    if (d < tile.sizes.size()) {
      offset = affine::makeComposedFoldedAffineApply(
          rewriter, loc, rewriter.getAffineSymbolExpr(0) + offsets[i],
          {tile.offsets[d]});
      shape.back() = *getConstantIntValue(tile.sizes[d]);
    }
    box.offsets.push_back(offset);
    box.sizes.push_back(rewriter.getIndexAttr(shape.back()));
  }
  box.offsets.push_back(rewriter.getIndexAttr(0));
  box.sizes.push_back(rewriter.getIndexAttr(perTile));
  shape.push_back(perTile);
  Value slice = tensor::ExtractSliceOp::create(rewriter, loc, type.clone(shape),
                                               packed, box.offsets, box.sizes,
                                               box.getStrides(rewriter));
  shape.back() = channelSegment.tile;
  Value init =
      tensor::EmptyOp::create(rewriter, loc, shape, rewriter.getI1Type());
  use.set(UnpackOp::create(rewriter, loc, init.getType(), unpack.getLayout(),
                           slice, init)
              .getResult(0));
}
