//===- PackFilterLevels.cpp - --bquant-pack-filter-levels -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/Constants.h"
#include "Dialect/BQuant/Analysis/FilterLevels.h"
#include "Dialect/BQuant/IR/RawElements.h"
#include "Support/Remarks.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/Packed/Transforms/Passes.h"
#include "bquant/Target/ModuleTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace bquant {
#define GEN_PASS_DEF_PACKFILTERLEVELS
#include "bquant/Dialect/Packed/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

static void pack(ProductOp op, const FilterLevels &found) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  SmallVector<AffineMap> maps = op.getMaps();
  SmallVector<AffineExpr> indices;
  for (unsigned dim : found.dims)
    indices.push_back(maps[1].getResult(dim));
  unsigned loops = maps[1].getNumDims();
  maps.pop_back();
  SmallVector<Value> planes, levels;
  auto words = RankedTensorType::get(found.shape, b.getI32Type(),
                                     WordsLayoutAttr::get(b.getContext()));
  for (ArrayRef<uint32_t> plane : found.planes) {
    planes.push_back(
        arith::ConstantOp::create(b, words, getWordsAttr(words, plane)));
    maps.push_back(AffineMap::get(loops, 0, indices, b.getContext()));
  }
  for (ArrayRef<float> level : found.levels) {
    auto type = RankedTensorType::get(level.size(), b.getF32Type());
    levels.push_back(
        arith::ConstantOp::create(b, type, getFloatsAttr(type, level)));
    maps.push_back(AffineMap::get(loops, 0, indices.back()));
  }
  auto packed = ProductOp::create(
      b, op.getKernelAttr(), op.getFused(), op.getInputs().front(), planes,
      levels, op.getInits(), maps, /*ratios=*/DenseI64ArrayAttr());
  remarks::passed(op.getLoc(), "filter-levels") << remark::add(
      "the filter has {0} numbers a channel at most: it is {1} bytes of bits "
      "and levels, and no bit of the result changes",
      levels.size(), found.countBytes());
  op->replaceAllUsesWith(packed);
  op->erase();
}

namespace {
struct PackFilterLevels : bquant::impl::PackFilterLevelsBase<PackFilterLevels> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<TargetDescription> target = getModuleDescription(getOperation());
    if (failed(target))
      return signalPassFailure();
    // Without masks it takes longer to choose a level than to read a float.
    if (!target->comparesToMasks)
      return;
    getOperation().walk([](ProductOp op) {
      FailureOr<LinalgProduct> loops = getFloatProduct(op);
      if (failed(loops) || !op.getKernel())
        return;
      if (std::optional<FilterLevels> found = findFilterLevels(*loops))
        pack(op, *found);
    });
  }
};
} // namespace
