//===- TilePlan.cpp - Loops and tile sizes of a layer ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lanes of a tile are channels, its rows are pixels along one dimension,
// as many as the accumulators allow, spread evenly: a row of 54 pixels with at
// most 7 a tile is 7 tiles of 7 and one of 5, one of 12 is two of 6.
//
//===----------------------------------------------------------------------===//

#include "TilePlan.h"
#include "Dialect/BQuant/Analysis/TileableOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

/// Rows of a tile without sums.
static constexpr int64_t kElementwiseRows = 4;
/// Lanes of a tile whose ops have no vectors along the last dimension.
static constexpr int64_t kScalarLanes = 4;
/// Sums that stay in scalar registers.
static constexpr int64_t kScalarSums = 4;
/// 32-bit lanes of a vector of counts.
static constexpr int64_t kCountLanes = 16;
/// The most lanes of a tile of few rows.
static constexpr int64_t kMaxLanes = 128;

static SmallVector<Segment> split(int64_t extent, int64_t tile) {
  tile = std::min(tile, extent);
  int64_t whole = extent / tile * tile;
  SmallVector<Segment> segments{{0, whole, tile}};
  if (whole != extent)
    segments.push_back({whole, extent, extent - whole});
  return segments;
}

static bool hasProduct(const Layer &layer) {
  return llvm::any_of(layer.pieces, [](const Piece &piece) {
    return llvm::any_of(piece.ops, isProduct);
  });
}

/// Whether tiles have to start at whole words.
static bool hasWords(Operation *op) {
  return isa<PackOp, UnpackOp>(op) ||
         llvm::any_of(op->getOpOperands(),
                      [](OpOperand &operand) { return isBitFilter(operand); });
}

/// The whole blocks in `lanes`; of a larger block the largest divisor up to
/// twice of that.
static int64_t alignLanes(int64_t block, int64_t lanes) {
  if (block < lanes)
    return lanes / block * block;
  int64_t divisor = std::min(block, 2 * lanes);
  while (block % divisor != 0)
    --divisor;
  return divisor;
}

/// Whether `op` is a product whose sums are bytes.
static bool sumsBytes(Operation *op) {
  return isProduct(op) && getElementTypeOrSelf(op->getResult(0)).isInteger(8);
}

static int64_t getLanes(const Layer &layer, const TileOptions &options) {
  // A vector of bytes has more of them.
  for (const Piece &piece : layer.pieces)
    if (llvm::any_of(piece.ops, sumsBytes))
      return 2 * options.lanes;
  for (const Piece &piece : layer.pieces)
    if (llvm::any_of(piece.ops, hasWords))
      return options.lanes;
  for (const Piece &piece : layer.pieces)
    for (Operation *op : piece.ops)
      if (!hasLanes(op))
        return kScalarLanes;
  // Tiles start at whole blocks of channels, or lie inside of one.
  for (const Piece &piece : layer.pieces)
    for (Operation *op : piece.ops)
      if (std::optional<int64_t> block = getChannelBlock(op);
          block && !fitsLanes(*block, options.lanes))
        return alignLanes(*block, options.lanes);
  return options.lanes;
}

static bool sumsFloats(const Piece &piece) {
  return llvm::any_of(piece.ops, isProduct) &&
         llvm::all_of(piece.ops, [](Operation *op) {
           return !isProduct(op) || isFloatProduct(op);
         });
}

/// The most rows a tile of `piece` may have.
static int64_t getMaxRows(const Piece &piece, int64_t lanes,
                          const TileOptions &options) {
  int64_t sums = 0;
  for (Operation *op : piece.ops)
    if (isProduct(op))
      sums += op->getNumResults();
  if (sums == 0)
    return kElementwiseRows;
  if (options.scalarWords && llvm::any_of(piece.ops, isWordProduct))
    return std::max<int64_t>(1, kScalarSums / sums);
  int64_t accumulators = options.accumulators, width = kCountLanes;
  if (sumsFloats(piece)) {
    accumulators = options.registers * 3 / 4;
    width = options.registerLanes;
  }
  int64_t registers =
      lanes == kScalarLanes ? lanes : llvm::divideCeil(lanes, width);
  return std::max<int64_t>(1, accumulators / (sums * registers));
}

/// With few rows, as many lanes as registers allow: one float sum a register
/// would wait for itself most of the time.
static int64_t widenLanes(const Layer &layer, int64_t lanes,
                          const TileOptions &options) {
  int64_t rows = 1;
  for (const Piece &piece : layer.pieces) {
    if (!sumsFloats(piece))
      return lanes;
    for (int64_t extent : getDomain(piece.ops.back()).drop_back())
      rows = std::max(rows, extent);
  }
  const Piece &piece = layer.pieces.front();
  int64_t extent = getDomain(piece.ops.back()).back();
  while (lanes < std::min(extent, kMaxLanes) &&
         getMaxRows(piece, lanes, options) >= 2 * rows)
    lanes *= 2;
  return lanes;
}

/// Dimensions that all pieces have whole, so that one loop can go around them.
static SmallVector<bool> getWholeDims(const Layer &layer) {
  ArrayRef<int64_t> first = getDomain(layer.pieces[0].ops.back());
  SmallVector<bool> whole(first.size(), true);
  for (const Piece &piece : layer.pieces)
    for (unsigned d = 0; d < whole.size(); ++d)
      whole[d] = whole[d] && piece.offsets[d] == 0 &&
                 getDomain(piece.ops.back())[d] == first[d];
  return whole;
}

TilePlan bquant::planTiles(const Layer &layer, const TileOptions &options) {
  TilePlan plan;
  unsigned rank = layer.pieces[0].offsets.size();
  unsigned lane = rank - 1;
  bool single = layer.pieces.size() == 1;
  bool product = hasProduct(layer);
  int64_t lanes = getLanes(layer, options);
  if (lanes == options.lanes)
    lanes = widenLanes(layer, lanes, options);
  SmallVector<bool> whole = getWholeDims(layer);

  // With a product the block of channels goes around the pixels, so that its
  // part of the filter stays in the cache.
  SmallVector<bool> isOuter(rank, false);
  for (unsigned d = 0; d < rank; ++d)
    isOuter[d] = whole[d] && (single || d == 0 || d == lane);
  if (single && !product && rank > 1)
    isOuter[lane] = false;

  SmallVector<unsigned> rowDims;
  for (const Piece &piece : layer.pieces) {
    ArrayRef<int64_t> extents = getDomain(piece.ops.back());
    int64_t maxRows =
        getMaxRows(piece, std::min(lanes, extents[lane]), options);
    // The innermost of the dimensions that fill a tile best.
    unsigned rowDim = rank;
    for (unsigned d = 0; d < lane; ++d)
      if (single || !isOuter[d])
        if (rowDim == rank ||
            std::min(extents[d], maxRows) >= std::min(extents[rowDim], maxRows))
          rowDim = d;
    rowDims.push_back(rowDim);
    auto &segments = plan.segments.emplace_back();
    for (unsigned d = 0; d < rank; ++d) {
      int64_t tile = 1;
      if (d == lane)
        tile = lanes;
      else if (d == rowDim)
        tile =
            llvm::divideCeil(extents[d], llvm::divideCeil(extents[d], maxRows));
      segments.push_back(split(extents[d], tile));
    }
  }
  if (single && product && rowDims[0] != rank)
    isOuter[rowDims[0]] = false;

  for (unsigned d = 0; d < rank; ++d)
    if (!isOuter[d])
      plan.inner.push_back(d);
    else if (d != lane)
      plan.outer.push_back(d);
  if (isOuter[lane])
    plan.outer.insert(plan.outer.begin() + (rank > 2 && isOuter[0] ? 1 : 0),
                      lane);
  return plan;
}
