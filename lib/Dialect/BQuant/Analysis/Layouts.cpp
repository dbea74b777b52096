//===- Layouts.cpp - How scaled-binary values are going to lie ------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layouts.h"
#include "Products.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace bquant;

Layout bquant::getWantedLayout(OpOperand &use) {
  KernelAttrInterface kernel = getKernel(use.getOwner());
  // A filter is laid out by its kernel from words.
  return kernel && use.getOperandNumber() == 0 ? kernel.getLayout()
                                               : Layout::words;
}

LayoutAnalysis::LayoutAnalysis(Operation *root) {
  root->walk([&](Operation *op) {
    // What comes from words outside lies as words.
    if (isa<UnrealizedConversionCastOp>(op))
      return;
    for (OpResult result : op->getResults()) {
      if (!isa<SBTensorType>(result.getType()))
        continue;
      SmallVector<Layout, 2> &wanted = layouts[result];
      for (OpOperand &use : result.getUses())
        wanted.push_back(getWantedLayout(use));
      llvm::sort(wanted);
      wanted.erase(llvm::unique(wanted), wanted.end());
    }
  });
}

ArrayRef<Layout> LayoutAnalysis::getLayouts(Value value) const {
  static constexpr Layout byDefault[] = {Layout::words};
  auto it = layouts.find(value);
  if (it == layouts.end() || it->second.empty())
    return byDefault;
  return it->second;
}
