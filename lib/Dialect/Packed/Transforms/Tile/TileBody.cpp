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

void Box::toPacked(OpBuilder &b, Location loc, LayoutAttrInterface layout) {
  int64_t unit = layout.getUnit(), bits = layout.getUnitChannels();
  offsets.back() = affine::makeComposedFoldedAffineApply(
      b, loc, b.getAffineSymbolExpr(0).floorDiv(bits) * unit, {offsets.back()});
  sizes.back() =
      b.getIndexAttr(layout.countElements(*getConstantIntValue(sizes.back())));
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

FailureOr<SmallVector<Value>> TileBody::emit(TileRegion &region,
                                             const Box &tile, ValueRange inits,
                                             const Tiles &known) {
  this->tile = tile;
  tiles = known;
  DenseMap<Value, Value> places;
  for (auto [liveOut, init] : llvm::zip_equal(region.liveOuts, inits))
    places[liveOut.first] = init;
  // What a product starts from writes to the product's place.
  for (Operation *op : region.ops)
    if (isa<linalg::GenericOp, ProductOp>(op))
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
                                                  const Box &tile) {
  this->tile = tile;
  tiles.clear();
  // Products of several regions may start from one value.
  auto isStart = [](Operation *op) {
    return llvm::any_of(op->getUses(), [](OpOperand &use) {
      return countsBits(use.getOwner()) &&
             cast<ProductOp>(use.getOwner()).isDpsInit(&use);
    });
  };
  for (Operation *op : region.ops)
    if ((countsBits(op) || isStart(op)) && failed(emitOp(op, Tiles())))
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
  if (isa<packed::UnpackOp>(op))
    return tiling.generateResultTileValue(rewriter, 0, tile.offsets,
                                          tile.sizes);
  Box box = tile;
  if (isa<packed::PackOp>(op))
    box.toPacked( // Its tiles, in any layout.
        rewriter, loc, WordsLayoutAttr::get(op->getContext()));
  if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
    SmallVector<int64_t> ranges(generic.getStaticLoopRanges());
    addReductions(box, ranges);
  }
  if (auto product = dyn_cast<ProductOp>(op))
    addReductions(box, product.getLoopSizes());
  return tiling.getTiledImplementation(rewriter, box.offsets, box.sizes);
}

/// What `slice` is of a value, of that block of it alone.
Value TileBody::sliceBlock(Value block, Value slice) {
  auto op = slice.getDefiningOp<tensor::ExtractSliceOp>();
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
  for (auto [d, offset] : llvm::enumerate(offsets))
    if (cast<RankedTensorType>(block.getType()).getDimSize(d) !=
        op.getSourceType().getDimSize(d))
      offset = rewriter.getIndexAttr(0);
  return tensor::ExtractSliceOp::create(rewriter, loc, op.getType(), block,
                                        offsets, op.getMixedSizes(),
                                        op.getMixedStrides());
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
    } else if (Value block = blocks.lookup(value)) {
      use.set(sliceBlock(block, use.get()));
    } else if (isa<packed::PackOp>(op) && !style.isDpsInit(&operand)) {
      // Of static size also where the row ends inside a word.
      use.set(tile.extract(rewriter, loc, value));
    } else if (style.isDpsInit(&operand) &&
               value.getDefiningOp<tensor::EmptyOp>()) {
      Value init = inits.lookup(style.getTiedOpResult(&operand));
      // A fill's result has the type of what it fills.
      use.set(init ? init
                   : tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                             type.getElementType(),
                                             type.getEncoding())
                         .getResult());
    }
  }
  if (isa<packed::PackOp>(op))
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
