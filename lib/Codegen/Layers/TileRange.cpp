//===- TileRange.cpp - Layers that do a range of their tiles --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's scf::coalesceLoops makes one loop of a nest, too, but not of a
// nest of one, and keeps the loop's own bounds.
//
//===----------------------------------------------------------------------===//

#include "TileRange.h"
#include "Effects.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace bquant;

TileRange bquant::clamp(ImplicitLocOpBuilder &b, TileRange range, int64_t base,
                        int64_t count) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value tiles = arith::ConstantIndexOp::create(b, count);
  Value before = arith::ConstantIndexOp::create(b, base);
  auto clampOne = [&](Value tile) -> Value {
    Value own = arith::SubIOp::create(b, tile, before);
    return arith::MinSIOp::create(b, arith::MaxSIOp::create(b, own, zero),
                                  tiles);
  };
  return {clampOne(range.first), clampOne(range.last)};
}

scf::IfOp bquant::createIfAny(ImplicitLocOpBuilder &b, TileRange range) {
  return scf::IfOp::create(b,
                           arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                                                 range.first, range.last));
}

/// Turns `loop` into one over the tiles of `range`.
static void distribute(scf::ForallOp loop, ArrayRef<int64_t> counts,
                       TileRange range) {
  IRRewriter rewriter(loop);
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  auto tiles = scf::ForOp::create(b, range.first, range.last,
                                  arith::ConstantIndexOp::create(b, 1));
  b.setInsertionPointToStart(tiles.getBody());
  auto place = affine::AffineDelinearizeIndexOp::create(
      b, tiles.getInductionVar(), counts);
  SmallVector<Value> indices;
  for (auto [index, start, step] :
       llvm::zip(place.getResults(), loop.getStaticLowerBound(),
                 loop.getStaticStep()))
    indices.push_back(affine::AffineApplyOp::create(
        b, b.getAffineDimExpr(0) * step + start, index));
  rewriter.eraseOp(loop.getTerminator());
  rewriter.inlineBlockBefore(loop.getBody(), tiles.getBody()->getTerminator(),
                             indices);
  rewriter.eraseOp(loop);
}

/// Moves operations that follow each other into a branch for the one tile of
/// `range`; but for what others need, which writes nothing.
static void distribute(ArrayRef<Operation *> ops, TileRange range) {
  ImplicitLocOpBuilder b(ops.front()->getLoc(), ops.front());
  scf::IfOp branch = createIfAny(b, range);
  Operation *next = branch, *nextInside = branch.thenBlock()->getTerminator();
  for (Operation *op : llvm::reverse(ops)) {
    bool isUsed = llvm::any_of(op->getUsers(), [&](Operation *user) {
      return !branch->isProperAncestor(user);
    });
    Operation *&place = isUsed ? next : nextInside;
    op->moveBefore(place);
    place = op;
  }
}

int64_t bquant::distributeTiles(func::FuncOp func) {
  Type index = IndexType::get(func.getContext());
  for (int i = 0; i < 2; ++i)
    // Cannot fail: a func.func takes any argument.
    (void)func.insertArgument(func.getNumArguments(), index, {}, func.getLoc());
  TileRange all{func.getArguments().drop_back().back(),
                func.getArguments().back()};
  int64_t tiles = 0;
  SmallVector<Operation *> serial;
  auto getRange = [&](Operation *op, int64_t count) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    tiles += count;
    return clamp(b, all, tiles - count, count);
  };
  auto endSerial = [&] {
    while (!serial.empty() && !mayWrite(serial.back()))
      serial.pop_back();
    if (!serial.empty())
      distribute(serial, getRange(serial.front(), 1));
    serial.clear();
  };
  for (Operation &op : llvm::make_early_inc_range(
           func.getBody().front().without_terminator())) {
    auto loop = dyn_cast<scf::ForallOp>(op);
    if (!loop) {
      if (!serial.empty() || mayWrite(&op))
        serial.push_back(&op);
      continue;
    }
    endSerial();
    SmallVector<int64_t> counts;
    for (auto [start, end, step] :
         llvm::zip(loop.getStaticLowerBound(), loop.getStaticUpperBound(),
                   loop.getStaticStep()))
      counts.push_back(llvm::divideCeil(end - start, step));
    distribute(loop, counts, getRange(loop, llvm::product_of(counts)));
  }
  endSerial();
  return tiles;
}
