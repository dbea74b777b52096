//===- ReadLayers.cpp - What the body of a layer says ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which ops share a loop nest is decided where layers are formed. In a layer
// what it yields says the rest: the inserts that assemble it are the regions,
// and what a region reads element by element is in it.
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/TileableOps.h"
#include "RegionInserts.h"
#include "TileLayers.h"

using namespace mlir;
using namespace bquant;

namespace {
class LayerReader {
public:
  explicit LayerReader(Block &body) : body(body) {}

  /// The layer that gives `values`; none where no tile gives them.
  std::optional<Layer> read(ValueRange values) {
    if (!readDests(values))
      return std::nullopt;
    for (auto [region, given] : llvm::zip_equal(layer.regions, givenBy)) {
      readOps(region, given);
      for (Operation *op : region.ops)
        for (OpResult result : op->getResults())
          for (const Given *values : {&given, &yielded})
            for (unsigned dest : values->lookup(result))
              region.liveOuts.emplace_back(result, dest);
    }
    // What is in no region, no tile would write.
    auto isInRegion = [&](const auto &value) {
      return llvm::any_of(layer.regions, [&](const TileRegion &region) {
        return llvm::is_contained(region.ops, value.first.getDefiningOp());
      });
    };
    if (!llvm::all_of(yielded, isInRegion))
      return std::nullopt;
    return std::move(layer);
  }

private:
  /// Values, and the dests that they are, or are a part of.
  using Given = DenseMap<Value, SmallVector<unsigned>>;

  bool readDests(ValueRange values) {
    if (values.empty()) // on buffers
      return false;
    for (auto [dest, value] : llvm::enumerate(values)) {
      Operation *op = value.getDefiningOp();
      if (!op || op->getBlock() != &body)
        return false;
      if (!layer.anchor || layer.anchor->isBeforeInBlock(op))
        layer.anchor = op;
      auto inserts = getInserts(op);
      if (!inserts) {
        yielded[value].push_back(dest);
        layer.dests.push_back({value, nullptr});
        continue;
      }
      layer.dests.push_back({value, &inserts->front().getDestMutable()});
      layer.inserts.append(*inserts);
      layer.regions.resize(inserts->size());
      givenBy.resize(inserts->size());
      for (auto [i, insert] : llvm::enumerate(*inserts)) {
        layer.regions[i].offsets.assign(insert.getStaticOffsets());
        givenBy[i][insert.getSource()].push_back(dest);
        if (!isMadeByTiles(insert.getSource()))
          return false;
      }
    }
    if (!layer.regions.empty())
      return true;
    if (!llvm::all_of(values,
                      [&](Value value) { return isMadeByTiles(value); }))
      return false;
    layer.regions.resize(1);
    layer.regions[0].offsets.assign(getDomain(layer.anchor).size(), 0);
    givenBy.push_back(std::exchange(yielded, Given()));
    return true;
  }

  bool isMadeByTiles(Value value) {
    Operation *op = value.getDefiningOp();
    return op && op->getBlock() == &body && isTileable(op);
  }

  /// What gives the region's parts of the dests, and what that reads element by
  /// element. Regions that compute the same have ops in common.
  void readOps(TileRegion &region, const Given &given) {
    DenseSet<Operation *> members;
    for (const auto &[value, dests] : given)
      members.insert(value.getDefiningOp());
    for (Operation &op : llvm::reverse(body)) {
      if (members.contains(&op)) {
        region.ops.push_back(&op);
        continue;
      }
      if (!isTileable(&op) || isa<packed::PackOp>(op))
        continue;
      bool joins = llvm::any_of(op.getUses(), [&](OpOperand &use) {
        return members.contains(use.getOwner()) && isIdentityUse(use) &&
               getDomain(use.getOwner()) == getDomain(&op);
      });
      if (!joins)
        continue;
      members.insert(&op);
      region.ops.push_back(&op);
    }
    std::reverse(region.ops.begin(), region.ops.end());
  }

  Block &body;
  Layer layer;
  /// By region; and what is yielded as it is, where there are several.
  SmallVector<Given> givenBy;
  Given yielded;
};
} // namespace

/// What makes `value`, apart from views and borders of it.
static Value getSource(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
             tensor::ExtractSliceOp, tensor::PadOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

std::vector<Layer> bquant::readLayers(packed::LayerOp op) {
  Block &body = *op.getBody();
  std::vector<Layer> layers;
  DenseSet<Operation *> known;
  auto read = [&](ValueRange values) {
    std::optional<Layer> layer = LayerReader(body).read(values);
    if (!layer)
      return;
    known.insert(layer->anchor);
    for (const TileRegion &region : layer->regions)
      known.insert(region.ops.begin(), region.ops.end());
    layers.push_back(std::move(*layer));
  };
  read(body.getTerminator()->getOperands());
  // What a layer reads and the body makes is a layer, too.
  for (size_t i = 0; i < layers.size(); ++i) {
    SmallVector<Operation *> ops;
    for (const TileRegion &region : layers[i].regions)
      ops.append(region.ops);
    for (Operation *reader : ops)
      for (Value operand : reader->getOperands()) {
        Value source = getSource(operand);
        Operation *maker = source.getDefiningOp();
        if (maker && !known.contains(maker) && !isa<linalg::FillOp>(maker))
          read(source);
      }
  }
  llvm::sort(layers, [](const Layer &a, const Layer &b) {
    return b.anchor->isBeforeInBlock(a.anchor);
  });
  return layers;
}
