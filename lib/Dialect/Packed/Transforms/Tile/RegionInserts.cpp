//===- RegionInserts.cpp - Tensors assembled from regions -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegionInserts.h"

using namespace mlir;
using namespace bquant;

static bool overlap(tensor::InsertSliceOp a, tensor::InsertSliceOp b) {
  for (auto [ao, as, bo, bs] :
       llvm::zip_equal(a.getStaticOffsets(), a.getStaticSizes(),
                       b.getStaticOffsets(), b.getStaticSizes()))
    if (ao + as <= bo || bo + bs <= ao)
      return false;
  return true;
}

std::optional<SmallVector<tensor::InsertSliceOp>>
bquant::getInserts(Operation *end) {
  SmallVector<tensor::InsertSliceOp> inserts;
  int64_t covered = 0;
  for (auto insert = dyn_cast_or_null<tensor::InsertSliceOp>(end); insert;
       insert = insert.getDest().getDefiningOp<tensor::InsertSliceOp>()) {
    auto isStatic = [](ArrayRef<int64_t> values) {
      return llvm::none_of(values, ShapedType::isDynamic);
    };
    if (insert != end && !insert->hasOneUse())
      break;
    if (!isStatic(insert.getStaticOffsets()) ||
        !isStatic(insert.getStaticSizes()) ||
        !llvm::all_of(insert.getStaticStrides(),
                      [](int64_t stride) { return stride == 1; }) ||
        insert.getSourceType().getRank() != insert.getType().getRank())
      return std::nullopt;
    covered += insert.getSourceType().getNumElements();
    inserts.push_back(insert);
  }
  if (inserts.empty() || covered != inserts[0].getType().getNumElements())
    return std::nullopt;
  for (unsigned i = 0; i < inserts.size(); ++i)
    for (unsigned j = 0; j < i; ++j)
      if (overlap(inserts[i], inserts[j]))
        return std::nullopt;
  std::reverse(inserts.begin(), inserts.end());
  return inserts;
}
