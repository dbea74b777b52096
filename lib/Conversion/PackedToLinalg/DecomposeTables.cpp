//===- DecomposeTables.cpp - Tables as extracted elements -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %y = linalg.generic ins(%filter) outs(%init) {
//     %index = (%word >> 3 * (%d mod 10)) & 7
//     %entry = tensor.extract %tables[%m, %d, %index]
//     %a = arith.addf %acc, %entry
//   }
//
//===----------------------------------------------------------------------===//

#include "DecomposeProducts.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;

static SmallVector<Value> createSums(ImplicitLocOpBuilder &b, ProductOp op,
                                     KernelAttrInterface kernel,
                                     ValueRange args) {
  AffineMap map = op.getMaps().front();
  SmallVector<OpFoldResult> loops;
  for (unsigned d = 0; d < map.getNumDims(); ++d)
    loops.push_back(linalg::IndexOp::create(b, d).getResult());
  auto apply = [&](AffineMap map) {
    return getValueOrCreateConstantIndexOp(
        b, b.getLoc(),
        affine::makeComposedFoldedAffineApply(b, b.getLoc(), map, loops));
  };
  SmallVector<Value> place;
  for (unsigned i = 0; i < map.getNumResults(); ++i)
    place.push_back(apply(map.getSubMap(i)));
  AffineExpr step = b.getAffineDimExpr(map.getNumDims() - 1);
  Value first = apply(
      AffineMap::get(map.getNumDims(), 0,
                     step % kernel.getStepSize() * kernel.getInputChannels()));
  Value shift = arith::IndexCastOp::create(b, b.getI32Type(), first);
  Value mask = arith::ConstantOp::create(
      b, b.getI32IntegerAttr((1 << kernel.getInputChannels()) - 1));
  size_t filters = op.getFilters().size();
  SmallVector<Value> sums;
  for (auto [word, sum] :
       llvm::zip_equal(args.take_front(filters), args.drop_front(filters))) {
    Value index = arith::ShRUIOp::create(b, word, shift);
    index = arith::AndIOp::create(b, index, mask);
    place.push_back(arith::IndexCastUIOp::create(b, b.getIndexType(), index));
    Value entry = tensor::ExtractOp::create(b, op.getInputs().front(), place);
    place.pop_back();
    sums.push_back(arith::AddFOp::create(b, sum, entry));
  }
  return sums;
}

void bquant::decomposeTables(RewriterBase &rewriter, ProductOp op,
                             ArrayRef<AffineMap> all) {
  KernelAttrInterface kernel = op.getKernelInterface();
  // Entries are extracted from the tables, which are no operand. An unused
  // operand in their place gives the reductions their sizes.
  SmallVector<AffineMap> maps(all);
  unsigned loops = maps.front().getNumDims(),
           parallel = op.getNumParallelLoops();
  maps.front() =
      rewriter.getMultiDimIdentityMap(loops).getMinorSubMap(loops - parallel);
  auto sizes = llvm::map_to_vector(op.getIterationDomain(rewriter),
                                   [](const Range &loop) { return loop.size; });
  SmallVector<Value> inputs{tensor::EmptyOp::create(
      rewriter, op.getLoc(), ArrayRef(sizes).drop_front(parallel),
      rewriter.getI32Type())};
  llvm::append_range(inputs, op.getFilters());
  rewriter.replaceOpWithNewOp<linalg::GenericOp>(
      op, op->getResultTypes(), inputs, op.getInits(), maps,
      op.getLoopIteratorTypes(),
      [&](OpBuilder &builder, Location loc, ValueRange args) {
        ImplicitLocOpBuilder b(loc, builder);
        linalg::YieldOp::create(b,
                                createSums(b, op, kernel, args.drop_front()));
      });
}
