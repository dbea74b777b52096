//===- LowerCopies.cpp - Strided copies to loops --------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   memref.copy %a, %b : memref<4x4xf32, strided<[8, 1]>> to memref<4x4xf32>
//
// becomes a linalg.generic that yields its input. Two copies by way of a buffer
// become one where they are between parts that do not overlap, which
// bufferization does not see: the rows of a window, moved to its front.
//
//   memref.copy %a, %t; memref.copy %t, %b  ->  memref.copy %a, %b
//
// Upstream has two ways: --finalize-memref-to-llvm calls memrefCopy of MLIR's
// runner library, which a compiled network does not link, and memCpyFn of
// --one-shot-bufferize makes one kind of copy of all, before it is known which
// are contiguous.
//
//===----------------------------------------------------------------------===//

#include "bquant/Codegen/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

namespace bquant {
#define GEN_PASS_DEF_LOWERCOPIES
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;

/// Whether they are parts of one buffer that do not overlap.
static bool areApart(Value a, Value b) {
  auto first = a.getDefiningOp<memref::SubViewOp>();
  auto second = b.getDefiningOp<memref::SubViewOp>();
  if (!first || !second || first.getSource() != second.getSource())
    return false;
  FailureOr<bool> overlap = ValueBoundsConstraintSet::areOverlappingSlices(
      a.getContext(), HyperrectangularSlice(first),
      HyperrectangularSlice(second));
  return succeeded(overlap) && !*overlap;
}

/// Lets `copy` read what the copy into its source reads, if nothing else does
/// and nothing happens between the two.
static void skipBuffer(memref::CopyOp copy) {
  auto buffer = copy.getSource().getDefiningOp<memref::AllocOp>();
  if (!buffer || !llvm::hasNItems(buffer->getUses(), 2))
    return;
  for (Operation *op = copy->getPrevNode(); op; op = op->getPrevNode()) {
    auto first = dyn_cast<memref::CopyOp>(op);
    if (first && first.getTarget() == buffer.getResult() &&
        areApart(first.getSource(), copy.getTarget())) {
      copy.getSourceMutable().assign(first.getSource());
      first.erase();
      buffer.erase();
      return;
    }
    if (!isMemoryEffectFree(op))
      return;
  }
}

namespace {
class LowerCopies : public bquant::impl::LowerCopiesBase<LowerCopies> {
  void runOnOperation() override {
    SmallVector<memref::CopyOp> copies;
    auto collect = [&] {
      copies.clear();
      getOperation()->walk(
          [&](memref::CopyOp copy) { copies.push_back(copy); });
    };
    collect();
    for (memref::CopyOp copy : copies)
      skipBuffer(copy);
    collect();
    for (memref::CopyOp copy : copies) {
      // What was written to its place.
      if (copy.getSource() == copy.getTarget()) {
        copy.erase();
        continue;
      }
      auto from = dyn_cast<MemRefType>(copy.getSource().getType());
      auto to = dyn_cast<MemRefType>(copy.getTarget().getType());
      if (!from || !to)
        continue; // unranked: reported where it cannot be lowered
      if (memref::isStaticShapeAndContiguousRowMajor(from) &&
          memref::isStaticShapeAndContiguousRowMajor(to))
        continue;
      OpBuilder builder(copy);
      linalg::makeMemRefCopyOp(builder, copy.getLoc(), copy.getSource(),
                               copy.getTarget());
      copy.erase();
    }
  }
};
} // namespace
