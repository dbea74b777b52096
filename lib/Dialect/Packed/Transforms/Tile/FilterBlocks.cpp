//===- FilterBlocks.cpp - Filters computed a block at a time --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %f = linalg.generic ins(%stored)              // all blocks
//   %g = tensor.expand_shape %f
//   %r = scf.forall (channels) { scf.for (pixels) { product of %g } }
//
// becomes
//
//   %r = scf.forall (channels) {
//     %b = scf.for { a tile of the block of %f }
//     %c = tensor.expand_shape %b
//     scf.for (pixels) { product of %c }
//   }

#include "FilterBlocks.h"
#include "Dialect/BQuant/Analysis/TileableOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace bquant;

bool ComputedFilter::dependsOn(unsigned loop) const {
  return llvm::any_of(
      block, [&](AffineExpr expr) { return expr.isFunctionOfDim(loop); });
}

static bool leavesAlone(ArrayRef<ReassociationIndices> groups, unsigned dims) {
  return llvm::all_of(groups.take_front(dims), [](ArrayRef<int64_t> group) {
    return group.size() == 1;
  });
}

/// Whether `op` reshapes or slices its operand, but not along the first `dims`
/// dimensions.
static bool leavesAlone(Operation *op, unsigned dims) {
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return leavesAlone(collapse.getReassociationIndices(), dims);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return leavesAlone(expand.getReassociationIndices(), dims);
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  return slice &&
         slice.getType().getRank() == slice.getSourceType().getRank() &&
         slice.getSourceType().getShape().take_front(dims) ==
             slice.getType().getShape().take_front(dims);
}

static std::optional<ComputedFilter> getComputedFilter(ProductOp op,
                                                       unsigned number) {
  ComputedFilter filter;
  filter.operand = op->getOperand(number);
  unsigned parallel = op.getNumParallelLoops();
  for (AffineExpr index : op.getMaps()[number].getResults()) {
    bool reduces = false;
    for (unsigned loop = parallel; loop < op.getMaps()[number].getNumDims();
         ++loop)
      reduces |= index.isFunctionOfDim(loop);
    if (reduces)
      break;
    filter.block.push_back(index);
  }
  Operation *maker = filter.operand.getDefiningOp();
  for (; maker && leavesAlone(maker, filter.block.size());
       maker = maker->getOperand(0).getDefiningOp())
    filter.path.push_back(maker);
  filter.generic = dyn_cast_or_null<linalg::GenericOp>(maker);
  if (!filter.generic || maker->getBlock() != op->getBlock() ||
      maker->getNumResults() != 1 || !isTileable(maker) || isReduction(maker) ||
      !llvm::all_of(filter.generic.getInputs(), [](Value input) {
        return matchPattern(input, m_Constant());
      }))
    return std::nullopt;
  std::reverse(filter.path.begin(), filter.path.end());
  return filter;
}

SmallVector<ComputedFilter>
bquant::getComputedFilters(const TileRegion &region) {
  SmallVector<ComputedFilter> filters;
  for (Operation *op : region.ops)
    if (auto product = dyn_cast<ProductOp>(op))
      for (unsigned i = 0; i < product.getFilters().size(); ++i)
        if (std::optional<ComputedFilter> filter =
                getComputedFilter(product, product.getInputs().size() + i))
          filters.push_back(*filter);
  return filters;
}

/// The block of the generic's result at `offsets` of its first dimensions, by
/// loops over its tiles.
static FailureOr<Value> emitBlock(RewriterBase &rewriter, Location loc,
                                  linalg::GenericOp generic,
                                  ArrayRef<OpFoldResult> first,
                                  const TileOptions &options) {
  ArrayRef<int64_t> domain = getDomain(generic);
  SmallVector<OpFoldResult> offsets(first), sizes;
  offsets.resize(domain.size(), rewriter.getIndexAttr(0));
  for (auto [d, size] : llvm::enumerate(domain))
    sizes.push_back(rewriter.getIndexAttr(d < first.size() ? 1 : size));
  FailureOr<TilingResult> tiled =
      cast<TilingInterface>(generic.getOperation())
          .getTiledImplementation(rewriter, offsets, sizes);
  if (failed(tiled))
    return failure();
  auto part = cast<linalg::GenericOp>(tiled->tiledOps.front());
  part->setLoc(loc);
  OpOperand &init = part.getDpsInitsMutable()[0];
  auto type = cast<RankedTensorType>(init.get().getType());
  {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(part);
    init.set(tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                     type.getElementType(),
                                     type.getEncoding()));
  }
  for (Operation *slice : tiled->generatedSlices)
    if (slice->use_empty())
      rewriter.eraseOp(slice);
  OpBuilder::InsertionGuard guard(rewriter);
  Layer layer;
  layer.anchor = part;
  layer.regions.push_back({{part},
                           SmallVector<int64_t>(domain.size(), 0),
                           {{part->getResult(0), 0}}});
  layer.dests.push_back({part->getResult(0), nullptr});
  FailureOr<SmallVector<Value>> results = emitLayer(rewriter, layer, options);
  if (failed(results))
    return failure();
  return results->front();
}

/// `op`, which reshapes or slices, of a block: of its first `dims` dimensions.
static Value clonePath(RewriterBase &rewriter, Location loc, Operation *op,
                       unsigned dims, Value block) {
  SmallVector<int64_t> shape(
      cast<RankedTensorType>(op->getResult(0).getType()).getShape());
  std::fill_n(shape.begin(), dims, 1);
  auto type = cast<RankedTensorType>(block.getType()).clone(shape);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return tensor::CollapseShapeOp::create(rewriter, loc, type, block,
                                           collapse.getReassociationIndices());
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return tensor::ExpandShapeOp::create(rewriter, loc, type, block,
                                         expand.getReassociationIndices());
  auto slice = cast<tensor::ExtractSliceOp>(op);
  SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
  std::fill_n(sizes.begin(), dims, rewriter.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(rewriter, loc, type, block,
                                        slice.getMixedOffsets(), sizes,
                                        slice.getMixedStrides());
}

FailureOr<TileBody::Tiles> bquant::emitFilterBlocks(
    RewriterBase &rewriter, Location loc, ArrayRef<TileRegion *> regions,
    ArrayRef<unsigned> loops, const Box &tile, TileOptions options) {
  options.inside = true;
  options.threads = 1;
  TileBody::Tiles blocks;
  DenseMap<Operation *, Value> known;
  for (TileRegion *region : regions)
    for (const ComputedFilter &filter : getComputedFilters(*region)) {
      auto dependsOn = [&](unsigned loop) { return filter.dependsOn(loop); };
      // A loop that it does not depend on would compute it again.
      SmallVector<OpFoldResult> at(tile.offsets);
      if (!llvm::all_of(loops, dependsOn) ||
          llvm::any_of(llvm::seq<unsigned>(at.size()), [&](unsigned loop) {
            return !at[loop] && dependsOn(loop);
          }))
        continue;
      for (OpFoldResult &offset : at)
        if (!offset)
          offset = rewriter.getIndexAttr(0);
      Value &block = known[filter.generic];
      if (!block) {
        SmallVector<OpFoldResult> offsets;
        for (AffineExpr index : filter.block)
          offsets.push_back(affine::makeComposedFoldedAffineApply(
              rewriter, loc, AffineMap::get(at.size(), 0, index), at));
        FailureOr<Value> emitted =
            emitBlock(rewriter, loc, filter.generic, offsets, options);
        if (failed(emitted))
          return failure();
        block = *emitted;
      }
      Value value = block;
      for (Operation *op : filter.path)
        value = clonePath(rewriter, loc, op, filter.block.size(), value);
      blocks[filter.operand] = value;
    }
  return blocks;
}

void bquant::erasePaths(RewriterBase &rewriter,
                        ArrayRef<ComputedFilter> filters) {
  DenseSet<Operation *> erased;
  for (const ComputedFilter &filter : filters)
    for (Operation *op : llvm::reverse(filter.path))
      if (!erased.contains(op) && op->use_empty()) {
        erased.insert(op);
        rewriter.eraseOp(op);
      }
}
