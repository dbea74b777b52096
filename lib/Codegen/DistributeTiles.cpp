//===- DistributeTiles.cpp - Loops that do a range of their tiles ---------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   func.func private @f_loop_0(%x, %out, %arena, %slice) {
//     scf.forall (%i, %j) in (14, 4) {
//
// becomes
//
//   func.func private @f_loop_0(%x, %out, %arena, %slice, %first, %last) {
//     scf.for %t = %first to %last step %c1 {
//       %i, %j = affine.delinearize_index %t into (14, 4)
//
// Upstream's scf::coalesceLoops makes one loop of a nest, too, but not of a
// nest of one, and keeps the loop's own bounds.
//
//===----------------------------------------------------------------------===//

#include "Effects.h"
#include "Footprint.h"
#include "WorkEstimate.h"
#include "bquant/Codegen/Names.h"
#include "bquant/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"

namespace bquant {
#define GEN_PASS_DEF_DISTRIBUTETILES
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

namespace {
/// What a function with a range of tiles does.
struct Work {
  int64_t tiles;
  double nanoseconds;
};

/// The calls that are all of `func`; nothing where it is more than calls of
/// functions that are here.
std::optional<SmallVector<func::CallOp>> getOnlyCalls(func::FuncOp func,
                                                      SymbolTable &symbols) {
  SmallVector<func::CallOp> calls;
  if (!func.getBody().hasOneBlock())
    return std::nullopt;
  for (Operation &op : func.getBody().front().without_terminator()) {
    auto call = dyn_cast<func::CallOp>(op);
    if (!call || call.getNumResults() != 0 ||
        symbols.lookup<func::FuncOp>(call.getCallee()).isExternal())
      return std::nullopt;
    calls.push_back(call);
  }
  return calls;
}

bool hasStaticBounds(scf::ForallOp loop) {
  return llvm::none_of(llvm::concat<const int64_t>(loop.getStaticLowerBound(),
                                                   loop.getStaticUpperBound(),
                                                   loop.getStaticStep()),
                       ShapedType::isDynamic);
}

/// The loop whose iterations are the tiles of `func`: the last operation. What
/// is before it each thread does for itself, for each range of tiles that it
/// claims: it must write nothing, and read nothing that the loop writes.
scf::ForallOp findTiles(func::FuncOp func) {
  if (!func.getBody().hasOneBlock())
    return nullptr;
  Block &body = func.getBody().front();
  Operation *last = body.getTerminator()->getPrevNode();
  auto loop = dyn_cast_or_null<scf::ForallOp>(last);
  if (!loop || loop.getNumResults() != 0 || !hasStaticBounds(loop))
    return nullptr;
  auto before = llvm::make_range(body.begin(), loop->getIterator());
  for (Operation &op : before)
    if (mayWrite(&op))
      return nullptr;
  // The slice is the argument before the range.
  unsigned own = func.getNumArguments() - 3;
  auto tiles =
      llvm::make_range(loop->getIterator(), std::next(loop->getIterator()));
  if (Footprint(func, own, before).conflictsWith(Footprint(func, own, tiles)))
    return nullptr;
  return loop;
}

struct DistributeTiles
    : public bquant::impl::DistributeTilesBase<DistributeTiles> {
  void runOnOperation() override {
    SymbolTable table(getOperation());
    symbols = &table;
    known.clear();
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (func->hasAttr(kSliceBytesName))
        distributeBody(func);
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](scf::ForallOp loop) {
      rewriter.setInsertionPoint(loop);
      if (failed(scf::forallToForLoop(rewriter, loop)))
        signalPassFailure();
    });
  }

private:
  SymbolTable *symbols = nullptr;
  llvm::DenseMap<Operation *, Work> known;

  /// Lets each call of `func` say which tiles it wants: all of them.
  void distributeBody(func::FuncOp func) {
    std::optional<SmallVector<func::CallOp>> calls =
        getOnlyCalls(func, *symbols);
    if (!calls || calls->empty())
      return;
    Builder attrs(&getContext());
    SmallVector<Attribute> groups;
    for (func::CallOp call : *calls) {
      Work work = distribute(call);
      // Calls that follow each other still do.
      ImplicitLocOpBuilder b(call.getLoc(), &func.getBody().front().front());
      addRange(call, arith::ConstantIndexOp::create(b, 0),
               arith::ConstantIndexOp::create(b, work.tiles));
      auto add = [&](StringRef name, int64_t value) {
        return attrs.getNamedAttr(name, attrs.getI64IntegerAttr(value));
      };
      groups.push_back(attrs.getDictionaryAttr(
          {attrs.getNamedAttr("callee", call.getCalleeAttr()),
           add("tiles", work.tiles), add("nanoseconds", work.nanoseconds)}));
    }
    func->setAttr(kGroupsName, attrs.getArrayAttr(groups));
  }

  /// The function called gets a range of tiles as its last arguments.
  Work distribute(func::CallOp call) {
    auto func = symbols->lookup<func::FuncOp>(call.getCallee());
    if (auto it = known.find(func); it != known.end())
      return it->second;
    Work work{1, estimateNanoseconds(func)};
    Type index = IndexType::get(&getContext());
    for (int i = 0; i < 2; ++i)
      // Cannot fail: a func.func takes any argument.
      (void)func.insertArgument(func.getNumArguments(), index, {},
                                func.getLoc());
    Value last = func.getArguments().back(),
          first = func.getArguments().drop_back().back();
    if (std::optional<SmallVector<func::CallOp>> calls =
            getOnlyCalls(func, *symbols))
      work = distributeGroup(*calls, first, last);
    else if (scf::ForallOp loop = findTiles(func))
      work.tiles = distributeLoop(loop, first, last);
    return known[func] = work;
  }

  void addRange(func::CallOp call, Value first, Value last) {
    call.getOperandsMutable().append({first, last});
  }

  /// The tiles of a group are those of its calls one after the other; each call
  /// gets what of the range from `first` to `last` is its own.
  Work distributeGroup(ArrayRef<func::CallOp> calls, Value first, Value last) {
    Work sum{0, 0};
    for (func::CallOp call : calls) {
      Work work = distribute(call);
      ImplicitLocOpBuilder b(call.getLoc(), call);
      Value zero = arith::ConstantIndexOp::create(b, 0);
      Value tiles = arith::ConstantIndexOp::create(b, work.tiles);
      Value base = arith::ConstantIndexOp::create(b, sum.tiles);
      auto clamp = [&](Value tile) -> Value {
        Value own = arith::SubIOp::create(b, tile, base);
        return arith::MinSIOp::create(b, arith::MaxSIOp::create(b, own, zero),
                                      tiles);
      };
      Value from = clamp(first), to = clamp(last);
      Value any = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, from, to);
      auto branch = scf::IfOp::create(b, any);
      call->moveBefore(branch.thenBlock()->getTerminator());
      addRange(call, from, to);
      sum.tiles += work.tiles;
      sum.nanoseconds += work.nanoseconds;
    }
    return sum;
  }

  /// Turns `loop` into one over the tiles from `first` to `last`, the last
  /// dimension the fastest. Returns how many tiles there are.
  int64_t distributeLoop(scf::ForallOp loop, Value first, Value last) {
    IRRewriter rewriter(loop);
    ImplicitLocOpBuilder b(loop.getLoc(), loop);
    SmallVector<int64_t> counts, starts, steps;
    for (auto [start, end, step] :
         llvm::zip(loop.getStaticLowerBound(), loop.getStaticUpperBound(),
                   loop.getStaticStep())) {
      counts.push_back(llvm::divideCeil(end - start, step));
      starts.push_back(start);
      steps.push_back(step);
    }
    auto tiles = scf::ForOp::create(b, first, last,
                                    arith::ConstantIndexOp::create(b, 1));
    b.setInsertionPointToStart(tiles.getBody());
    auto place = affine::AffineDelinearizeIndexOp::create(
        b, tiles.getInductionVar(), counts);
    SmallVector<Value> indices;
    for (auto [index, start, step] :
         llvm::zip(place.getResults(), starts, steps))
      indices.push_back(affine::AffineApplyOp::create(
          b, b.getAffineDimExpr(0) * step + start, index));
    rewriter.eraseOp(loop.getTerminator());
    rewriter.inlineBlockBefore(loop.getBody(), tiles.getBody()->getTerminator(),
                               indices);
    rewriter.eraseOp(loop);
    return llvm::product_of(counts);
  }
};
} // namespace
