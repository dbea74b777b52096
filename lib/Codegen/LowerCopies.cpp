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
// becomes a linalg.generic that yields its input.
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

namespace bquant {
#define GEN_PASS_DEF_LOWERCOPIES
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;

namespace {
class LowerCopies : public bquant::impl::LowerCopiesBase<LowerCopies> {
  void runOnOperation() override {
    SmallVector<memref::CopyOp> copies;
    getOperation()->walk([&](memref::CopyOp copy) { copies.push_back(copy); });
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
