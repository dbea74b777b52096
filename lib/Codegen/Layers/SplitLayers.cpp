//===- SplitLayers.cpp - Layers whose tiles are independent ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   bquant_packed.layer "l" ins(...) outs(%o = %y, %f = %filter) {
//     scf.forall ... // writes %f
//     scf.forall ... // reads %f, writes some rows of %o
//     scf.forall ... // reads %f, writes the other rows of %o
//   }
//
// becomes
//
//   bquant_packed.layer "l" ins(...) outs(%f = %filter) {
//     scf.forall ...
//   }
//   bquant_packed.layer "l" ins(%f = %filter, ...) outs(%o = %y) {
//     scf.forall ...
//     scf.forall ...
//   }
//
//===----------------------------------------------------------------------===//

#include "Effects.h"
#include "LayerBuilder.h"
#include "ReadFootprint.h"
#include "Support/Remarks.h"
#include "bquant/Codegen/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace bquant {
#define GEN_PASS_DEF_SPLITLAYERS
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;
using packed::LayerOp;

namespace {
/// What one thread does at once, or threads share: a parallel loop, or
/// operations that follow each other.
struct Part {
  explicit Part(Operation *op)
      : ops{op}, isParallel(isa<scf::ForallOp>(op)),
        footprint(readFootprint(op)) {}

  SmallVector<Operation *> ops;
  bool isParallel;
  Footprint footprint;
};

/// Parts that may be done at the same time.
using Run = SmallVector<Part>;

struct SplitLayers : bquant::impl::SplitLayersBase<SplitLayers> {
  void runOnOperation() override {
    SmallVector<LayerOp> layers;
    getOperation()->walk([&](LayerOp layer) {
      if (layer.getNumResults() == 0) // on buffers
        layers.push_back(layer);
    });
    for (LayerOp layer : layers) {
      DenseSet<Operation *> copied = findCopied(layer);
      SmallVector<Run> runs = findRuns(layer, copied);
      if (handOnValues(runs, copied))
        makeSerial(layer);
      else if (runs.size() > 1)
        split(layer, runs, copied);
    }
  }

private:
  /// What each part may do for itself: what reads nothing, or what nothing in
  /// the layer writes.
  static DenseSet<Operation *> findCopied(LayerOp layer) {
    DenseSet<Operation *> copied;
    auto isCopied = [&](Value value) {
      Operation *producer = value.getDefiningOp();
      return !producer || copied.contains(producer);
    };
    for (Operation &op : layer.getBody()->without_terminator())
      if (llvm::all_of(op.getOperands(), isCopied) &&
          (LayerBuilder::isCheap(&op) ||
           (op.getNumRegions() == 0 && op.getNumResults() != 0 &&
            !mayWrite(&op) && readsInputs(&op, layer))))
        copied.insert(&op);
    return copied;
  }

  static bool readsInputs(Operation *op, LayerOp layer) {
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      if (!isa<BaseMemRefType>(operand.getType()))
        return true;
      while (auto view = operand.getDefiningOp<ViewLikeOpInterface>())
        operand = view.getViewSource();
      auto argument = dyn_cast<BlockArgument>(operand);
      return argument && argument.getOwner() == layer.getBody() &&
             argument.getArgNumber() < layer.getInputs().size();
    });
  }

  static SmallVector<Run> findRuns(LayerOp layer,
                                   const DenseSet<Operation *> &copied) {
    SmallVector<Run> runs;
    for (Operation &op : layer.getBody()->without_terminator()) {
      if (copied.contains(&op))
        continue;
      Part part(&op);
      if (runs.empty()) {
        runs.push_back({part});
        continue;
      }
      Run &run = runs.back();
      bool extends = !part.isParallel && !run.back().isParallel;
      ArrayRef<Part> others = run;
      if (llvm::any_of(extends ? others.drop_back() : others,
                       [&](const Part &other) {
                         return part.footprint.conflictsWith(other.footprint);
                       })) {
        runs.push_back({part});
      } else if (extends) {
        run.back().ops.push_back(&op);
        run.back().footprint.add(part.footprint);
      } else {
        run.push_back(part);
      }
    }
    return runs;
  }

  /// Whether a part uses a number or vector that another one has computed.
  static bool handOnValues(ArrayRef<Run> runs,
                           const DenseSet<Operation *> &copied) {
    DenseMap<Operation *, const Part *> partOf;
    for (const Run &run : runs)
      for (const Part &part : run)
        for (Operation *op : part.ops)
          partOf[op] = &part;
    return llvm::any_of(partOf, [&](auto entry) {
      Operation *op = entry.first;
      return llvm::any_of(op->getUsers(), [&](Operation *user) {
        Operation *inBody = op->getBlock()->findAncestorOpInBlock(*user);
        return !copied.contains(inBody) &&
               partOf.lookup(inBody) != entry.second;
      });
    });
  }

  /// One tile, which one thread does.
  static void makeSerial(LayerOp layer) {
    remarks::missed(layer.getLoc(), "threads")
        << "not shared by threads: expected parts that hand on nothing but "
           "memory";
    IRRewriter rewriter(layer.getContext());
    for (auto loop :
         llvm::to_vector(layer.getBody()->getOps<scf::ForallOp>())) {
      rewriter.setInsertionPoint(loop);
      // Cannot fail: on buffers it has no results.
      (void)scf::forallToForLoop(rewriter, loop);
    }
  }

  /// Makes a layer of each run.
  static void split(LayerOp layer, ArrayRef<Run> runs,
                    const DenseSet<Operation *> &copied) {
    IRRewriter rewriter(layer.getContext());
    StringAttr name = layer.getNameAttr();
    SmallVector<Operation *> originals;
    for (Operation &op : *layer.getBody())
      if (copied.contains(&op))
        originals.push_back(&op);
    rewriter.eraseOp(layer.getYield());
    rewriter.inlineBlockBefore(layer.getBody(), layer, layer.getOperands());
    rewriter.eraseOp(layer);
    for (const Run &run : runs) {
      SmallVector<Operation *> ops;
      for (const Part &part : run)
        llvm::append_range(ops, part.ops);
      LayerBuilder(ops, copied).create(name);
    }
    for (Operation *op : llvm::reverse(originals))
      if (isOpTriviallyDead(op))
        rewriter.eraseOp(op);
  }
};
} // namespace
