//===- TileLoops.cpp - The loop nest of a layer ---------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %r = scf.forall (channels, ...) shared_outs(%o = %init) {
//     %s = tensor.extract_slice %o[all pixels of these channels]
//     %s1 = scf.for (pixels of the first region) iter_args(%s) { tile }
//     %s2 = scf.for (pixels of the next region) iter_args(%s1) { tile }
//     tensor.parallel_insert_slice %s2 into %o
//   }
//
// For more than one thread each region has its scf.foralls, over as many of its
// loops as make tiles enough for all of them:
//
//   %r1 = scf.forall (channels, pixels ...) shared_outs(%o = %init) {
//     %s = tensor.extract_slice %o[some pixels of the first region]
//     ...
//   }
//   %r2 = scf.forall (channels, pixels ...) shared_outs(%o = %r1) { ... }
//
// Where the counts of a tile are more than registers hold, they go through
// memory in any case. What follows them is a loop over rows then, unless it is
// but their bits:
//
//   %counts = bquant.packed_product ... -> tensor<1x1x6x64xi32>
//   %s1 = scf.for (rows of the tile) iter_args(%s) { what follows, of a row }

#include "Dialect/BQuant/Analysis/TileableOps.h"
#include "FilterBlocks.h"
#include "TileBody.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace bquant;

/// That of the product, by which a user knows the layer, or else the last op's.
static Location getLocation(const Layer &layer) {
  for (const TileRegion &region : layer.regions)
    for (Operation *op : region.ops)
      if (isReduction(op))
        return op->getLoc();
  return layer.anchor->getLoc();
}

/// Tiles for each thread: few enough that a tile is worth being claimed, and
/// enough that none waits long for the last.
static constexpr int64_t kTilesOfThread = 8;

namespace {

class LayerEmitter {
public:
  LayerEmitter(RewriterBase &rewriter, Layer &layer, const TileOptions &options)
      : rewriter(rewriter), layer(layer), options(options),
        plan(planTiles(layer, options)), loc(getLocation(layer)),
        rank(layer.regions[0].offsets.size()), body(rewriter, loc) {}

  FailureOr<SmallVector<Value>> run() {
    // All that a layer becomes bears its name.
    for (TileRegion &region : layer.regions)
      for (Operation *op : region.ops)
        op->walk([&](Operation *part) { part->setLoc(loc); });
    rewriter.setInsertionPointAfter(layer.anchor);
    SmallVector<Value> dests;
    for (Dest &dest : layer.dests) {
      auto type = cast<RankedTensorType>(dest.value.getType());
      dests.push_back(dest.init ? dest.init
                                : tensor::EmptyOp::create(rewriter, loc,
                                                          type.getShape(),
                                                          type.getElementType())
                                      .getResult());
    }
    outer = plan.outer;
    inner = plan.inner;
    if (options.inside) {
      outer.clear();
      inner = llvm::to_vector(llvm::seq<unsigned>(rank));
    }
    auto all = llvm::to_vector(llvm::seq<unsigned>(layer.regions.size()));
    if (options.threads == 1) {
      // Outer dimensions are whole in all regions.
      if (failed(emitForalls(all, dests)))
        return failure();
    } else {
      for (unsigned p : all) {
        splitForThreads(p);
        if (failed(emitForalls({p}, dests)))
          return failure();
      }
    }
    replace(dests);
    return dests;
  }

private:
  //===--------------------------------------------------------------------===//
  // Loops
  //===--------------------------------------------------------------------===//

  /// Calls `fn` with one segment for each of `dims`, all combinations, up to
  /// the first that fails.
  static LogicalResult
  forEachCombination(ArrayRef<unsigned> dims,
                     ArrayRef<SmallVector<Segment>> segments,
                     llvm::function_ref<LogicalResult(ArrayRef<Segment>)> fn) {
    SmallVector<Segment> chosen;
    std::function<LogicalResult(unsigned)> choose = [&](unsigned i) {
      if (i == dims.size())
        return fn(chosen);
      for (const Segment &segment : segments[dims[i]]) {
        chosen.push_back(segment);
        if (failed(choose(i + 1)))
          return failure();
        chosen.pop_back();
      }
      return success();
    };
    return choose(0);
  }

  /// Makes loops of region `p` parallel, outermost first, until there are tiles
  /// enough for the threads.
  void splitForThreads(unsigned p) {
    auto countTiles = [&](unsigned dim) {
      int64_t tiles = 0;
      for (const Segment &segment : plan.segments[p][dim])
        tiles += (segment.end - segment.start) / segment.tile;
      return tiles;
    };
    int64_t tiles = 1;
    for (unsigned dim : plan.outer)
      tiles *= countTiles(dim);
    ArrayRef<unsigned> rest = plan.inner;
    outer = plan.outer;
    while (!rest.empty() && tiles < kTilesOfThread * options.threads) {
      tiles *= countTiles(rest.front());
      outer.push_back(rest.front());
      rest = rest.drop_front();
    }
    inner = SmallVector<unsigned>(rest);
  }

  /// All tiles of `regions`, which have the same outer loops. Updates `dests`.
  LogicalResult emitForalls(ArrayRef<unsigned> regions,
                            SmallVector<Value> &dests) {
    return forEachCombination(outer, plan.segments[regions.front()],
                              [&](ArrayRef<Segment> segments) {
                                return emitForall(regions, segments, dests);
                              });
  }

  /// Whether one tile is all of each dest.
  bool isWhole(ArrayRef<unsigned> regions, ArrayRef<Segment> segments) {
    return regions.size() == layer.regions.size() &&
           llvm::all_of(llvm::zip_equal(outer, segments),
                        [&](const auto &pair) {
                          auto [dim, segment] = pair;
                          return isOneTile(segment) && segment.start == 0 &&
                                 plan.segments[0][dim].size() == 1;
                        });
  }

  /// Updates `dests`.
  LogicalResult emitForall(ArrayRef<unsigned> regions,
                           ArrayRef<Segment> segments,
                           SmallVector<Value> &dests) {
    if (isWhole(regions, segments)) {
      // No slices: of a whole tensor inserted whole nothing sees that it need
      // not be a copy.
      tile.offsets.assign(rank, nullptr);
      tile.sizes.assign(rank, nullptr);
      for (auto [dim, segment] : llvm::zip_equal(outer, segments))
        enter(dim, segment, rewriter.getIndexAttr(0));
      if (failed(emitFilters(regions, segments)))
        return failure();
      return emitRegions(regions, dests);
    }
    llvm::SmallSetVector<unsigned, 4> written;
    for (unsigned p : regions)
      for (auto [result, dest] : layer.regions[p].liveOuts)
        written.insert(dest);
    auto inits =
        llvm::map_to_vector(written, [&](unsigned d) { return dests[d]; });
    SmallVector<OpFoldResult> starts, ends, steps;
    for (const Segment &segment : segments) {
      starts.push_back(rewriter.getIndexAttr(segment.start));
      ends.push_back(rewriter.getIndexAttr(segment.end));
      steps.push_back(rewriter.getIndexAttr(segment.tile));
    }
    auto forall = scf::ForallOp::create(rewriter, loc, starts, ends, steps,
                                        inits, std::nullopt);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(forall.getBody());

    tile.offsets.assign(rank, nullptr);
    tile.sizes.assign(rank, nullptr);
    for (auto [dim, segment, iv] :
         llvm::zip_equal(outer, segments, forall.getInductionVars()))
      enter(dim, segment,
            isOneTile(segment)
                ? OpFoldResult(rewriter.getIndexAttr(segment.start))
                : OpFoldResult(iv));
    SmallVector<Box> boxes;
    SmallVector<Value> slices(dests.size());
    for (auto [d, whole] :
         llvm::zip_equal(written, forall.getRegionIterArgs())) {
      boxes.push_back(getOuterBox(layer.regions[regions.front()], d));
      slices[d] = boxes.back().extract(rewriter, loc, whole);
    }
    if (failed(emitFilters(regions, segments)) ||
        failed(emitRegions(regions, slices)))
      return failure();
    rewriter.setInsertionPointToStart(forall.getTerminator().getBody());
    for (auto [d, box, whole] :
         llvm::zip_equal(written, boxes, forall.getRegionIterArgs()))
      tensor::ParallelInsertSliceOp::create(rewriter, loc, slices[d], whole,
                                            box.offsets, box.sizes,
                                            box.getStrides(rewriter));
    for (auto [d, result] : llvm::zip_equal(written, forall.getResults()))
      dests[d] = result;
    return success();
  }

  /// The blocks of filters that are computed in each of the outer loops.
  LogicalResult emitFilters(ArrayRef<unsigned> regions,
                            ArrayRef<Segment> segments) {
    SmallVector<unsigned> loops;
    for (auto [dim, segment] : llvm::zip_equal(outer, segments))
      if (!isOneTile(segment))
        loops.push_back(dim);
    // Regions that have other loops would compute them again.
    SmallVector<TileRegion *> together;
    if (regions.size() == layer.regions.size())
      for (unsigned p : regions)
        together.push_back(&layer.regions[p]);
    FailureOr<TileBody::Tiles> blocks =
        emitFilterBlocks(rewriter, loc, together, loops, tile, options);
    if (failed(blocks))
      return failure();
    body.setFilterBlocks(std::move(*blocks));
    return success();
  }

  /// The loops of `regions` over the inner dimensions; updates `slices`.
  LogicalResult emitRegions(ArrayRef<unsigned> regions,
                            SmallVector<Value> &slices) {
    for (unsigned p : regions)
      if (failed(forEachCombination(inner, plan.segments[p],
                                    [&](ArrayRef<Segment> segments) {
                                      return emitFor(p, segments, 0, slices);
                                    })))
        return failure();
    return success();
  }

  static bool isOneTile(const Segment &segment) {
    return segment.end - segment.start == segment.tile;
  }

  void enter(unsigned dim, const Segment &segment, OpFoldResult offset) {
    tile.offsets[dim] = offset;
    tile.sizes[dim] = rewriter.getIndexAttr(segment.tile);
  }

  /// The loops over `segments[i...]` of region `p`; updates `slices`.
  LogicalResult emitFor(unsigned p, ArrayRef<Segment> segments, unsigned i,
                        SmallVector<Value> &slices) {
    if (i == segments.size())
      return emitRows(p, slices);
    const Segment &segment = segments[i];
    if (isOneTile(segment)) {
      enter(inner[i], segment, rewriter.getIndexAttr(segment.start));
      return emitFor(p, segments, i + 1, slices);
    }
    return emitLoop(p, segment, slices,
                    [&](Value position, SmallVector<Value> &inside) {
                      enter(inner[i], segment, position);
                      return emitFor(p, segments, i + 1, inside);
                    });
  }

  /// A loop over `segment` that carries what region `p` writes; updates
  /// `slices`.
  LogicalResult
  emitLoop(unsigned p, const Segment &segment, SmallVector<Value> &slices,
           llvm::function_ref<LogicalResult(Value, SmallVector<Value> &)> fn) {
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(rewriter, loc, value);
    };
    SmallVector<Value> carried;
    for (auto [result, dest] : layer.regions[p].liveOuts)
      carried.push_back(slices[dest]);
    auto loop = scf::ForOp::create(rewriter, loc, constant(segment.start),
                                   constant(segment.end),
                                   constant(segment.tile), carried);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> inside = slices;
    for (auto [liveOut, arg] :
         llvm::zip_equal(layer.regions[p].liveOuts, loop.getRegionIterArgs()))
      inside[liveOut.second] = arg;
    if (failed(fn(loop.getInductionVar(), inside)))
      return failure();
    SmallVector<Value> yielded;
    for (auto [j, liveOut] : llvm::enumerate(layer.regions[p].liveOuts)) {
      yielded.push_back(inside[liveOut.second]);
      slices[liveOut.second] = loop.getResult(j);
    }
    scf::YieldOp::create(rewriter, loc, yielded);
    return success();
  }

  //===--------------------------------------------------------------------===//
  // Slices
  //===--------------------------------------------------------------------===//

  /// How a dest is packed, if it is.
  std::optional<Layout> getLayout(unsigned dest) {
    for (TileRegion &region : layer.regions)
      for (auto [result, d] : region.liveOuts)
        if (auto pack = dyn_cast<PackOp>(result.getOwner()); pack && d == dest)
          return pack.getLayoutOf(result.getResultNumber());
    return std::nullopt;
  }

  void moveBy(Box &box, unsigned dim, int64_t offset) {
    box.offsets[dim] = affine::makeComposedFoldedAffineApply(
        rewriter, loc, rewriter.getAffineSymbolExpr(0) + offset,
        {box.offsets[dim]});
  }

  /// What one iteration of the scf.forall writes of a dest, in regions that lie
  /// as `region` along the outer dimensions.
  Box getOuterBox(const TileRegion &region, unsigned dest) {
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
    if (std::optional<Layout> layout = getLayout(dest); layout && outerLane)
      box.toPacked(rewriter, loc, *layout);
    return box;
  }

  /// Where the tile of `region` lies in the slice of a dest.
  Box getTileBox(const TileRegion &region, unsigned dest) {
    Box box = tile;
    for (unsigned d : outer)
      box.offsets[d] = rolled && rolled->first == d
                           ? OpFoldResult(rolled->second)
                           : OpFoldResult(rewriter.getIndexAttr(0));
    if (layer.dests[dest].init)
      for (unsigned d : inner)
        moveBy(box, d, region.offsets[d]);
    if (std::optional<Layout> layout = getLayout(dest))
      box.toPacked(rewriter, loc, *layout);
    return box;
  }

  /// The current tile, its rows in a loop where that is better.
  LogicalResult emitRows(unsigned p, SmallVector<Value> &slices) {
    TileRegion &region = layer.regions[p];
    unsigned rowDim = 0;
    int64_t rows = 1;
    for (unsigned d = 0; d + 1 < rank; ++d)
      if (int64_t size = *getConstantIntValue(tile.sizes[d]); size > 1) {
        rowDim = d;
        rows = size;
      }
    int64_t channels = *getConstantIntValue(tile.sizes.back());
    if (!rollsRows(region, rows, channels, options))
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

  LogicalResult emitTile(unsigned p, SmallVector<Value> &slices,
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

  //===--------------------------------------------------------------------===//
  // In place of the ops
  //===--------------------------------------------------------------------===//

  void replace(ValueRange results) {
    DenseSet<Operation *> old(layer.inserts.begin(), layer.inserts.end());
    for (TileRegion &region : layer.regions)
      old.insert(region.ops.begin(), region.ops.end());
    auto isOutside = [&](OpOperand &use) {
      return !old.contains(use.getOwner());
    };
    for (TileRegion &region : layer.regions)
      for (auto [result, dest] : region.liveOuts) {
        if (!layer.dests[dest].init ||
            llvm::none_of(result.getUses(), isOutside))
          continue;
        // Read by itself, too: that is a part of the whole.
        Box box;
        box.offsets =
            getAsIndexOpFoldResult(rewriter.getContext(), region.offsets);
        box.sizes = getAsIndexOpFoldResult(
            rewriter.getContext(),
            cast<RankedTensorType>(result.getType()).getShape());
        rewriter.replaceUsesWithIf(
            result, box.extract(rewriter, loc, results[dest]), isOutside);
      }
    for (auto [dest, result] : llvm::zip_equal(layer.dests, results))
      rewriter.replaceUsesWithIf(dest.value, result, isOutside);
    for (tensor::InsertSliceOp insert : llvm::reverse(layer.inserts))
      rewriter.eraseOp(insert);
    SmallVector<ComputedFilter> filters;
    for (TileRegion &region : layer.regions) {
      filters.append(getComputedFilters(region));
      for (Operation *op : llvm::reverse(region.ops))
        rewriter.eraseOp(op);
    }
    erasePaths(rewriter, filters);
  }

  RewriterBase &rewriter;
  Layer &layer;
  const TileOptions &options;
  TilePlan plan;
  Location loc;
  unsigned rank;
  TileBody body;

  /// Dimensions of the scf.foralls, and of the loops inside, as of TilePlan.
  SmallVector<unsigned> outer, inner;
  /// Where a tile's rows are in a loop: their dimension, and the current one.
  std::optional<std::pair<unsigned, Value>> rolled;
  /// The current tile in the domain of the region, complete inside all loops.
  Box tile;
};

} // namespace

FailureOr<SmallVector<Value>> bquant::emitLayer(RewriterBase &rewriter,
                                                Layer &layer,
                                                const TileOptions &options) {
  return LayerEmitter(rewriter, layer, options).run();
}
