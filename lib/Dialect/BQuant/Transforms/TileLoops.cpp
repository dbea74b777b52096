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
//     %s1 = scf.for (pixels of the first piece) iter_args(%s) { tile }
//     %s2 = scf.for (pixels of the next piece) iter_args(%s1) { tile }
//     tensor.parallel_insert_slice %s2 into %o
//   }

#include "TilePlan.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

namespace {

/// A rectangle of static size.
struct Box {
  SmallVector<OpFoldResult> offsets, sizes;
};

class LayerEmitter {
public:
  LayerEmitter(RewriterBase &rewriter, Layer &layer, const TileOptions &options,
               FilterPacker &filters)
      : rewriter(rewriter), layer(layer), options(options), filters(filters),
        plan(planTiles(layer, options)), loc(layer.anchor->getLoc()),
        rank(layer.pieces[0].offsets.size()) {}

  void run() {
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
    // Outer dimensions are whole in all pieces, so those of the first will do.
    forEachCombination(
        plan.outer, plan.segments[0],
        [&](ArrayRef<Segment> outer) { dests = emitForall(outer, dests); });
    replace(dests);
  }

private:
  //===--------------------------------------------------------------------===//
  // Loops
  //===--------------------------------------------------------------------===//

  /// Calls `fn` with one segment for each of `dims`, all combinations.
  static void
  forEachCombination(ArrayRef<unsigned> dims,
                     ArrayRef<SmallVector<Segment>> segments,
                     llvm::function_ref<void(ArrayRef<Segment>)> fn) {
    SmallVector<Segment> chosen;
    std::function<void(unsigned)> choose = [&](unsigned i) {
      if (i == dims.size())
        return fn(chosen);
      for (const Segment &segment : segments[dims[i]]) {
        chosen.push_back(segment);
        choose(i + 1);
        chosen.pop_back();
      }
    };
    choose(0);
  }

  SmallVector<Value> emitForall(ArrayRef<Segment> outer, ValueRange dests) {
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
    laneSegment = std::nullopt;
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
      slices.push_back(extract(forall.getRegionIterArgs()[d], boxes[d]));
    }
    for (unsigned p = 0; p < layer.pieces.size(); ++p)
      forEachCombination(
          plan.inner, plan.segments[p],
          [&](ArrayRef<Segment> inner) { emitFor(p, inner, 0, slices); });
    rewriter.setInsertionPointToStart(forall.getTerminator().getBody());
    for (auto [slice, box, dest] :
         llvm::zip_equal(slices, boxes, forall.getRegionIterArgs()))
      tensor::ParallelInsertSliceOp::create(
          rewriter, loc, slice, dest, box.offsets, box.sizes, unitStrides(box));
    return forall.getResults();
  }

  static bool isOneTile(const Segment &segment) {
    return segment.end - segment.start == segment.tile;
  }

  void enter(unsigned dim, const Segment &segment, OpFoldResult offset) {
    tile.offsets[dim] = offset;
    tile.sizes[dim] = rewriter.getIndexAttr(segment.tile);
    if (dim == rank - 1)
      laneSegment = segment;
  }

  /// The loops over `inner[i...]` of piece `p`; updates `slices`.
  void emitFor(unsigned p, ArrayRef<Segment> inner, unsigned i,
               SmallVector<Value> &slices) {
    if (i == inner.size())
      return emitTile(p, slices);
    const Segment &segment = inner[i];
    if (isOneTile(segment)) {
      enter(plan.inner[i], segment, rewriter.getIndexAttr(segment.start));
      return emitFor(p, inner, i + 1, slices);
    }
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(rewriter, loc, value);
    };
    // Only what the piece writes is carried.
    SmallVector<Value> carried;
    for (auto [result, dest] : layer.pieces[p].escapes)
      carried.push_back(slices[dest]);
    auto loop = scf::ForOp::create(rewriter, loc, constant(segment.start),
                                   constant(segment.end),
                                   constant(segment.tile), carried);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> inside = slices;
    for (auto [escape, arg] :
         llvm::zip_equal(layer.pieces[p].escapes, loop.getRegionIterArgs()))
      inside[escape.second] = arg;
    enter(plan.inner[i], segment, loop.getInductionVar());
    emitFor(p, inner, i + 1, inside);
    SmallVector<Value> yielded;
    for (auto [j, escape] : llvm::enumerate(layer.pieces[p].escapes)) {
      yielded.push_back(inside[escape.second]);
      slices[escape.second] = loop.getResult(j);
    }
    scf::YieldOp::create(rewriter, loc, yielded);
  }

  //===--------------------------------------------------------------------===//
  // Slices
  //===--------------------------------------------------------------------===//

  SmallVector<OpFoldResult> unitStrides(const Box &box) {
    return SmallVector<OpFoldResult>(box.offsets.size(),
                                     rewriter.getIndexAttr(1));
  }

  Value extract(Value source, const Box &box) {
    return tensor::ExtractSliceOp::create(rewriter, loc, source, box.offsets,
                                          box.sizes, unitStrides(box));
  }

  bool isWords(unsigned dest) {
    for (Piece &piece : layer.pieces)
      for (auto [result, d] : piece.escapes)
        if (d == dest)
          return isa<PackOp>(result.getOwner());
    return false;
  }

  /// Offset and size of elements in words.
  void toWords(Box &box) {
    box.offsets.back() = affine::makeComposedFoldedAffineApply(
        rewriter, loc, rewriter.getAffineSymbolExpr(0).floorDiv(kWordBits),
        {box.offsets.back()});
    box.sizes.back() = rewriter.getIndexAttr(
        llvm::divideCeil(*getConstantIntValue(box.sizes.back()), kWordBits));
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
    if (outerLane && isWords(dest))
      toWords(box);
    return box;
  }

  /// Where the tile of `piece` lies in the slice of a dest.
  Box getTileBox(const Piece &piece, unsigned dest) {
    Box box = tile;
    for (unsigned d : plan.outer)
      box.offsets[d] = rewriter.getIndexAttr(0);
    // The dest of one piece alone has its shape.
    if (layer.dests[dest].init)
      for (unsigned d : plan.inner)
        box.offsets[d] = affine::makeComposedFoldedAffineApply(
            rewriter, loc, rewriter.getAffineSymbolExpr(0) + piece.offsets[d],
            {box.offsets[d]});
    if (isWords(dest))
      toWords(box);
    return box;
  }

  //===--------------------------------------------------------------------===//
  // Tiles
  //===--------------------------------------------------------------------===//

  void emitTile(unsigned p, SmallVector<Value> &slices) {
    Piece &piece = layer.pieces[p];
    tiles.clear();
    DenseMap<Value, Value> inits;
    SmallVector<Box> boxes;
    for (auto [result, dest] : piece.escapes) {
      boxes.push_back(getTileBox(piece, dest));
      inits[result] = extract(slices[dest], boxes.back());
    }
    // A fill that a product starts from writes to the product's place.
    for (Operation *op : piece.ops)
      if (auto generic = dyn_cast<linalg::GenericOp>(op))
        for (auto [init, result] :
             llvm::zip_equal(generic.getDpsInits(), generic.getResults()))
          if (init.getDefiningOp<linalg::FillOp>() && inits.count(result))
            inits[init] = inits[result];
    for (Operation *op : piece.ops)
      emitOp(op, inits);
    for (auto [escape, box] : llvm::zip_equal(piece.escapes, boxes))
      slices[escape.second] = tensor::InsertSliceOp::create(
          rewriter, loc, tiles.lookup(escape.first), slices[escape.second],
          box.offsets, box.sizes, unitStrides(box));
  }

  TilingResult getTiled(Operation *op) {
    auto tiling = cast<TilingInterface>(op);
    FailureOr<TilingResult> result;
    if (isa<UnpackOp>(op)) {
      result =
          tiling.generateResultTileValue(rewriter, 0, tile.offsets, tile.sizes);
    } else {
      Box box = tile;
      if (isa<PackOp>(op))
        toWords(box);
      if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
        SmallVector<int64_t> ranges(generic.getStaticLoopRanges());
        for (int64_t size : ArrayRef(ranges).drop_front(rank)) {
          box.offsets.push_back(rewriter.getIndexAttr(0));
          box.sizes.push_back(rewriter.getIndexAttr(size));
        }
      }
      result = tiling.getTiledImplementation(rewriter, box.offsets, box.sizes);
    }
    assert(succeeded(result) && "tiles of a layer start at whole words");
    return *result;
  }

  void emitOp(Operation *op, const DenseMap<Value, Value> &inits) {
    TilingResult result = getTiled(op);
    Operation *tiled = result.tiledOps.front();
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
        use.set(extract(value, tile));
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
      } else if (isFilter(operand) &&
                 !(options.scalarWords && isWordProduct(op))) {
        setFilter(operand, cast<linalg::GenericOp>(tiled), use);
      }
    }
    rewriter.setInsertionPointAfter(tiled);
    for (Operation *slice : result.generatedSlices)
      if (slice->use_empty())
        rewriter.eraseOp(slice);
    for (auto [whole, part] :
         llvm::zip_equal(op->getResults(), tiled->getResults()))
      tiles[whole] = part;
  }

  /// What `filter` is a slice of, as far as it can be told; adds the slices'
  /// offsets to `offsets`.
  static Value getWholeFilter(Value filter, MutableArrayRef<int64_t> offsets) {
    while (auto slice = filter.getDefiningOp<tensor::ExtractSliceOp>()) {
      if (slice.getType().getRank() != slice.getSourceType().getRank() ||
          llvm::any_of(slice.getStaticOffsets(), ShapedType::isDynamic) ||
          llvm::any_of(slice.getStaticStrides(),
                       [](int64_t stride) { return stride != 1; }))
        break;
      for (auto [offset, o] :
           llvm::zip_equal(offsets, slice.getStaticOffsets()))
        offset += o;
      filter = slice.getSource();
    }
    return filter;
  }

  /// The block of channels that the current tile has of a packed filter.
  Box getBlock() {
    AffineExpr s0 = rewriter.getAffineSymbolExpr(0);
    Box box;
    box.offsets.push_back(affine::makeComposedFoldedAffineApply(
        rewriter, loc, (s0 - laneSegment->start).floorDiv(laneSegment->tile),
        {tile.offsets.back()}));
    box.sizes.push_back(rewriter.getIndexAttr(1));
    return box;
  }

  int64_t getNumBlocks() {
    return (laneSegment->end - laneSegment->start) / laneSegment->tile;
  }

  /// Makes `use` of the tile read its block of the packed filter.
  void setFilter(OpOperand &operand, linalg::GenericOp tiled, OpOperand &use) {
    auto type = cast<RankedTensorType>(operand.get().getType());
    SmallVector<int64_t> offsets(type.getRank(), 0);
    Value filter = getWholeFilter(operand.get(), offsets);
    int64_t lanes = laneSegment->tile;
    Value packed =
        filters.get(loc, filter, /*dim=*/0, offsets[0] + laneSegment->start,
                    getNumBlocks(), lanes);

    Box box = getBlock();
    SmallVector<int64_t> shape(type.getShape().drop_front());
    shape.push_back(lanes);
    offsets.push_back(0);
    for (auto [offset, size] :
         llvm::zip_equal(ArrayRef(offsets).drop_front(), shape)) {
      box.offsets.push_back(rewriter.getIndexAttr(offset));
      box.sizes.push_back(rewriter.getIndexAttr(size));
    }
    use.set(tensor::ExtractSliceOp::create(
        rewriter, loc, RankedTensorType::get(shape, type.getElementType()),
        packed, box.offsets, box.sizes, unitStrides(box)));

    SmallVector<AffineMap> maps = tiled.getIndexingMapsArray();
    AffineMap &map = maps[use.getOperandNumber()];
    SmallVector<AffineExpr> exprs(map.getResults().drop_front());
    exprs.push_back(map.getResult(0));
    map = AffineMap::get(map.getNumDims(), 0, exprs, rewriter.getContext());
    tiled.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  }

  /// Makes `use` of the tile unpack its block of the filter's words.
  void setBitFilter(OpOperand &operand, OpOperand &use) {
    auto unpack = operand.get().getDefiningOp<UnpackOp>();
    Value words =
        unpack.getInputs()[cast<OpResult>(operand.get()).getResultNumber()];
    auto type = cast<RankedTensorType>(words.getType());
    int64_t last = type.getRank() - 1;
    SmallVector<int64_t> offsets(type.getRank(), 0);
    Value filter = getWholeFilter(words, offsets);
    int64_t perTile = llvm::divideCeil(laneSegment->tile, kWordBits);
    Value packed = filters.get(loc, filter, last,
                               offsets[last] + laneSegment->start / kWordBits,
                               getNumBlocks(), perTile);

    Box box = getBlock();
    AffineMap map = cast<linalg::GenericOp>(operand.getOwner())
                        .getMatchingIndexingMap(&operand);
    SmallVector<int64_t> shape;
    for (int64_t i = 0; i < last; ++i) {
      unsigned d = map.getDimPosition(i);
      OpFoldResult offset = rewriter.getIndexAttr(offsets[i]);
      shape.push_back(type.getDimSize(i));
      if (d < rank) {
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
    Value slice = tensor::ExtractSliceOp::create(
        rewriter, loc, type.clone(shape), packed, box.offsets, box.sizes,
        unitStrides(box));
    shape.back() = laneSegment->tile;
    Value init =
        tensor::EmptyOp::create(rewriter, loc, shape, rewriter.getI1Type());
    use.set(UnpackOp::create(rewriter, loc, init.getType(), unpack.getLayout(),
                             slice, init)
                .getResult(0));
  }

  //===--------------------------------------------------------------------===//
  // In place of the ops
  //===--------------------------------------------------------------------===//

  void replace(ValueRange results) {
    DenseSet<Operation *> old(layer.inserts.begin(), layer.inserts.end());
    for (Piece &piece : layer.pieces)
      old.insert(piece.ops.begin(), piece.ops.end());
    auto isOutside = [&](OpOperand &use) {
      return !old.contains(use.getOwner());
    };
    for (Piece &piece : layer.pieces)
      for (auto [result, dest] : piece.escapes) {
        if (!layer.dests[dest].init ||
            llvm::none_of(result.getUses(), isOutside))
          continue;
        // Read by itself, too: that is a part of the whole.
        Box box;
        box.offsets =
            getAsIndexOpFoldResult(rewriter.getContext(), piece.offsets);
        box.sizes = getAsIndexOpFoldResult(
            rewriter.getContext(),
            cast<RankedTensorType>(result.getType()).getShape());
        rewriter.replaceUsesWithIf(result, extract(results[dest], box),
                                   isOutside);
      }
    for (auto [dest, result] : llvm::zip_equal(layer.dests, results))
      rewriter.replaceUsesWithIf(dest.value, result, isOutside);
    for (tensor::InsertSliceOp insert : llvm::reverse(layer.inserts))
      rewriter.eraseOp(insert);
    for (Piece &piece : layer.pieces)
      for (Operation *op : llvm::reverse(piece.ops))
        rewriter.eraseOp(op);
  }

  RewriterBase &rewriter;
  Layer &layer;
  const TileOptions &options;
  FilterPacker &filters;
  TilePlan plan;
  Location loc;
  unsigned rank;

  /// The current tile in the domain of the piece, complete inside all loops.
  Box tile;
  std::optional<Segment> laneSegment;
  /// What the current tile has of the results of the piece's ops.
  DenseMap<Value, Value> tiles;
};

} // namespace

void bquant::emitLayer(RewriterBase &rewriter, Layer &layer,
                       const TileOptions &options, FilterPacker &filters) {
  LayerEmitter(rewriter, layer, options, filters).run();
}
