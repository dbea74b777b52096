//===- FormLayers.cpp - Each layer an operation ---------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %p = bquant_packed.product ... ins(%x : ...) filters(%w : ...)
//   %y = linalg.generic {elementwise} ins(%p, %c : ...)
//   %z = bquant_packed.pack %y
//
// becomes
//
//   %z = bquant_packed.layer "" ins(%i = %x : ...) outs(%o = %empty : ...)
//   {
//     %w = constant
//     %p = bquant_packed.product ... ins(%i : ...) filters(%w : ...)
//     %y = linalg.generic {elementwise} ins(%p, %c : ...)
//     %t = bquant_packed.pack %y
//     bquant_packed.yield %t : ...
//   }
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/TileableOps.h"
#include "Dialect/Packed/Transforms/Tile/FilterBlocks.h"
#include "Dialect/Packed/Transforms/Tile/WindowLayers.h"
#include "FindLayers.h"
#include "Support/Remarks.h"
#include "Support/Transpositions.h"
#include "bquant/Dialect/Packed/IR/Packed.h"
#include "bquant/Dialect/Packed/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace bquant {
#define GEN_PASS_DEF_FORMLAYERS
#include "bquant/Dialect/Packed/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

/// What a layer makes is this many times what is formed with it, at least.
static constexpr int64_t kLeastShare = 8;

/// Whether `op` shows a part of a tensor, or all of it in another shape.
static bool isView(Operation *op) {
  return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op) ||
         (isa<tensor::ExtractSliceOp>(op) && op->getNumOperands() == 1);
}

namespace {

/// Collects the ops of one layer and moves them into an operation.
class LayerFormer {
public:
  /// `filters`: what computes filters of constants, for layers that read them.
  LayerFormer(RewriterBase &rewriter, Location loc,
              const DenseSet<Operation *> &filters)
      : rewriter(rewriter), loc(loc), filters(filters) {}

  void add(Operation *op) { ops.insert(op); }

  void add(const Layer &layer) {
    for (const TileRegion &region : layer.regions)
      ops.insert_range(region.ops);
    ops.insert_range(layer.inserts);
  }

  /// Replaces the ops by an operation at `layer`'s anchor, whose results are
  /// what others read of `layer`.
  void form(const Layer &layer) {
    rewriter.setInsertionPointAfter(layer.anchor);
    SmallVector<Value> inits;
    for (const Dest &dest : layer.dests)
      inits.push_back(getInit(dest));
    auto op = packed::LayerOp::create(rewriter, loc, rewriter.getStringAttr(""),
                                      getInputs(layer), inits);
    move(op, layer);
    replace(op, layer);
  }

private:
  /// What each layer that reads it has for itself: constants, empty tensors,
  /// computed filters; and views, so that a layer reads one operand, however
  /// many parts of it.
  bool isCopied(Operation *op) const {
    return op->hasTrait<OpTrait::ConstantLike>() || isa<tensor::EmptyOp>(op) ||
           isView(op) || filters.contains(op);
  }

  /// The op that makes `value`, if the layer has a copy of it.
  Operation *getCopied(Value value) const {
    Operation *op = value.getDefiningOp();
    return op && !ops.contains(op) && isCopied(op) ? op : nullptr;
  }

  /// A tensor that is assembled in part by others is what they have made of it
  /// by then.
  Value getInit(const Dest &dest) {
    if (dest.init && !dest.init->get().getDefiningOp<tensor::EmptyOp>())
      return dest.init->get();
    auto type = cast<RankedTensorType>(dest.value.getType());
    return tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                   type.getElementType(), type.getEncoding());
  }

  static bool isInit(const OpOperand &operand, const Layer &layer) {
    return llvm::any_of(
        layer.dests, [&](const Dest &dest) { return dest.init == &operand; });
  }

  /// The values around that the ops read, or what is copied for them.
  SmallVector<Value> getInputs(const Layer &layer) {
    llvm::SetVector<Value> read;
    for (Operation *op : ops) {
      for (OpOperand &operand : op->getOpOperands())
        if (!isInit(operand, layer))
          read.insert(operand.get());
      getUsedValuesDefinedAbove(op->getRegions(), read);
    }
    SmallVector<Value> inputs;
    for (size_t i = 0; i < read.size(); ++i) {
      Value value = read[i];
      if (Operation *copied = getCopied(value)) {
        read.insert(copied->operand_begin(), copied->operand_end());
        getUsedValuesDefinedAbove(copied->getRegions(), read);
      } else if (Operation *op = value.getDefiningOp();
                 !op || !ops.contains(op)) {
        inputs.push_back(value);
      }
    }
    return inputs;
  }

  /// Moves the ops into the body of `op`, copies in front of their first use:
  /// bodies that are alike have them in one order, wherever they were.
  void move(packed::LayerOp op, const Layer &layer) {
    Block *body = op.getBody();
    for (auto [argument, input] :
         llvm::zip(body->getArguments(), op.getInputs()))
      inside[input] = argument;
    auto places = op.getInitArguments();
    for (auto [dest, place] : llvm::zip_equal(layer.dests, places))
      if (dest.init)
        dest.init->set(place);
    rewriter.setInsertionPointToEnd(body);
    SmallVector<Operation *> inOrder(ops.begin(), ops.end());
    llvm::sort(inOrder, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    for (Operation *one : inOrder) {
      one->walk([&](Operation *inner) {
        for (OpOperand &operand : inner->getOpOperands())
          operand.set(getInside(operand.get()));
      });
      rewriter.moveOpBefore(one, body, body->end());
      rewriter.setInsertionPointToEnd(body);
    }
    SmallVector<Value> values;
    for (const Dest &dest : layer.dests)
      values.push_back(dest.value);
    packed::YieldOp::create(rewriter, loc, values);
  }

  /// What stands for `value` in the body.
  Value getInside(Value value) {
    if (auto it = inside.find(value); it != inside.end())
      return it->second;
    Operation *copied = getCopied(value);
    if (!copied)
      return value;
    IRMapping map;
    llvm::SetVector<Value> read(copied->operand_begin(), copied->operand_end());
    getUsedValuesDefinedAbove(copied->getRegions(), read);
    for (Value operand : read)
      map.map(operand, getInside(operand));
    Operation *copy = rewriter.clone(*copied, map);
    for (auto [from, to] :
         llvm::zip_equal(copied->getResults(), copy->getResults()))
      inside[from] = to;
    return inside[value];
  }

  /// Lets all others read the results of `op`.
  void replace(packed::LayerOp op, const Layer &layer) {
    rewriter.setInsertionPointAfter(op);
    auto isOutside = [&](OpOperand &use) {
      return !op->isAncestor(use.getOwner());
    };
    for (const TileRegion &region : layer.regions)
      for (auto [result, dest] : region.liveOuts) {
        if (!layer.dests[dest].init ||
            llvm::none_of(result.getUses(), isOutside))
          continue;
        // Read by itself, too: that is a part of the whole.
        SmallVector<int64_t> sizes(
            cast<RankedTensorType>(result.getType()).getShape());
        Value part = tensor::ExtractSliceOp::create(
            rewriter, loc, op.getResult(dest),
            getAsIndexOpFoldResult(rewriter.getContext(), region.offsets),
            getAsIndexOpFoldResult(rewriter.getContext(), sizes),
            SmallVector<OpFoldResult>(sizes.size(), rewriter.getIndexAttr(1)));
        rewriter.replaceUsesWithIf(result, part, isOutside);
      }
    for (auto [dest, result] : llvm::zip_equal(layer.dests, op.getResults()))
      rewriter.replaceUsesWithIf(dest.value, result, isOutside);
  }

  RewriterBase &rewriter;
  Location loc;
  const DenseSet<Operation *> &filters;
  llvm::SetVector<Operation *> ops;
  /// What stands for a value in the body.
  DenseMap<Value, Value> inside;
};

struct FormLayers : bquant::impl::FormLayersBase<FormLayers> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    return verifyThreads(context, threads);
  }

  void runOnOperation() override {
    FailureOr<TileOptions> options = getTileOptions(getOperation(), threads);
    if (failed(options))
      return signalPassFailure();
    for (Block &block : getOperation().getFunctionBody())
      form(block, *options);
    explainNested();
  }

private:
  /// Whether an op is computed by loops that tiles and vectors are for.
  static bool hasLoops(Operation *op) {
    return isa<linalg::LinalgOp, packed::PackOp, ProductOp, packed::UnpackOp>(
               op) &&
           !isa<linalg::FillOp>(op);
  }

  /// Layers are formed in a function's own blocks. Ops inside loops and
  /// branches stay plain loops.
  void explainNested() {
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<packed::LayerOp>(op))
        return WalkResult::skip();
      if (!hasLoops(op))
        return WalkResult::advance();
      if (op->getParentOp() != getOperation() && !isTransposition(op))
        remarks::missed(op->getLoc(), "tile-and-fuse")
            << "not tiled: expected it outside of loops and branches";
      return WalkResult::skip();
    });
  }

  void form(Block &block, const TileOptions &options) {
    std::vector<Layer> layers = findLayers(block);
    std::vector<WindowLayers> joined = findWindowLayers(layers, options);
    std::vector<Layer> rest = findRest(block, layers);
    DenseSet<Operation *> filters;
    for (const Layer &layer : layers)
      for (const TileRegion &region : layer.regions)
        for (const ComputedFilter &filter : getComputedFilters(region))
          filters.insert(filter.generic);

    // Several threads have those that are independent side by side.
    Owners owners;
    if (options.threads == 1)
      owners = findOwners(layers, joined, filters);

    IRRewriter rewriter(&getContext());
    auto formLayer = [&](const Layer &layer, const WindowLayers *window) {
      Location loc = getLocation(window ? *window->producer : layer);
      LayerFormer former(rewriter, loc, filters);
      former.add(layer);
      for (auto [little, owner] : owners)
        if (owner == &layer)
          former.add(*little);
      if (window) {
        former.add(*window->producer);
        if (window->pad)
          former.add(window->pad);
      }
      former.form(layer);
    };
    // They were found last to first.
    for (const Layer &layer : llvm::reverse(layers)) {
      auto isProducer = [&](const WindowLayers &window) {
        return window.producer == &layer;
      };
      if (filters.contains(layer.anchor) || owners.contains(&layer) ||
          llvm::any_of(joined, isProducer))
        continue; // With those that read them.
      auto window = llvm::find_if(joined, [&](const WindowLayers &window) {
        return window.consumer == &layer;
      });
      formLayer(layer, window == joined.end() ? nullptr : &*window);
    }
    for (const Layer &layer : rest)
      formLayer(layer, nullptr);
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isOpTriviallyDead(&op)) {
        filters.erase(&op);
        rewriter.eraseOp(&op);
      }
    // A filter that something else reads, too.
    for (const Layer &layer : llvm::reverse(layers))
      if (filters.erase(layer.anchor))
        formLayer(layer, nullptr);
  }

  /// Layers that are formed with another one.
  using Owners = llvm::MapVector<const Layer *, const Layer *>;

  /// Those that another layer alone reads, directly or by way of such, and that
  /// are little beside it: counts of what the border of an image leaves out.
  static Owners findOwners(ArrayRef<Layer> layers,
                           ArrayRef<WindowLayers> joined,
                           const DenseSet<Operation *> &filters) {
    Owners owners;
    DenseMap<Operation *, const Layer *> layerOf;
    DenseMap<const Layer *, const Layer *> readers;
    auto getOwner = [&](const Layer *layer) {
      auto *it = owners.find(layer);
      return it == owners.end() ? layer : it->second;
    };
    for (const Layer &layer : layers) {
      const Layer *own = &layer;
      for (const WindowLayers &window : joined)
        if (window.producer == &layer)
          own = window.consumer;
      for (const TileRegion &region : layer.regions)
        for (Operation *op : region.ops)
          layerOf[op] = own;
      if (own != &layer || filters.contains(layer.anchor) || hasProduct(layer))
        continue;
      const Layer *reader = getReader(layer, layerOf);
      if (!reader)
        continue;
      const Layer *owner = getOwner(reader);
      if (!hasProduct(*owner) ||
          kLeastShare * countElements(layer) > countElements(*owner))
        continue;
      owners[&layer] = owner;
      readers[&layer] = reader;
    }

    // What they read, the owner reads, too, or they make it: nothing has to
    // stay in memory for longer.
    DenseMap<Value, const Layer *> makers;
    for (const Layer &layer : llvm::reverse(layers)) {
      if (!owners.contains(&layer))
        continue;
      const Layer *owner = owners[&layer];
      llvm::SetVector<Value> known = getSources(*owner);
      if (llvm::all_of(getSources(layer), [&](Value source) {
            return known.contains(source) || makers.lookup(source) == owner;
          }))
        makers[layer.dests.front().value] = owner;
      else
        owners.erase(&layer);
    }
    for (const Layer &layer : layers)
      if (owners.contains(&layer) && readers[&layer] != owners[&layer] &&
          !owners.contains(readers[&layer]))
        owners.erase(&layer);
    return owners;
  }

  /// The one layer that reads all that `layer` makes; null: others, too.
  static const Layer *
  getReader(const Layer &layer,
            const DenseMap<Operation *, const Layer *> &layerOf) {
    if (layer.dests.size() != 1)
      return nullptr;
    const Layer *reader = nullptr;
    SmallVector<Value> values{layer.dests.front().value};
    while (!values.empty())
      for (Operation *user : values.pop_back_val().getUsers()) {
        if (isView(user)) {
          values.push_back(user->getResult(0));
          continue;
        }
        const Layer *other = layerOf.lookup(user);
        if (!other || (reader && other != reader))
          return nullptr;
        reader = other;
      }
    return reader;
  }

  static bool hasProduct(const Layer &layer) {
    return llvm::any_of(layer.regions, [](const TileRegion &region) {
      return llvm::any_of(region.ops, llvm::IsaPred<ProductOp>);
    });
  }

  static int64_t countElements(const Layer &layer) {
    int64_t elements = 0;
    for (const TileRegion &region : layer.regions)
      elements += computeProduct(getDomain(region.ops.back()));
    return elements;
  }

  /// The tensors that a layer reads, or shows parts of.
  static llvm::SetVector<Value> getSources(const Layer &layer) {
    llvm::SetVector<Value> sources;
    for (const TileRegion &region : layer.regions)
      for (Operation *op : region.ops)
        for (Value value : op->getOperands()) {
          Operation *maker = value.getDefiningOp();
          for (; maker && isView(maker); maker = value.getDefiningOp())
            value = maker->getOperand(0);
          if (isa<RankedTensorType>(value.getType()) &&
              !(maker && (maker->hasTrait<OpTrait::ConstantLike>() ||
                          isa<tensor::EmptyOp>(maker) ||
                          llvm::is_contained(region.ops, maker))))
            sources.insert(value);
        }
    return sources;
  }

  /// What cannot be tiled, each op with what it starts from: a layer that is
  /// one op, of which there is a remark.
  static std::vector<Layer> findRest(Block &block, ArrayRef<Layer> layers) {
    DenseSet<Operation *> found;
    for (const Layer &layer : layers)
      for (const TileRegion &region : layer.regions)
        found.insert(region.ops.begin(), region.ops.end());
    std::vector<Layer> rest;
    for (Operation &op : block) {
      if (!hasLoops(&op) || found.contains(&op))
        continue;
      if (!isTransposition(&op))
        remarks::missed(op.getLoc(), "tile-and-fuse")
            << "not tiled: expected static shapes, results indexed by the "
               "outer loops, and of a product a kernel";
      if (op.getNumResults() == 0 || !isMemoryEffectFree(&op) ||
          !llvm::all_of(op.getResultTypes(), [](Type type) {
            auto tensor = dyn_cast<RankedTensorType>(type);
            return tensor && tensor.hasStaticShape();
          }))
        continue;
      Layer layer;
      layer.anchor = &op;
      TileRegion &region = layer.regions.emplace_back();
      auto dps = cast<DestinationStyleOpInterface>(op);
      for (OpOperand &init : dps.getDpsInitsMutable()) {
        Operation *begin = init.get().getDefiningOp();
        bool isFilled = isa_and_nonnull<linalg::FillOp>(begin);
        if (isFilled && begin->hasOneUse() && begin->getBlock() == &block)
          region.ops.push_back(begin);
        bool isNew = isFilled || isa_and_nonnull<tensor::EmptyOp>(begin);
        layer.dests.push_back(
            {dps.getTiedOpResult(&init), isNew ? nullptr : &init});
      }
      region.ops.push_back(&op);
      rest.push_back(std::move(layer));
    }
    return rest;
  }
};

} // namespace
