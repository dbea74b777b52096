//===- LayerEmitter.cpp - The scf.foralls of a layer ----------------------===//
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

#include "LayerEmitter.h"
#include "Dialect/BQuant/Analysis/TileableOps.h"
#include "FilterBlocks.h"
#include "bquant/Dialect/Packed/IR/Packed.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace bquant;

/// Where `dest` is written: where its chain begins, where the operation of the
/// layer has it, or a new tensor.
static Value getPlace(OpBuilder &b, Location loc, const Dest &dest) {
  if (dest.init)
    return dest.init->get();
  for (OpOperand &use : dest.value.getUses())
    if (auto yield = dyn_cast<packed::YieldOp>(use.getOwner()))
      return cast<packed::LayerOp>(yield->getParentOp())
          .getInitArguments()[use.getOperandNumber()];
  auto type = cast<RankedTensorType>(dest.value.getType());
  return tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType(),
                                 type.getEncoding());
}

LogicalResult bquant::forEachCombination(
    ArrayRef<unsigned> dims, ArrayRef<SmallVector<Segment>> segments,
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

LayerEmitter::LayerEmitter(RewriterBase &rewriter, Layer &layer,
                           const TileOptions &options, TilePlan plan,
                           Location loc)
    : rewriter(rewriter), layer(layer), options(options), plan(std::move(plan)),
      loc(loc), rank(layer.regions[0].offsets.size()), body(rewriter, loc) {}

FailureOr<SmallVector<Value>> LayerEmitter::run() {
  rewriter.setInsertionPointAfter(layer.anchor);
  SmallVector<Value> dests;
  for (const Dest &dest : layer.dests)
    dests.push_back(getPlace(rewriter, loc, dest));
  setLoops(plan.outer, plan.inner);
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
      // More parallel loops where there are few tiles for the threads.
      ArrayRef<unsigned> rest = plan.inner;
      unsigned parallel = plan.countParallelInner(p, options.threads);
      outer = plan.outer;
      llvm::append_range(outer, rest.take_front(parallel));
      inner = SmallVector<unsigned>(rest.drop_front(parallel));
      if (failed(emitForalls({p}, dests)))
        return failure();
    }
  }
  replace(dests);
  return dests;
}

/// All tiles of `regions`, which have the same outer loops. Updates `dests`.
LogicalResult LayerEmitter::emitForalls(ArrayRef<unsigned> regions,
                                        SmallVector<Value> &dests) {
  return forEachCombination(outer, plan.segments[regions.front()],
                            [&](ArrayRef<Segment> segments) {
                              return emitForall(regions, segments, dests);
                            });
}

/// Whether one tile is all of each dest.
bool LayerEmitter::isWhole(ArrayRef<unsigned> regions,
                           ArrayRef<Segment> segments) {
  return regions.size() == layer.regions.size() &&
         llvm::all_of(llvm::zip_equal(outer, segments), [&](const auto &pair) {
           auto [dim, segment] = pair;
           return isOneTile(segment) && segment.start == 0 &&
                  plan.segments[0][dim].size() == 1;
         });
}

/// Updates `dests`.
LogicalResult LayerEmitter::emitForall(ArrayRef<unsigned> regions,
                                       ArrayRef<Segment> segments,
                                       SmallVector<Value> &dests) {
  setLoops(outer, inner);
  if (isWhole(regions, segments)) {
    // No slices: of a whole tensor inserted whole nothing sees that it need
    // not be a copy.
    for (auto [dim, segment] : llvm::zip_equal(outer, segments))
      enter(dim, segment.tile, rewriter.getIndexAttr(0));
    return emitInside(regions, segments, dests);
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
  auto forall = scf::ForallOp::create(rewriter, loc, starts, ends, steps, inits,
                                      std::nullopt);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(forall.getBody());

  for (auto [dim, segment, iv] :
       llvm::zip_equal(outer, segments, forall.getInductionVars()))
    enter(dim, segment.tile,
          isOneTile(segment)
              ? OpFoldResult(rewriter.getIndexAttr(segment.start))
              : OpFoldResult(iv));
  SmallVector<Box> boxes;
  SmallVector<Value> slices(dests.size());
  for (auto [d, whole] : llvm::zip_equal(written, forall.getRegionIterArgs())) {
    boxes.push_back(getOuterBox(layer.regions[regions.front()], d));
    slices[d] = boxes.back().extract(rewriter, loc, whole);
  }
  if (failed(emitInside(regions, segments, slices)))
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

void LayerEmitter::replace(ValueRange results) {
  DenseSet<Operation *> old(layer.inserts.begin(), layer.inserts.end());
  for (TileRegion &region : layer.regions)
    old.insert(region.ops.begin(), region.ops.end());
  auto isOutside = [&](OpOperand &use) {
    return !old.contains(use.getOwner());
  };
  for (TileRegion &region : layer.regions)
    for (auto [result, dest] : region.liveOuts) {
      if (!layer.dests[dest].init || llvm::none_of(result.getUses(), isOutside))
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
  eraseOps();
}

void LayerEmitter::eraseOps() {
  for (tensor::InsertSliceOp insert : llvm::reverse(layer.inserts))
    rewriter.eraseOp(insert);
  SmallVector<ComputedFilter> filters;
  llvm::SetVector<Operation *>
      ops; // Regions and layers may have some in common.
  for (TileRegion &region : layer.regions) {
    filters.append(getComputedFilters(region));
    ops.insert_range(region.ops);
  }
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty())
      rewriter.eraseOp(op);
  erasePaths(rewriter, filters);
}

FailureOr<SmallVector<Value>> bquant::emitLayer(RewriterBase &rewriter,
                                                Layer &layer,
                                                const TileOptions &options) {
  return LayerEmitter(rewriter, layer, options,
                      planTiles(getLayerShape(layer), options),
                      getLocation(layer))
      .run();
}
