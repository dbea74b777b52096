//===- SplitSolves.cpp - Solvers on several threads -----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A solver is a call of the runtime, which begins no threads itself: the loops
// of the network are what threads share.
//
//===----------------------------------------------------------------------===//

#include "bquant/Conversion/Passes.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace bquant {
#define GEN_PASS_DEF_SPLITSOLVES
#include "bquant/Conversion/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

/// Calls `body` with the index of a loop whose iterations threads share.
static void createForall(ImplicitLocOpBuilder &b, int64_t iterations,
                         function_ref<void(Value)> body) {
  OpFoldResult end = b.getIndexAttr(iterations);
  auto loop = scf::ForallOp::create(b, end, ValueRange(), std::nullopt);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar(0));
}

/// Row by row.
static void splitRows(SolveOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto input = cast<MemRefType>(op.getInput().getType());
  int64_t n = input.getDimSize(1);
  createForall(b, input.getDimSize(0), [&](Value row) {
    OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
    Value x = memref::SubViewOp::create(
        b, op.getInput(), ArrayRef<OpFoldResult>{row, zero},
        ArrayRef<OpFoldResult>{one, b.getIndexAttr(n)},
        ArrayRef<OpFoldResult>{one, one});
    SmallVector<Value> own;
    for (RankedTensorType type : SolveOp::getInitTypes(op.getScheme(), 1, n))
      own.push_back(memref::AllocOp::create(
          b, MemRefType::get(type.getShape(), type.getElementType())));
    SolveOp::create(b, TypeRange(), op.getScheme(), x, own);
    // Scalars and thresholds are columns of the results.
    Value first = arith::ConstantIndexOp::create(b, 0);
    for (auto [from, to] : llvm::zip_equal(own, op.getInits())) {
      auto type = cast<MemRefType>(from.getType());
      for (int64_t i = 0; type.getRank() == 2 && i < type.getDimSize(0); ++i) {
        Value at = arith::ConstantIndexOp::create(b, i);
        Value scalar = memref::LoadOp::create(b, from, ValueRange{at, first});
        memref::StoreOp::create(b, scalar, to, ValueRange{at, row});
      }
    }
  });
}

/// One row, part by part.
static void splitRow(SolveOp op, int64_t parts) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto createStep = [&](SolveStep step, Value part = {}) {
    SolveStepOp::create(b, step, op.getScheme(), part, op.getInput(),
                        op.getInits().front(), op.getInits().back());
  };
  auto createStepOfParts = [&](SolveStep step) {
    createForall(b, parts, [&](Value part) { createStep(step, part); });
  };
  createStep(SolveStep::begin);
  createStepOfParts(SolveStep::count);
  createStep(SolveStep::choose);
  createStepOfParts(SolveStep::keep);
  createStep(SolveStep::finish);
}

namespace {
struct SplitSolves : bquant::impl::SplitSolvesBase<SplitSolves> {
  void runOnOperation() override {
    getOperation()->walk([](SolveOp op) {
      auto input = dyn_cast<MemRefType>(op.getInput().getType());
      if (!input || op->getParentOfType<scf::ForallOp>())
        return;
      if (input.getDimSize(0) > 1) {
        splitRows(op);
      } else {
        int64_t parts =
            SolveOp::getNumParts(op.getScheme(), input.getDimSize(1));
        if (parts == 1)
          return;
        splitRow(op, parts);
      }
      SmallVector<Value> inits(op.getInits());
      op.erase();
      // Rows have scratch memory of their own.
      for (Value init : inits)
        if (auto alloc = init.getDefiningOp<memref::AllocOp>();
            alloc && alloc->use_empty())
          alloc.erase();
    });
  }
};
} // namespace
