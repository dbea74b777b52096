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
// Where the counts of a tile are more than registers hold, they go through
// memory in any case. What follows them is a loop over rows then, unless it is
// but their bits:
//
//   %counts = bquant.packed_product ... -> tensor<1x1x6x64xi32>
//   %s1 = scf.for (rows of the tile) iter_args(%s) { what follows, of a row }

#include "Dialect/BQuant/Analysis/TileableOps.h"
#include "TileBody.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

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

namespace {

class LayerEmitter {
public:
  LayerEmitter(RewriterBase &rewriter, Layer &layer, const TileOptions &options)
      : rewriter(rewriter), layer(layer), options(options),
        plan(planTiles(layer, options)), loc(getLocation(layer)),
        rank(layer.regions[0].offsets.size()), body(rewriter, loc) {}

  LogicalResult run() {
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
    // Outer dimensions are whole in all regions, so those of the first will do.
    auto emit = [&](ArrayRef<Segment> outer) {
      return emitForall(outer, dests);
    };
    if (failed(forEachCombination(plan.outer, plan.segments[0], emit)))
      return failure();
    replace(dests);
    return success();
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

  /// Whether one tile of `outer` is all of each dest.
  bool isWhole(ArrayRef<Segment> outer) {
    return llvm::all_of(llvm::zip_equal(plan.outer, outer),
                        [&](const auto &pair) {
                          auto [dim, segment] = pair;
                          return isOneTile(segment) && segment.start == 0 &&
                                 plan.segments[0][dim].size() == 1;
                        });
  }

  /// Updates `dests`.
  LogicalResult emitForall(ArrayRef<Segment> outer, SmallVector<Value> &dests) {
    if (isWhole(outer)) {
      // No slices: of a whole tensor inserted whole nothing sees that it need
      // not be a copy.
      tile.offsets.assign(rank, nullptr);
      tile.sizes.assign(rank, nullptr);
      for (auto [dim, segment] : llvm::zip_equal(plan.outer, outer))
        enter(dim, segment, rewriter.getIndexAttr(0));
      return emitRegions(dests);
    }
    SmallVector<OpFoldResult> starts, ends, steps;
    for (const Segment &segment : outer) {
      starts.push_back(rewriter.getIndexAttr(segment.start));
      ends.push_back(rewriter.getIndexAttr(segment.end));
      steps.push_back(rewriter.getIndexAttr(segment.tile));
    }
    auto forall = scf::ForallOp::create(rewriter, loc, starts, ends, steps,
                                        dests, std::nullopt);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(forall.getBody());

    tile.offsets.assign(rank, nullptr);
    tile.sizes.assign(rank, nullptr);
    for (auto [dim, segment, iv] :
         llvm::zip_equal(plan.outer, outer, forall.getInductionVars()))
      enter(dim, segment,
            isOneTile(segment)
                ? OpFoldResult(rewriter.getIndexAttr(segment.start))
                : OpFoldResult(iv));
    SmallVector<Box> boxes;
    SmallVector<Value> slices;
    for (unsigned d = 0; d < layer.dests.size(); ++d) {
      boxes.push_back(getOuterBox(d));
      slices.push_back(
          boxes[d].extract(rewriter, loc, forall.getRegionIterArgs()[d]));
    }
    if (failed(emitRegions(slices)))
      return failure();
    rewriter.setInsertionPointToStart(forall.getTerminator().getBody());
    for (auto [slice, box, dest] :
         llvm::zip_equal(slices, boxes, forall.getRegionIterArgs()))
      tensor::ParallelInsertSliceOp::create(rewriter, loc, slice, dest,
                                            box.offsets, box.sizes,
                                            box.getStrides(rewriter));
    dests = forall.getResults();
    return success();
  }

  /// The loops of all regions over the inner dimensions; updates `slices`.
  LogicalResult emitRegions(SmallVector<Value> &slices) {
    for (unsigned p = 0; p < layer.regions.size(); ++p)
      if (failed(forEachCombination(plan.inner, plan.segments[p],
                                    [&](ArrayRef<Segment> inner) {
                                      return emitFor(p, inner, 0, slices);
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

  /// The loops over `inner[i...]` of region `p`; updates `slices`.
  LogicalResult emitFor(unsigned p, ArrayRef<Segment> inner, unsigned i,
                        SmallVector<Value> &slices) {
    if (i == inner.size())
      return emitRows(p, slices);
    const Segment &segment = inner[i];
    if (isOneTile(segment)) {
      enter(plan.inner[i], segment, rewriter.getIndexAttr(segment.start));
      return emitFor(p, inner, i + 1, slices);
    }
    return emitLoop(p, segment, slices,
                    [&](Value position, SmallVector<Value> &inside) {
                      enter(plan.inner[i], segment, position);
                      return emitFor(p, inner, i + 1, inside);
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

  /// What one iteration of the scf.forall writes of a dest.
  Box getOuterBox(unsigned dest) {
    auto type = cast<RankedTensorType>(layer.dests[dest].value.getType());
    Box box = tile;
    bool outerLane = true;
    for (unsigned d : plan.inner) {
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
    for (unsigned d : plan.outer)
      box.offsets[d] = rewriter.getIndexAttr(0);
    // The dest of one region alone has its shape.
    if (layer.dests[dest].init)
      for (unsigned d : plan.inner)
        box.offsets[d] = affine::makeComposedFoldedAffineApply(
            rewriter, loc, rewriter.getAffineSymbolExpr(0) + region.offsets[d],
            {box.offsets[d]});
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
    for (TileRegion &region : layer.regions)
      for (Operation *op : llvm::reverse(region.ops))
        rewriter.eraseOp(op);
  }

  RewriterBase &rewriter;
  Layer &layer;
  const TileOptions &options;
  TilePlan plan;
  Location loc;
  unsigned rank;
  TileBody body;

  /// The current tile in the domain of the region, complete inside all loops.
  Box tile;
};

} // namespace

LogicalResult bquant::emitLayer(RewriterBase &rewriter, Layer &layer,
                                const TileOptions &options) {
  return LayerEmitter(rewriter, layer, options).run();
}
