//===- WindowLayers.cpp - Which layers windows of rows join ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One thread goes through all rows of a block of channels, and computes each
// once. For more of them rows are cut into blocks, each of which computes anew
// what its first window has in common with the last one of the block before.

#include "WindowLayers.h"
#include "Dialect/BQuant/Analysis/TileableOps.h"
#include "LayerEmitter.h"
#include "mlir/Dialect/Affine/Analysis/AffineStructures.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

/// How often there may be the code of a region of the producer: three border
/// classes each way in as many kinds of blocks. LLVM's time grows faster.
static constexpr size_t kMostRegions = 27;

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// The rows that a window of `op` spans in `operand`, and by how many it moves,
/// if it has all columns and its own channel: (n, s h + d i + ..., ..., c).
static std::optional<std::pair<int64_t, int64_t>>
getRowWindow(linalg::GenericOp op, OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (map.getNumResults() != kRank ||
      map.getResult(kBatch) != getAffineDimExpr(kBatch, op.getContext()) ||
      !readsLanes(map, kChannel) ||
      map.getResult(kColumn).isFunctionOfDim(kRow))
    return std::nullopt;
  SmallVector<int64_t> factors;
  AffineExpr row = map.getResult(kRow);
  if (!row.isPureAffine() ||
      failed(getFlattenedAffineExpr(row, map.getNumDims(), 0, &factors)) ||
      factors.size() != map.getNumDims() + 1 || factors.back() != 0 ||
      factors[kRow] < 1)
    return std::nullopt;
  int64_t span = 1;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if (dim == kRow)
      continue;
    if (factors[dim] < 0 || (dim < kRank && factors[dim] != 0))
      return std::nullopt;
    span += factors[dim] * (size - 1);
  }
  return std::pair(span, factors[kRow]);
}

/// Whether only rows and columns are padded, with a constant.
static bool isBorder(tensor::PadOp pad) {
  auto low = pad.getStaticLow(), high = pad.getStaticHigh();
  Value padding = pad.getConstantPaddingValue();
  return low.size() == kRank && padding &&
         padding.getParentRegion() != &pad.getRegion() &&
         llvm::all_of(llvm::seq<unsigned>(kRank), [&](unsigned d) {
           bool inside = d == kRow || d == kColumn;
           return inside ? low[d] >= 0 && high[d] >= 0
                         : low[d] == 0 && high[d] == 0;
         });
}

static bool hasProduct(const TileRegion &region) {
  return llvm::any_of(region.ops, llvm::IsaPred<ProductOp>);
}

/// Whether `result` is read by the ops of `region` and the inserts of `layer`
/// alone. What has sunk into the regions reads one, but not what they assemble.
static bool staysInside(OpResult result, const TileRegion &region,
                        const Layer &layer) {
  return llvm::all_of(result.getUsers(), [&](Operation *user) {
    return llvm::is_contained(region.ops, user) ||
           llvm::is_contained(layer.inserts, user);
  });
}

/// Whether a product makes all channels of the regions, and one dest, through
/// which alone other layers read them.
static bool canProduce(const Layer &layer) {
  // Of a region in the padding alone there is nothing to compute.
  if (layer.dests.size() != 1 || llvm::none_of(layer.regions, hasProduct))
    return false;
  auto shape =
      cast<RankedTensorType>(layer.dests[0].value.getType()).getShape();
  return shape.size() == kRank &&
         llvm::all_of(layer.regions, [&](const TileRegion &region) {
           ArrayRef<int64_t> domain = getDomain(region.ops.back());
           return region.liveOuts.size() == 1 &&
                  (!layer.dests[0].init ||
                   staysInside(region.liveOuts[0].first, region, layer)) &&
                  !isa<packed::PackOp>(region.liveOuts[0].first.getOwner()) &&
                  domain.size() == kRank && domain[kBatch] == shape[kBatch] &&
                  domain[kChannel] == shape[kChannel];
         });
}

/// The window by which `consumer` reads another layer's rows. Has no plans.
static std::optional<WindowLayers> match(Layer &consumer,
                                         MutableArrayRef<Layer> layers) {
  if (consumer.regions.size() != 1 || hasProduct(consumer.regions[0]) ||
      getDomain(consumer.regions[0].ops.back()).size() != kRank)
    return std::nullopt;
  for (Operation *op : consumer.regions[0].ops) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic || !isReduction(generic))
      continue;
    for (OpOperand *operand : generic.getDpsInputOperands()) {
      WindowLayers found;
      found.consumer = &consumer;
      found.image = operand->get();
      found.pad = found.image.getDefiningOp<tensor::PadOp>();
      Value source = found.pad ? found.pad.getSource() : found.image;
      if (!found.image.hasOneUse() || !source.hasOneUse() ||
          (found.pad && !isBorder(found.pad)))
        continue;
      auto *producer = llvm::find_if(layers, [&](const Layer &layer) {
        return canProduce(layer) && layer.dests[0].value == source;
      });
      auto window = getRowWindow(generic, *operand);
      if (producer == layers.end() || !window)
        continue;
      found.producer = producer;
      if (found.pad) {
        found.padding = found.pad.getConstantPaddingValue();
        found.top = found.pad.getStaticLow()[kRow];
        found.left = found.pad.getStaticLow()[kColumn];
      }
      std::tie(found.span, found.stride) = *window;
      return found;
    }
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// Steps of the product of a register of outputs.
static double countSteps(const Layer &layer) {
  double steps = 0;
  for (const TileRegion &region : layer.regions)
    for (Operation *op : region.ops)
      if (auto product = dyn_cast<ProductOp>(op)) {
        SmallVector<int64_t> sizes = product.getLoopSizes();
        double own = 1;
        for (int64_t size :
             ArrayRef(sizes).drop_front(product.getNumParallelLoops()))
          own *= size;
        steps = std::max(steps, own);
      }
  return steps;
}

/// In how many blocks rows are best cut, where the layers have so many tiles
/// along the other dimensions; none: the layers are better apart.
static std::optional<int64_t> chooseBlocks(const WindowLayers &layers,
                                           int64_t tiles,
                                           const TileOptions &options) {
  int64_t rows = getDomain(layers.consumer->regions[0].ops.back())[kRow];
  // Of a register of outputs, on all threads together.
  double product = countSteps(*layers.producer) * options.costs.leastStep;
  double saved = options.costs.passByte * 4 * double(options.registerLanes);
  // Half a tile is waited for in the end.
  auto getCycles = [&](double cycles, int64_t tiles) {
    return cycles * (1 + double(options.threads - 1) / double(2 * tiles));
  };
  double least = getCycles(product + saved, kTilesOfThread * options.threads);
  std::optional<int64_t> best;
  for (int64_t blocks = 1; blocks <= rows; ++blocks) {
    double again =
        double(layers.getKept() * (blocks - 1)) / double(rows * layers.stride);
    double cycles = getCycles(product * (1 + again), blocks * tiles);
    if (cycles < least) {
      best = blocks;
      least = cycles;
    }
  }
  return best;
}

/// How often the code of a region is there, all of them together, where rows
/// are cut into `segments`.
static size_t countRegions(const WindowLayers &layers,
                           ArrayRef<Segment> segments) {
  size_t count = 0;
  for (const Segment &segment : segments) {
    for (int64_t i = 0; i < layers.getKept(); ++i)
      count +=
          layers.getRegionsOfRow(layers.getFirstRow(segment.start) + i).size();
    SmallVector<SmallVector<unsigned>> last;
    for (int64_t row = segment.start; row < segment.start + segment.tile;
         ++row) {
      SmallVector<SmallVector<unsigned>> regions = layers.getFreshRegions(row);
      if (row != segment.start && regions == last)
        continue;
      for (size_t i = 0; i < regions.size(); ++i)
        if (i == 0 || regions[i] != regions[i - 1])
          count += regions[i].size();
      last = std::move(regions);
    }
  }
  return count;
}

/// Blocks of `size` rows, those together that consist of the same regions of
/// the producer.
static SmallVector<Segment> cutRows(const WindowLayers &layers, int64_t rows,
                                    int64_t size) {
  SmallVector<Segment> segments;
  SmallVector<SmallVector<unsigned>> last;
  for (int64_t start = 0; start < rows; start += size) {
    int64_t end = std::min(start + size, rows);
    SmallVector<SmallVector<unsigned>> regions;
    for (int64_t row = layers.getFirstRow(start);
         row < layers.getFirstRow(end - 1) + layers.span; ++row)
      regions.push_back(layers.getRegionsOfRow(row));
    if (start != 0 && regions == last)
      segments.back().end = end;
    else
      segments.push_back({start, end, end - start});
    last = std::move(regions);
  }
  return segments;
}

/// Gives the layers their plans; whether they are better joined.
static bool plan(WindowLayers &layers, TileOptions options) {
  options.imageRows = true;
  layers.producerPlan = planTiles(getLayerShape(*layers.producer), options);
  auto &producer = layers.producerPlan.segments;
  const Segment &channels = producer[0][kChannel].front();
  options.tileChannels = channels.tile;
  TilePlan &consumer = layers.consumerPlan;
  consumer = planTiles(getLayerShape(*layers.consumer), options);
  auto &segments = consumer.segments[0];
  // Both have the same blocks of channels, and the consumer packs whole ones.
  auto haveSame = [](ArrayRef<Segment> a, ArrayRef<Segment> b) {
    return llvm::equal(a, b, [](const Segment &s, const Segment &t) {
      return s.start == t.start && s.end == t.end && s.tile == t.tile;
    });
  };
  bool whole = segments[kChannel].size() == 1 && isOneTile(channels);
  int64_t packed = getPackedChannels(layers.consumer->regions[0].ops);
  if (!haveSame(producer[0][kChannel], segments[kChannel]) ||
      (!whole && channels.tile % packed != 0))
    return false;
  std::optional<int64_t> blocks = chooseBlocks(
      layers, countTiles(segments[kBatch]) * countTiles(segments[kChannel]),
      options);
  if (!blocks)
    return false;
  int64_t rows = segments[kRow].back().end;
  segments[kRow] = cutRows(layers, rows, llvm::divideCeil(rows, *blocks));
  consumer.outer = {kBatch, kChannel, kRow};
  consumer.inner = {kColumn};
  return countRegions(layers, segments[kRow]) <= kMostRegions;
}

SmallVector<unsigned> WindowLayers::getRegionsOfRow(int64_t row) const {
  SmallVector<unsigned> regions;
  for (auto [p, region] : llvm::enumerate(producer->regions)) {
    int64_t start = region.offsets[kRow];
    if (start <= row && row < start + getDomain(region.ops.back())[kRow])
      regions.push_back(p);
  }
  return regions;
}

SmallVector<SmallVector<unsigned>>
WindowLayers::getFreshRegions(int64_t window) const {
  SmallVector<SmallVector<unsigned>> regions;
  for (int64_t i = getKept(); i < span; ++i)
    regions.push_back(getRegionsOfRow(getFirstRow(window) + i));
  return regions;
}

std::vector<WindowLayers>
bquant::findWindowLayers(MutableArrayRef<Layer> layers,
                         const TileOptions &options) {
  std::vector<WindowLayers> joined;
  for (Layer &layer : layers)
    if (std::optional<WindowLayers> found = match(layer, layers);
        found && plan(*found, options))
      joined.push_back(std::move(*found));
  return joined;
}
