//===- TileLoops.cpp - The loops over the tiles of a layer ----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the counts of a tile are more than registers hold, they go through
// memory in any case. What follows them is a loop over rows then, unless it is
// but their bits:
//
//   %counts = bquant_packed.product ... -> tensor<1x1x6x64xi32>
//   %s1 = scf.for (rows of the tile) iter_args(%s) { what follows, of a row }

#include "Dialect/BQuant/Analysis/TileableOps.h"
#include "FilterBlocks.h"
#include "LayerEmitter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace bquant;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void LayerEmitter::setLoops(SmallVector<unsigned> around,
                            SmallVector<unsigned> inside) {
  outer = std::move(around);
  inner = std::move(inside);
  tile.offsets.assign(rank, nullptr);
  tile.sizes.assign(rank, nullptr);
}

void LayerEmitter::enter(unsigned dim, int64_t size, OpFoldResult offset) {
  tile.offsets[dim] = offset;
  tile.sizes[dim] = rewriter.getIndexAttr(size);
}

SmallVector<unsigned>
LayerEmitter::getLooped(ArrayRef<Segment> segments) const {
  SmallVector<unsigned> looped;
  for (auto [dim, segment] : llvm::zip_equal(outer, segments))
    if (!isOneTile(segment))
      looped.push_back(dim);
  return looped;
}

LogicalResult LayerEmitter::emitInside(ArrayRef<unsigned> regions,
                                       ArrayRef<Segment> segments,
                                       SmallVector<Value> &slices) {
  return success(succeeded(emitFilters(regions, getLooped(segments))) &&
                 succeeded(emitRegions(regions, slices)));
}

LogicalResult LayerEmitter::emitFilters(ArrayRef<unsigned> regions,
                                        ArrayRef<unsigned> dims) {
  // Regions that have other loops would compute them again.
  SmallVector<TileRegion *> together;
  if (regions.size() == layer.regions.size())
    for (unsigned p : regions)
      together.push_back(&layer.regions[p]);
  // A loop of one tile is entered later, but its place is known.
  Box known = tile;
  for (unsigned d : inner)
    if (llvm::all_of(regions, [&](unsigned p) {
          return plan.segments[p][d].size() == 1 &&
                 isOneTile(plan.segments[p][d].front());
        }))
      known.offsets[d] = rewriter.getIndexAttr(0);
  FailureOr<TileBody::Tiles> blocks =
      emitFilterBlocks(rewriter, loc, together, dims, known, options);
  if (failed(blocks))
    return failure();
  body.setBlocks(std::move(*blocks));
  return success();
}

LogicalResult LayerEmitter::emitRegions(ArrayRef<unsigned> regions,
                                        SmallVector<Value> &slices) {
  for (unsigned p : regions)
    if (failed(forEachCombination(inner, plan.segments[p],
                                  [&](ArrayRef<Segment> segments) {
                                    return emitFor(p, segments, 0, slices);
                                  })))
      return failure();
  return success();
}

/// The loops over `segments[i...]` of region `p`; updates `slices`.
LogicalResult LayerEmitter::emitFor(unsigned p, ArrayRef<Segment> segments,
                                    unsigned i, SmallVector<Value> &slices) {
  if (i == segments.size())
    return emitRows(p, slices);
  const Segment &segment = segments[i];
  if (isOneTile(segment)) {
    enter(inner[i], segment.tile, rewriter.getIndexAttr(segment.start));
    return emitFor(p, segments, i + 1, slices);
  }
  return emitLoop(p, segment, slices,
                  [&](Value position, SmallVector<Value> &inside) {
                    enter(inner[i], segment.tile, position);
                    return emitFor(p, segments, i + 1, inside);
                  });
}

LogicalResult LayerEmitter::emitLoop(const Segment &segment,
                                     SmallVector<Value> &values,
                                     EmitInLoop fn) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  auto loop =
      scf::ForOp::create(rewriter, loc, constant(segment.start),
                         constant(segment.end), constant(segment.tile), values);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> inside(loop.getRegionIterArgs());
  if (failed(fn(loop.getInductionVar(), inside)))
    return failure();
  scf::YieldOp::create(rewriter, loc, inside);
  values.assign(loop.getResults().begin(), loop.getResults().end());
  return success();
}

/// A loop over `segment` that carries what region `p` writes; updates
/// `slices`.
LogicalResult LayerEmitter::emitLoop(unsigned p, const Segment &segment,
                                     SmallVector<Value> &slices,
                                     EmitInLoop fn) {
  // Of all slices those; the others stay.
  ArrayRef<std::pair<OpResult, unsigned>> liveOuts = layer.regions[p].liveOuts;
  auto carried = llvm::map_to_vector(
      liveOuts, [&](const auto &liveOut) { return slices[liveOut.second]; });
  SmallVector<Value> inside = slices;
  auto spread = [&](ArrayRef<Value> from, SmallVector<Value> &to) {
    for (auto [liveOut, value] : llvm::zip_equal(liveOuts, from))
      to[liveOut.second] = value;
  };
  LogicalResult result = emitLoop(
      segment, carried, [&](Value position, SmallVector<Value> &values) {
        spread(values, inside);
        if (failed(fn(position, inside)))
          return failure();
        for (auto [liveOut, value] : llvm::zip_equal(liveOuts, values))
          value = inside[liveOut.second];
        return success();
      });
  spread(carried, slices);
  return result;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// How a dest is packed; null if it is not.
LayoutAttrInterface LayerEmitter::getLayout(unsigned dest) {
  for (TileRegion &region : layer.regions)
    for (auto [result, d] : region.liveOuts)
      if (auto pack = dyn_cast<packed::PackOp>(result.getOwner());
          pack && d == dest)
        return pack.getLayoutOf(result.getResultNumber());
  return {};
}

void LayerEmitter::moveBy(Box &box, unsigned dim, int64_t offset) {
  box.offsets[dim] = affine::makeComposedFoldedAffineApply(
      rewriter, loc, rewriter.getAffineSymbolExpr(0) + offset,
      {box.offsets[dim]});
}

Box LayerEmitter::getOuterBox(const TileRegion &region, unsigned dest) {
  auto type = cast<RankedTensorType>(layer.dests[dest].value.getType());
  Box box = tile;
  bool outerLane = true;
  // The dest of one region alone has its shape.
  if (layer.dests[dest].init)
    for (unsigned d : outer)
      moveBy(box, d, region.offsets[d]);
  for (unsigned d : inner) {
    box.offsets[d] = rewriter.getIndexAttr(0);
    box.sizes[d] = rewriter.getIndexAttr(type.getDimSize(d));
    outerLane &= d != rank - 1;
  }
  if (LayoutAttrInterface layout = getLayout(dest); layout && outerLane)
    box.toPacked(rewriter, loc, layout);
  return box;
}

/// Where the tile of `region` lies in the slice of a dest.
Box LayerEmitter::getTileBox(const TileRegion &region, unsigned dest) {
  Box box = tile;
  for (unsigned d : outer)
    box.offsets[d] = rolled && rolled->first == d
                         ? OpFoldResult(rolled->second)
                         : OpFoldResult(rewriter.getIndexAttr(0));
  if (layer.dests[dest].init)
    for (unsigned d : inner)
      moveBy(box, d, region.offsets[d]);
  if (LayoutAttrInterface layout = getLayout(dest))
    box.toPacked(rewriter, loc, layout);
  return box;
}

/// The current tile, its rows in a loop where that is better.
LogicalResult LayerEmitter::emitRows(unsigned p, SmallVector<Value> &slices) {
  TileRegion &region = layer.regions[p];
  unsigned rowDim = 0;
  int64_t rows = 1;
  for (unsigned d = 0; d + 1 < rank; ++d)
    if (int64_t size = *getConstantIntValue(tile.sizes[d]); size > 1) {
      rowDim = d;
      rows = size;
    }
  int64_t channels = *getConstantIntValue(tile.sizes.back());
  if (!rollsRows(countRollable(region), rows, channels, options))
    return emitTile(p, slices, TileBody::Tiles());
  FailureOr<TileBody::Tiles> products = body.emitProducts(region, tile);
  if (failed(products))
    return failure();
  Box whole = tile;
  auto emitRow = [&](Value row, SmallVector<Value> &inside) {
    AffineExpr sum =
        rewriter.getAffineSymbolExpr(0) + rewriter.getAffineSymbolExpr(1);
    tile.offsets[rowDim] = affine::makeComposedFoldedAffineApply(
        rewriter, loc, sum, {whole.offsets[rowDim], row});
    tile.sizes[rowDim] = rewriter.getIndexAttr(1);
    rolled = {rowDim, row};
    Box part = tile;
    part.offsets.assign(rank, rewriter.getIndexAttr(0));
    part.offsets[rowDim] = row;
    TileBody::Tiles known;
    for (Operation *op : region.ops)
      for (OpResult result : op->getResults())
        if (Value product = products->lookup(result))
          known[result] = part.extract(rewriter, loc, product);
    return emitTile(p, inside, known);
  };
  LogicalResult result = emitLoop(p, {0, rows, 1}, slices, emitRow);
  tile = whole;
  rolled.reset();
  return result;
}

LogicalResult LayerEmitter::emitTile(unsigned p, SmallVector<Value> &slices,
                                     const TileBody::Tiles &known) {
  TileRegion &region = layer.regions[p];
  SmallVector<Box> boxes;
  SmallVector<Value> inits;
  for (auto [result, dest] : region.liveOuts) {
    boxes.push_back(getTileBox(region, dest));
    inits.push_back(boxes.back().extract(rewriter, loc, slices[dest]));
  }
  FailureOr<SmallVector<Value>> tiles = body.emit(region, tile, inits, known);
  if (failed(tiles))
    return failure();
  for (auto [liveOut, box, part] :
       llvm::zip_equal(region.liveOuts, boxes, *tiles))
    slices[liveOut.second] = tensor::InsertSliceOp::create(
        rewriter, loc, part, slices[liveOut.second], box.offsets, box.sizes,
        box.getStrides(rewriter));
  return success();
}
