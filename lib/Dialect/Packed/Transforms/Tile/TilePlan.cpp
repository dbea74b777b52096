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
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

/// Rows of a tile without sums.
static constexpr int64_t kElementwiseRows = 4;
/// Channels of a tile whose ops have no vectors along the last dimension.
static constexpr int64_t kScalarChannels = 4;

static SmallVector<Segment> split(int64_t extent, int64_t tile) {
  tile = std::min(tile, extent);
  int64_t whole = extent / tile * tile;
  SmallVector<Segment> segments{{0, whole, tile}};
  if (whole != extent)
    segments.push_back({whole, extent, extent - whole});
  return segments;
}

static int64_t getTileChannels(const LayerShape &layer,
                               const TileOptions &options) {
  // Those of all products of a layer are the same.
  for (const RegionShape &region : layer.regions)
    if (region.kernelChannels != 0)
      return region.kernelChannels;
  // Tiles start at whole words.
  for (const RegionShape &region : layer.regions)
    if (region.packedChannels > 1)
      return std::max(options.tileChannels, region.packedChannels);
  for (const RegionShape &region : layer.regions)
    if (!region.hasChannelVectors)
      return kScalarChannels;
  // Tiles start at whole blocks of channels, or lie inside of one.
  for (const RegionShape &region : layer.regions)
    for (int64_t block : region.channelBlocks)
      if (!fitsBlocks(block, options.tileChannels))
        return fitBlocks(block, options.tileChannels);
  return options.tileChannels;
}

/// The most rows a tile of `region` may have.
static int64_t getMaxRows(const RegionShape &region, int64_t tileChannels,
                          const TileOptions &options) {
  if (region.kernelRows != 0)
    return region.kernelRows;
  if (region.sums == 0)
    return kElementwiseRows;
  int64_t registers =
      tileChannels == kScalarChannels
          ? tileChannels
          : llvm::divideCeil(tileChannels, options.registerLanes);
  return std::max<int64_t>(1, countRegistersOfSums(options.registers) /
                                  (region.sums * registers));
}

/// Whether what the layer writes is much beside its filters. All channels of a
/// pixel in turn then write its memory from end to end; block by block of
/// channels, each pixel is a place of its own, which takes up to twice as long
/// (measured, most where pixels lie 4096 bytes apart). The filters come from
/// the second cache.
static bool writesMuch(const LayerShape &layer, const TileOptions &options) {
  const RegionShape &region = layer.regions[0];
  // A block of a filter that the loops compute is there for all pixels.
  if (region.kernelRows == 0 || !region.computedFilters.empty())
    return false;
  int64_t pixels = llvm::product_of(ArrayRef(region.sizes).drop_back());
  return layer.filterBytes <= options.l2Bytes / 2 &&
         layer.filterBytes * pixels <=
             2 * layer.writtenBytes * region.kernelRows;
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
static SmallVector<bool> getWholeDims(const LayerShape &layer) {
  ArrayRef<int64_t> first = layer.regions[0].sizes;
  SmallVector<bool> whole(first.size(), true);
  for (const RegionShape &region : layer.regions)
    for (unsigned d = 0; d < whole.size(); ++d)
      whole[d] =
          whole[d] && region.offsets[d] == 0 && region.sizes[d] == first[d];
  return whole;
}

TilePlan bquant::planTiles(const LayerShape &layer,
                           const TileOptions &options) {
  TilePlan plan;
  unsigned rank = layer.regions[0].offsets.size();
  unsigned channelDim = rank - 1;
  bool single = layer.regions.size() == 1;
  bool product = llvm::any_of(
      layer.regions, [](const RegionShape &region) { return region.sums > 0; });
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
  for (const RegionShape &region : layer.regions) {
    ArrayRef<int64_t> extents = region.sizes;
    int64_t maxRows = getMaxRows(
        region, std::min(tileChannels, extents[channelDim]), options);
    // The innermost of the dimensions that fill a tile best. All rows of a tile
    // share the block of a computed filter.
    unsigned rowDim = rank;
    for (unsigned d = 0; d < channelDim; ++d)
      if ((single || !isOuter[d]) &&
          llvm::none_of(region.computedFilters,
                        [&](ArrayRef<bool> dependsOn) { return dependsOn[d]; }))
        if (rowDim == rank || options.imageRows || region.sharesColumns ||
            std::min(extents[d], maxRows) >= std::min(extents[rowDim], maxRows))
          rowDim = d;
    rowDims.push_back(rowDim);
    if (rowDim != rank && product && region.kernelRows == 0)
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
  for (const RegionShape &region : layer.regions)
    for (ArrayRef<bool> dependsOn : region.computedFilters)
      for (unsigned d = 0; d < rank; ++d)
        isOuter[d] = isOuter[d] && dependsOn[d];

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

int64_t bquant::countTiles(ArrayRef<Segment> segments) {
  int64_t tiles = 0;
  for (const Segment &segment : segments)
    tiles += (segment.end - segment.start) / segment.tile;
  return tiles;
}

unsigned TilePlan::countParallelInner(unsigned region, int64_t threads) const {
  int64_t tiles = 1;
  for (unsigned dim : outer)
    tiles *= countTiles(segments[region][dim]);
  unsigned count = 0;
  for (; count < inner.size() && tiles < kTilesOfThread * threads; ++count)
    tiles *= countTiles(segments[region][inner[count]]);
  return count;
}

bool bquant::rollsRows(int64_t counts, int64_t rows, int64_t channels,
                       const TileOptions &options) {
  return rows > 1 &&
         counts * rows * channels > options.registers * options.registerLanes;
}
