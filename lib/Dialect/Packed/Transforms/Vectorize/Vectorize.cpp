//===- Vectorize.cpp - --bquant-vectorize ---------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's linalg::vectorize is not used. It wants every reduction tiled by 1
// and unit dimensions folded first, and the accumulators hoisted out of those
// loops; each operand that is broadcast becomes a transfer_read with a
// broadcast map, which stock lowering takes apart into an insertion for each
// element (9 to over 200 times slower unless LLVM's unroller removes it); bits
// have no words, and a tensor of i1 is one of bytes; rank-reducing
// tensor.insert_slice are miscompiled by vectorize_children_and_apply_patterns
// in LLVM 22. With patterns for broadcasts and for bits of our own it reaches
// the same inner loop.
//
//===----------------------------------------------------------------------===//

#include "TileVectorizer.h"
#include "Tiles.h"
#include "bquant/Dialect/Packed/Transforms/Passes.h"
#include "bquant/Target/ModuleTarget.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace bquant {
#define GEN_PASS_DEF_VECTORIZE
#include "bquant/Dialect/Packed/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

namespace {
struct Vectorize : bquant::impl::VectorizeBase<Vectorize> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation()->walk([&](Block *block) {
      if (!isa<linalg::LinalgOp>(block->getParentOp()))
        blocks.push_back(block);
    });
    FailureOr<TargetDescription> target = getModuleDescription(getOperation());
    if (failed(target))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    for (Block *block : blocks) {
      TileVectorizer vectorizer(rewriter, *target);
      for (Operation &op : llvm::make_early_inc_range(*block))
        if (isTile(&op))
          (void)vectorizer.vectorize(&op); // Or --bquant-explain-scalars.
      vectorizer.finish(block);
    }
  }
};
} // namespace
