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
#include "FilterBlocks.h"
#include "RegionInserts.h"
#include "TileLayers.h"
#include "llvm/ADT/SetVector.h"

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
    for (auto [region, roots] : llvm::zip_equal(layer.regions, rootsOf)) {
      readOps(region, roots);
      for (Operation *op : region.ops)
        for (OpResult result : op->getResults())
          for (unsigned dest : destsOf.lookup(result))
            region.liveOuts.emplace_back(result, dest);
    }
    return std::move(layer);
  }

private:
  bool readDests(ValueRange values) {
    for (auto [dest, value] : llvm::enumerate(values)) {
      Operation *op = value.getDefiningOp();
      if (!op || op->getBlock() != &body)
        return false;
      if (!layer.anchor || layer.anchor->isBeforeInBlock(op))
        layer.anchor = op;
      destsOf[value].push_back(dest);
      auto inserts = getInserts(op);
      if (!inserts) {
        layer.dests.push_back({value, nullptr});
        continue;
      }
      layer.dests.push_back({value, &inserts->front().getDestMutable()});
      layer.inserts.append(*inserts);
      layer.regions.resize(inserts->size());
      rootsOf.resize(inserts->size());
      for (auto [i, insert] : llvm::enumerate(*inserts)) {
        destsOf[insert.getSource()].push_back(dest);
        layer.regions[i].offsets.assign(insert.getStaticOffsets());
        if (!addRoot(insert.getSource(), i))
          return false;
      }
    }
    if (!layer.regions.empty())
      return true;
    layer.regions.resize(1);
    rootsOf.resize(1);
    for (Value value : values)
      if (!addRoot(value, 0))
        return false;
    layer.regions[0].offsets.assign(getDomain(layer.anchor).size(), 0);
    return true;
  }

  bool addRoot(Value value, unsigned region) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != &body || !isTileable(op))
      return false;
    rootsOf[region].insert(op);
    return true;
  }

  /// The roots of a region, and what they read element by element. Regions
  /// that compute the same have ops in common.
  void readOps(TileRegion &region, DenseSet<Operation *> members) {
    for (Operation &op : llvm::reverse(body)) {
      if (members.contains(&op)) {
        region.ops.push_back(&op);
        continue;
      }
      if (!isTileable(&op) || isa<PackOp>(op))
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
  /// Of each region: what gives its parts of the dests.
  SmallVector<DenseSet<Operation *>> rootsOf;
  /// Of what is yielded or inserted.
  DenseMap<Value, SmallVector<unsigned>> destsOf;
};
} // namespace

/// What `layer` reads in windows, or null.
static Value getWindowed(const Layer &layer) {
  for (const TileRegion &region : layer.regions)
    for (Operation *op : region.ops) {
      auto generic = dyn_cast<linalg::GenericOp>(op);
      if (!generic || !isReduction(generic))
        continue;
      for (Value input : generic.getInputs()) {
        if (auto pad = input.getDefiningOp<tensor::PadOp>())
          input = pad.getSource();
        Operation *maker = input.getDefiningOp();
        if (maker && (isTileable(maker) || getInserts(maker)))
          return input;
      }
    }
  return nullptr;
}

std::vector<Layer> bquant::readLayers(packed::LayerOp op) {
  Block &body = *op.getBody();
  std::vector<Layer> layers;
  auto read = [&](ValueRange values) {
    if (std::optional<Layer> layer = LayerReader(body).read(values))
      layers.push_back(std::move(*layer));
  };
  read(body.getTerminator()->getOperands());
  if (layers.empty())
    return layers;
  if (Value value = getWindowed(layers.front()))
    read(value);
  llvm::SetVector<Operation *> filters;
  for (const Layer &layer : layers)
    for (const TileRegion &region : layer.regions)
      for (const ComputedFilter &filter : getComputedFilters(region))
        filters.insert(filter.generic);
  for (Operation *filter : filters)
    read(filter->getResults());
  return layers;
}
