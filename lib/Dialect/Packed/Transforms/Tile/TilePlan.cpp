//===- TilePlan.cpp - Loops and tile sizes of a layer ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile is some channels wide, its rows are pixels along one dimension,
// as many as the accumulators allow, spread evenly: a row of 54 pixels with at
// most 7 a tile is 7 tiles of 7 and one of 5, one of 12 is two of 6.
//
//===----------------------------------------------------------------------===//

#include "TilePlan.h"
#include "Dialect/BQuant/Analysis/TileableOps.h"
#include "Dialect/Packed/IR/TileSizes.h"
#include "FilterBlocks.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

/// Rows of a tile without sums.
static constexpr int64_t kElementwiseRows = 4;
/// Channels of a tile whose ops have no vectors along the last dimension.
static constexpr int64_t kScalarChannels = 4;
/// What a loop carries for a maximum that keeps NaN.
static constexpr int64_t kMaximumSums = 3;

static SmallVector<Segment> split(int64_t extent, int64_t tile) {
  tile = std::min(tile, extent);
  int64_t whole = extent / tile * tile;
  SmallVector<Segment> segments{{0, whole, tile}};
  if (whole != extent)
    segments.push_back({whole, extent, extent - whole});
  return segments;
}

static bool hasReduction(const Layer &layer) {
  return llvm::any_of(layer.regions, [](const TileRegion &region) {
    return llvm::any_of(region.ops, isReduction);
  });
}

/// Whether tiles have to start at whole words.
static bool hasWords(Operation *op) {
  return isa<packed::PackOp, packed::UnpackOp>(op);
}

/// The kernel of a region's product; null without one. All of a layer have the
/// same channels.
static KernelAttrInterface getKernel(const TileRegion &region) {
  for (Operation *op : region.ops)
    if (auto product = dyn_cast<ProductOp>(op))
      return product.getKernelInterface();
  return {};
}

static int64_t getTileChannels(const Layer &layer, const TileOptions &options) {
  for (const TileRegion &region : layer.regions)
    if (KernelAttrInterface kernel = getKernel(region))
      return kernel.getChannels();
  for (const TileRegion &region : layer.regions)
    if (llvm::any_of(region.ops, hasWords))
      return std::max(options.tileChannels, getPackedChannels(region.ops));
  for (const TileRegion &region : layer.regions)
    for (Operation *op : region.ops)
      if (!hasChannelVectors(op))
        return kScalarChannels;
  // Tiles start at whole blocks of channels, or lie inside of one.
  for (const TileRegion &region : layer.regions)
    for (Operation *op : region.ops)
      if (std::optional<int64_t> block = getChannelBlock(op);
          block && !fitsBlocks(*block, options.tileChannels))
        return fitBlocks(*block, options.tileChannels);
  return options.tileChannels;
}

/// The most rows a tile of `region` may have.
static int64_t getMaxRows(const TileRegion &region, int64_t tileChannels,
                          const TileOptions &options) {
  if (KernelAttrInterface kernel = getKernel(region))
    return kernel.getRows();
  int64_t sums = 0;
  for (Operation *op : region.ops)
    if (isReduction(op))
      sums += getMaximized(op) ? kMaximumSums : op->getNumResults();
  if (sums == 0)
    return kElementwiseRows;
  int64_t registers =
      tileChannels == kScalarChannels
          ? tileChannels
          : llvm::divideCeil(tileChannels, options.registerLanes);
  return std::max<int64_t>(1, countRegistersOfSums(options.registers) /
                                  (sums * registers));
}

static int64_t countBytes(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return llvm::divideCeil(
      tensor.getNumElements() * tensor.getElementTypeBitWidth(), 8);
}

/// Whether what the layer writes is much beside its filters. All channels of a
/// pixel in turn then write its memory from end to end; block by block of
/// channels, each pixel is a place of its own, which takes up to twice as long
/// (measured, most where pixels lie 4096 bytes apart). The filters come from
/// the second cache.
static bool writesMuch(const Layer &layer, const TileOptions &options) {
  const TileRegion &region = layer.regions[0];
  KernelAttrInterface kernel = getKernel(region);
  // A block of a filter that the loops compute is there for all pixels.
  if (!kernel || !getComputedFilters(region).empty())
    return false;
  int64_t filters = 0, written = 0;
  for (Operation *op : region.ops)
    if (auto product = dyn_cast<ProductOp>(op))
      for (unsigned i = 0; i < product.getFilters().size(); ++i)
        filters += countBytes(
            op->getOperand(product.getInputs().size() + i).getType());
  for (const Dest &dest : layer.dests)
    written += countBytes(dest.value.getType());
  // Of a tile.
  int64_t pixels =
      ShapedType::getNumElements(getDomain(region.ops.back()).drop_back());
  return filters <= options.l2Bytes / 2 &&
         filters * pixels <= 2 * written * kernel.getRows();
}

/// As many of the `rows` of a tile that sums without a kernel as leave tiles
/// for all threads: their sums are independent, and share nothing.
static int64_t leaveForThreads(int64_t rows, unsigned rowDim,
                               ArrayRef<int64_t> extents, int64_t tileChannels,
                               const TileOptions &options) {
  int64_t wanted = options.threads == 1 ? 1 : kTilesOfThread * options.threads;
  int64_t others = llvm::divideCeil(extents.back(), tileChannels);
  for (unsigned d = 0; d + 1 < extents.size(); ++d)
    if (d != rowDim)
      others *= extents[d];
  return std::clamp<int64_t>(extents[rowDim] * others / wanted, 1, rows);
}

/// Dimensions that all regions have whole, so that one loop can go around them.
static SmallVector<bool> getWholeDims(const Layer &layer) {
  ArrayRef<int64_t> first = getDomain(layer.regions[0].ops.back());
  SmallVector<bool> whole(first.size(), true);
  for (const TileRegion &region : layer.regions)
    for (unsigned d = 0; d < whole.size(); ++d)
      whole[d] = whole[d] && region.offsets[d] == 0 &&
                 getDomain(region.ops.back())[d] == first[d];
  return whole;
}

TilePlan bquant::planTiles(const Layer &layer, const TileOptions &options) {
  TilePlan plan;
  unsigned rank = layer.regions[0].offsets.size();
  unsigned channelDim = rank - 1;
  bool single = layer.regions.size() == 1;
  bool product = hasReduction(layer);
  int64_t tileChannels = getTileChannels(layer, options);
  SmallVector<bool> whole = getWholeDims(layer);

  // With a product the block of channels goes around the pixels, so that its
  // part of the filter stays in the cache.
  SmallVector<bool> isOuter(rank, false);
  for (unsigned d = 0; d < rank; ++d)
    isOuter[d] = whole[d] && (single || d == 0 || d == channelDim);
  if (single && !product && rank > 1)
    isOuter[channelDim] = false;

  SmallVector<unsigned> rowDims;
  for (const TileRegion &region : layer.regions) {
    ArrayRef<int64_t> extents = getDomain(region.ops.back());
    int64_t maxRows = getMaxRows(
        region, std::min(tileChannels, extents[channelDim]), options);
    // The innermost of the dimensions that fill a tile best. All rows of a tile
    // share the block of a computed filter.
    SmallVector<ComputedFilter> filters = getComputedFilters(region);
    unsigned rowDim = rank;
    for (unsigned d = 0; d < channelDim; ++d)
      if ((single || !isOuter[d]) &&
          llvm::none_of(filters, [&](const ComputedFilter &filter) {
            return filter.dependsOn(d);
          }))
        if (rowDim == rank || options.imageRows ||
            std::min(extents[d], maxRows) >= std::min(extents[rowDim], maxRows))
          rowDim = d;
    rowDims.push_back(rowDim);
    if (rowDim != rank && product && !getKernel(region))
      maxRows =
          leaveForThreads(maxRows, rowDim, extents, tileChannels, options);
    auto &segments = plan.segments.emplace_back();
    for (unsigned d = 0; d < rank; ++d) {
      int64_t tile = 1;
      if (d == channelDim)
        tile = tileChannels;
      else if (d == rowDim)
        tile =
            llvm::divideCeil(extents[d], llvm::divideCeil(extents[d], maxRows));
      segments.push_back(split(extents[d], tile));
    }
  }
  if (single && product && rowDims[0] != rank)
    isOuter[rowDims[0]] = false;
  if (single && product && rank > 2 && writesMuch(layer, options))
    isOuter[channelDim] = false;
  // A block of a computed filter is computed in front of all that it does not
  // depend on.
  for (const TileRegion &region : layer.regions)
    for (const ComputedFilter &filter : getComputedFilters(region))
      for (unsigned d = 0; d < rank; ++d)
        isOuter[d] = isOuter[d] && filter.dependsOn(d);

  for (unsigned d = 0; d < rank; ++d)
    if (!isOuter[d])
      plan.inner.push_back(d);
    else if (d != channelDim)
      plan.outer.push_back(d);
  if (isOuter[channelDim])
    plan.outer.insert(plan.outer.begin() + (rank > 2 && isOuter[0] ? 1 : 0),
                      channelDim);
  return plan;
}

bool bquant::rollsRows(const TileRegion &region, int64_t rows, int64_t channels,
                       const TileOptions &options) {
  int64_t counts = 0;
  bool follows = false;
  // Bits of counts take a few instructions a row.
  auto makesBits = [](Operation *op) {
    return isa<packed::PackOp>(op) ||
           llvm::all_of(op->getResultTypes(), [](Type type) {
             return getElementTypeOrSelf(type).isInteger(1);
           });
  };
  for (Operation *op : region.ops) {
    if (countsBits(op))
      counts += op->getNumResults();
    else if (isReduction(op))
      return false; // Its rows share what it reads.
    else if (!isa<linalg::FillOp>(op))
      follows |= !makesBits(op);
  }
  bool leave = llvm::any_of(region.liveOuts, [](const auto &liveOut) {
    return countsBits(liveOut.first.getOwner());
  });
  return rows > 1 && follows && !leave &&
         counts * rows * channels > options.registers * options.registerLanes;
}
