//===- SplitEmptyTensors.cpp - An empty tensor for each use ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %e = tensor.empty()
//   %a = ... outs(%e)
//   %b = ... outs(%e)
//
// becomes
//
//   %d = tensor.empty()
//   %e = tensor.empty()
//   %a = ... outs(%e)
//   %b = ... outs(%d)
//
// A slice that is computed and put back stays one of its tensor, which is
// written to in its place:
//
//   %s = tensor.extract_slice %e[0] [8] [1]
//   %b = ... outs(%s)
//   %c = tensor.insert_slice %b into %e[0] [8] [1]
//
// A filled tensor that tiles write to goes into their loop, from where
// upstream's loop-invariant code motion has taken it: a tile fills its own
// memory then, where it would copy what was filled for all.
//
//===----------------------------------------------------------------------===//

#include "bquant/Codegen/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace bquant {
#define GEN_PASS_DEF_SPLITEMPTYTENSORS
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;

/// The outermost parallel loop around `op` that is not around `value`.
static scf::ForallOp getLoopBetween(Value value, Operation *op) {
  scf::ForallOp outermost;
  for (auto loop = op->getParentOfType<scf::ForallOp>();
       loop && !loop->isAncestor(value.getDefiningOp());
       loop = loop->getParentOfType<scf::ForallOp>())
    outermost = loop;
  return outermost;
}

/// Whether the op begins with what `use` has and changes it.
static bool isWrittenTo(OpOperand *use) {
  Operation *op = use->getOwner();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return llvm::is_contained(loop.getInitArgs(), use->get());
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return use == &insert.getDestMutable();
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  return dps && dps.isDpsInit(use);
}

static void sinkIntoLoops(linalg::FillOp fill) {
  auto empty = fill.getOutputs().front().getDefiningOp<tensor::EmptyOp>();
  if (!empty || fill.getNumResults() != 1)
    return;
  // Slices of it that one loop uses go first.
  for (Operation *user : llvm::to_vector(fill->getUsers()))
    if (isa<tensor::ExtractSliceOp>(user) && !user->use_empty()) {
      auto loops = llvm::map_range(user->getUsers(), [&](Operation *op) {
        return getLoopBetween(user->getResult(0), op);
      });
      if (scf::ForallOp loop = *loops.begin(); loop && llvm::all_equal(loops))
        user->moveBefore(&loop.getBody()->front());
    }
  llvm::MapVector<Operation *, SmallVector<OpOperand *>> uses;
  for (OpOperand &use : fill.getResult(0).getUses())
    if (Operation *loop = getLoopBetween(fill.getResult(0), use.getOwner()))
      uses[loop].push_back(&use);
  for (auto &[loop, inside] : uses) {
    if (llvm::none_of(inside, isWrittenTo))
      continue;
    auto b = OpBuilder::atBlockBegin(cast<scf::ForallOp>(loop).getBody());
    IRMapping own;
    b.clone(*empty, own);
    Value filled = b.clone(*fill, own)->getResult(0);
    for (OpOperand *use : inside)
      use->set(filled);
  }
  if (fill->use_empty())
    fill.erase();
}

/// Takes the one of `slices` that `use` puts back out of them.
static tensor::ExtractSliceOp
takeSlice(OpOperand *use, SmallVectorImpl<tensor::ExtractSliceOp> &slices) {
  auto insert = dyn_cast<tensor::InsertSliceOp>(use->getOwner());
  if (!insert || use != &insert.getDestMutable())
    return {};
  auto *found = llvm::find_if(slices, [&](tensor::ExtractSliceOp slice) {
    return slice->getBlock() == insert->getBlock() &&
           cast<OffsetSizeAndStrideOpInterface>(slice.getOperation())
               .isSameAs(insert, std::equal_to<OpFoldResult>());
  });
  if (found == slices.end())
    return {};
  tensor::ExtractSliceOp slice = *found;
  slices.erase(found);
  return slice;
}

/// Gives each of `uses`, which are in the order of the program, a tensor of its
/// own.
static void split(tensor::EmptyOp empty, ArrayRef<OpOperand *> uses) {
  SmallVector<tensor::ExtractSliceOp> slices;
  for (OpOperand *use : uses) {
    if (tensor::ExtractSliceOp slice = takeSlice(use, slices)) {
      use->set(slice.getSource());
      continue;
    }
    if (use != uses.front()) {
      // In whichever block of the region the use is.
      OpBuilder b(
          empty->getParentRegion()->findAncestorOpInRegion(*use->getOwner()));
      use->set(b.clone(*empty)->getResult(0));
    }
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(use->getOwner()))
      slices.push_back(slice);
  }
}

namespace {
struct SplitEmptyTensors
    : bquant::impl::SplitEmptyTensorsBase<SplitEmptyTensors> {
  void runOnOperation() override {
    SmallVector<linalg::FillOp> fills;
    getOperation()->walk([&](linalg::FillOp fill) { fills.push_back(fill); });
    llvm::for_each(fills, sinkIntoLoops);
    // Where each is in the program, since that is where its buffer will be: a
    // list of uses has them in the order in which they were made.
    DenseMap<Operation *, size_t> position;
    SmallVector<tensor::EmptyOp> empties;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      position[op] = position.size();
      if (auto empty = dyn_cast<tensor::EmptyOp>(op); empty && !op->use_empty())
        empties.push_back(empty);
    });
    for (tensor::EmptyOp empty : empties) {
      auto uses = llvm::map_to_vector(empty->getUses(),
                                      [](OpOperand &use) { return &use; });
      llvm::sort(uses, [&](OpOperand *a, OpOperand *b) {
        auto key = [&](OpOperand *use) {
          return std::pair(position.lookup(use->getOwner()),
                           use->getOperandNumber());
        };
        return key(a) < key(b);
      });
      split(empty, uses);
    }
  }
};
} // namespace
