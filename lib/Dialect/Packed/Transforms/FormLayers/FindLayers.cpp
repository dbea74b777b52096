//===- FindLayers.cpp - Which ops share a loop nest -----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer grows backwards from the ops whose results nothing tileable of the
// same domain takes: from the regions of one assembled tensor, or from one op.
// A producer joins where all its readers are in the layer, come after it, or
// are the inserts of a chain that the layer can write as a whole.
//
//===----------------------------------------------------------------------===//

#include "FindLayers.h"
#include "Dialect/BQuant/Analysis/TileableOps.h"
#include "Dialect/Packed/Transforms/Tile/RegionInserts.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace bquant;

namespace {

/// A tensor assembled from regions.
struct Chain {
  Operation *end;
  SmallVector<tensor::InsertSliceOp> inserts;
};

/// In the order in which they joined, so that it is the same in each region.
using Members = llvm::SmallSetVector<Operation *, 8>;

class LayerFinder {
public:
  explicit LayerFinder(Block &block) : block(block) {
    for (Operation &op : block) {
      auto insert = dyn_cast<tensor::InsertSliceOp>(op);
      if (!insert || isInnerInsert(insert))
        continue;
      if (auto inserts = getInserts(&op)) {
        chains.push_back({&op, *inserts});
        for (auto [i, region] : llvm::enumerate(*inserts))
          regionOf[region] = {chains.size() - 1, i};
      }
    }
  }

  std::vector<Layer> run() {
    std::vector<Layer> layers;
    for (Operation &op : llvm::reverse(block)) {
      std::optional<Layer> layer;
      auto it = regionOf.find(&op);
      if (it != regionOf.end() && chains[it->second.first].end == &op)
        layer = growChain(chains[it->second.first]);
      else if (isTileable(&op) && !isa<linalg::FillOp>(op))
        layer = growOp(&op);
      if (!layer)
        continue;
      for (TileRegion &region : layer->regions)
        taken.insert(region.ops.begin(), region.ops.end());
      layers.push_back(std::move(*layer));
    }
    return layers;
  }

private:
  /// Whether `insert` only feeds the next insert of its chain.
  static bool isInnerInsert(tensor::InsertSliceOp insert) {
    if (!insert->hasOneUse())
      return false;
    auto next = dyn_cast<tensor::InsertSliceOp>(*insert->getUsers().begin());
    return next && next.getDest() == insert.getResult();
  }

  Operation *inBlock(Operation *op) { return block.findAncestorOpInBlock(*op); }

  bool isAfter(Operation *op, Operation *anchor) {
    op = inBlock(op);
    return !op || anchor->isBeforeInBlock(op);
  }

  std::optional<Layer> growChain(const Chain &chain) {
    SmallVector<Operation *> roots;
    SmallVector<SmallVector<int64_t>> offsets;
    for (tensor::InsertSliceOp insert : chain.inserts) {
      Operation *root = insert.getSource().getDefiningOp();
      if (!root || root->getBlock() != &block || !isTileable(root) ||
          taken.contains(root) || llvm::is_contained(roots, root))
        return std::nullopt;
      roots.push_back(root);
      offsets.emplace_back(insert.getStaticOffsets());
    }
    // The domain of a pack is in elements, and its inserts are in words: they
    // are in one layer where each row of words is of one pack.
    auto packsRow = [](Operation *root, ArrayRef<int64_t> offsets) {
      return isa<packed::PackOp>(root) && offsets.back() == 0;
    };
    if (llvm::any_of(roots, llvm::IsaPred<packed::PackOp>) &&
        !llvm::all_of_zip(roots, offsets, packsRow))
      return std::nullopt;
    return grow(chain.end, roots, offsets);
  }

  std::optional<Layer> growOp(Operation *op) {
    if (taken.contains(op))
      return std::nullopt;
    return grow(op, {op}, {SmallVector<int64_t>(getDomain(op).size(), 0)});
  }

  /// The chain into which region `index` of the layer at `offsets` can go by
  /// `insert`; null: none.
  const Chain *getDestChain(tensor::InsertSliceOp insert, unsigned index,
                            const Layer &layer) {
    auto it = regionOf.find(insert);
    if (it == regionOf.end() || it->second.second != index)
      return nullptr;
    const Chain &chain = chains[it->second.first];
    if (chain.inserts.size() != layer.regions.size())
      return nullptr;
    for (auto [insert, region] : llvm::zip_equal(chain.inserts, layer.regions))
      if (tensor::InsertSliceOp(insert).getStaticOffsets() !=
          ArrayRef(region.offsets))
        return nullptr;
    if (chain.end != layer.anchor) {
      for (Operation *user : chain.end->getUsers())
        if (!isAfter(user, layer.anchor))
          return nullptr;
      // What it is written into has to be there.
      tensor::InsertSliceOp first = chain.inserts.front();
      Operation *init = first.getDest().getDefiningOp();
      if (init && init->getBlock() == &block &&
          !init->isBeforeInBlock(layer.anchor))
        return nullptr;
    }
    return &chain;
  }

  /// Whether `op` can be in region `index` beside `members`.
  bool canJoin(Operation *op, unsigned index, const Layer &layer,
               const Members &members) {
    for (OpResult result : op->getResults())
      for (OpOperand &use : result.getUses()) {
        Operation *user = use.getOwner();
        if (members.contains(user)) {
          if (!isIdentityUse(use))
            return false;
          continue;
        }
        auto insert = dyn_cast<tensor::InsertSliceOp>(user);
        if (insert && insert.getSource() == result &&
            getDestChain(insert, index, layer))
          continue;
        if (!isAfter(user, layer.anchor))
          return false;
      }
    return true;
  }

  std::optional<Layer> grow(Operation *anchor, ArrayRef<Operation *> roots,
                            ArrayRef<SmallVector<int64_t>> offsets) {
    DenseSet<Operation *> banned;
    // Each turn bans at least one op.
    while (true) {
      Layer layer;
      layer.anchor = anchor;
      layer.regions.resize(roots.size());
      for (auto [region, offset] : llvm::zip_equal(layer.regions, offsets))
        region.offsets = offset;
      for (auto [i, root] : llvm::enumerate(roots)) {
        if (banned.contains(root) || !canJoin(root, i, layer, {}) ||
            !haveOneTile(root, {}, layer))
          return std::nullopt;
        growRegion(layer, i, root, banned);
      }
      size_t before = banned.size();
      addDests(layer, banned);
      if (banned.size() == before)
        return layer;
    }
  }

  void growRegion(Layer &layer, unsigned index, Operation *root,
                  const DenseSet<Operation *> &banned) {
    ArrayRef<int64_t> domain = getDomain(root);
    Members members;
    members.insert(root);
    for (bool changed = true; changed;) {
      changed = false;
      for (Operation *member : SmallVector<Operation *>(members.getArrayRef()))
        for (OpOperand &operand : member->getOpOperands()) {
          Operation *producer = operand.get().getDefiningOp();
          if (!producer || producer->getBlock() != &block ||
              members.contains(producer) || taken.contains(producer) ||
              banned.contains(producer) || !isTileable(producer) ||
              isa<packed::PackOp>(producer) || getDomain(producer) != domain ||
              !isIdentityUse(operand) ||
              !haveOneTile(producer, members, layer) ||
              !canJoin(producer, index, layer, members))
            continue;
          members.insert(producer);
          changed = true;
        }
    }
    SmallVector<Operation *> &ops = layer.regions[index].ops;
    ops = members.takeVector();
    llvm::sort(
        ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  }

  /// The channels that the kernel of a product among `ops` has in a tile.
  static std::optional<int64_t> getProductChannels(ArrayRef<Operation *> ops) {
    for (Operation *op : ops)
      if (isa<ProductOp>(op))
        return getChannelBlock(op);
    return std::nullopt;
  }

  /// Whether `op` can have the tiles of `members` and of the other regions:
  /// blocks of channels and words may not fit each other.
  static bool haveOneTile(Operation *op, const Members &members,
                          const Layer &layer) {
    SmallVector<Operation *> others(members.getArrayRef());
    for (const TileRegion &region : layer.regions)
      others.append(region.ops);
    SmallVector<Operation *> all = others;
    all.push_back(op);
    int64_t unit = getPackedChannels(all);
    if (std::optional<int64_t> channels = getProductChannels(all))
      return *channels % unit == 0 && llvm::all_of(all, [&](Operation *one) {
        int64_t block = getChannelBlock(one).value_or(*channels);
        return isa<ProductOp>(one) ? block == *channels
                                   : fitsBlocks(block, *channels);
      });
    bool words = unit > 1;
    int64_t tile = std::max(unit, kWordBits);
    std::optional<int64_t> block = getChannelBlock(op);
    for (Operation *member : others)
      if (std::optional<int64_t> other = getChannelBlock(member)) {
        if (block && block != other &&
            !(fitsBlocks(*block, tile) && fitsBlocks(*other, tile)))
          return false;
        block = fitsBlocks(*other, tile) && block ? block : other;
      }
    return !words || !block || fitsBlocks(*block, tile);
  }

  /// Where the results that leave the regions go. Bans the ops of chains that
  /// the layer does not make all regions of.
  void addDests(Layer &layer, DenseSet<Operation *> &banned) {
    DenseMap<Operation *, unsigned> destOf; // by the end of a chain
    for (auto [index, region] : llvm::enumerate(layer.regions)) {
      DenseSet<Operation *> members(region.ops.begin(), region.ops.end());
      for (Operation *op : region.ops)
        for (OpResult result : op->getResults()) {
          llvm::SmallSetVector<const Chain *, 2> written;
          bool leaves = false;
          for (Operation *user : result.getUsers()) {
            leaves |= !members.contains(user);
            if (auto insert = dyn_cast<tensor::InsertSliceOp>(user))
              if (const Chain *chain = getDestChain(insert, index, layer))
                written.insert(chain);
          }
          for (const Chain *chain : written) {
            auto [it, isNew] =
                destOf.try_emplace(chain->end, layer.dests.size());
            if (isNew) {
              layer.dests.push_back(
                  {chain->end->getResult(0),
                   &tensor::InsertSliceOp(chain->inserts.front())
                        .getDestMutable()});
              layer.inserts.append(chain->inserts);
            }
            region.liveOuts.emplace_back(result, it->second);
          }
          if (leaves && written.empty()) {
            region.liveOuts.emplace_back(result, layer.dests.size());
            layer.dests.push_back({result, nullptr});
          }
        }
    }
    for (tensor::InsertSliceOp insert : layer.inserts) {
      unsigned dest = destOf.lookup(chains[regionOf[insert].first].end);
      bool made = llvm::any_of(layer.regions, [&](const TileRegion &region) {
        return llvm::is_contained(
            region.liveOuts,
            std::make_pair(dyn_cast<OpResult>(insert.getSource()), dest));
      });
      if (made)
        continue;
      for (TileRegion &region : layer.regions)
        for (auto [result, d] : region.liveOuts)
          if (d == dest)
            banned.insert(result.getOwner());
    }
  }

  Block &block;
  SmallVector<Chain> chains;
  DenseMap<Operation *, std::pair<unsigned, unsigned>> regionOf;
  DenseSet<Operation *> taken;
};

} // namespace

std::vector<Layer> bquant::findLayers(Block &block) {
  return LayerFinder(block).run();
}
