//===- ExplainScalars.cpp - Remarks on what has no vectors ----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Apart from --bquant-vectorize, which works on several layers at the same
// time: remarks come in the order of the program, and from one thread.
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/TileableOps.h"
#include "Support/Remarks.h"
#include "Support/Transpositions.h"
#include "Tiles.h"
#include "bquant/Dialect/Packed/Transforms/Passes.h"

namespace bquant {
#define GEN_PASS_DEF_EXPLAINSCALARS
#include "bquant/Dialect/Packed/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

/// More elements than that are no tile.
static constexpr int64_t kMaxTileElements = 1024;

/// Whether no op starts from what `fill` writes: it is there for memory, a loop
/// of its own. As a write for each of its vectors it would be in the way of
/// bufferization, which 72 of them have kept for 12 seconds.
static bool isAlone(linalg::FillOp fill) {
  return llvm::none_of(fill->getUsers(), [](Operation *user) {
    return isa<linalg::LinalgOp, ProductOp>(user);
  });
}

/// Whether the sizes of the loops of `op`, a product or an op of linalg, are
/// known, also those of reductions, which its results do not have; of a product
/// each loop has a step.
static bool hasKnownLoops(Operation *op) {
  if (auto product = dyn_cast<ProductOp>(op))
    return llvm::all_of(product.getLoopSizes(),
                        [](int64_t size) { return size > 0; });
  return llvm::none_of(cast<linalg::LinalgOp>(op).getStaticLoopRanges(),
                       ShapedType::isDynamic);
}

bool bquant::isTile(Operation *op) {
  if (!isa<linalg::GenericOp, linalg::FillOp, packed::PackOp, packed::UnpackOp,
           ProductOp>(op) ||
      !hasVectorElements(op) || isTransposition(op))
    return false;
  if (auto fill = dyn_cast<linalg::FillOp>(op); fill && isAlone(fill))
    return false;
  auto fits = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape() && tensor.getRank() > 0 &&
           tensor.getNumElements() > 0 &&
           tensor.getNumElements() <= kMaxTileElements;
  };
  if (isa<packed::PackOp, packed::UnpackOp>(op))
    return llvm::all_of(op->getOperandTypes(), fits);
  return op->getNumResults() > 0 && llvm::all_of(op->getResultTypes(), fits) &&
         hasKnownLoops(op);
}

namespace {
struct ExplainScalars : bquant::impl::ExplainScalarsBase<ExplainScalars> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (isTile(op) && !isa<linalg::LinalgOp>(op->getParentOp()))
        remarks::missed(op->getLoc(), "vectorize")
            << "not vectorized: expected elementwise ops in the body, and unit "
               "strides or few elements";
    });
  }
};
} // namespace
