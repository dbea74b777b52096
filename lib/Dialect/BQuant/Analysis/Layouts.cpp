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

Layout bquant::getLayoutOutside(SBTensorType type, TypeRange types) {
  for (Layout layout : {Layout::nibbles, Layout::codes})
    if (types.front() ==
        getPackedType(type.getContext(), layout, type.getShape()))
      return layout;
  return Layout::words;
}

/// Of a cast to or from a value.
static Layout getLayoutOfCast(UnrealizedConversionCastOp cast) {
  if (auto type = dyn_cast<SBTensorType>(cast.getResultTypes().front()))
    return getLayoutOutside(type, cast.getOperandTypes());
  return getLayoutOutside(
      llvm::cast<SBTensorType>(cast.getOperandTypes().front()),
      cast.getResultTypes());
}

/// As all of its users want, so that it need not be packed anew.
static Layout findPoolLayout(MaxPool2DOp op) {
  // What comes from outside is packed anew behind the pool: there is less.
  auto cast = op.getInput().getDefiningOp<UnrealizedConversionCastOp>();
  if (cast && getLayoutOfCast(cast) == Layout::words)
    return Layout::words;
  std::optional<Layout> layout;
  for (OpOperand &use : op.getResult().getUses()) {
    Layout wanted = getWantedLayout(use);
    if (layout && wanted != *layout)
      return Layout::words;
    layout = wanted;
  }
  // The maximum is that of planes.
  return layout == Layout::codes ? Layout::words
                                 : layout.value_or(Layout::words);
}

Layout bquant::getWantedLayout(OpOperand &use) {
  if (auto pool = dyn_cast<MaxPool2DOp>(use.getOwner()))
    return findPoolLayout(pool);
  if (auto cast = dyn_cast<UnrealizedConversionCastOp>(use.getOwner()))
    return getLayoutOfCast(cast);
  KernelAttrInterface kernel = getKernel(use.getOwner());
  // A filter is laid out by its kernel from words.
  return kernel && use.getOperandNumber() == 0 ? kernel.getLayout()
                                               : Layout::words;
}

LayoutAnalysis::LayoutAnalysis(Operation *root) {
  root->walk([&](Operation *op) {
    auto cast = dyn_cast<UnrealizedConversionCastOp>(op);
    if (auto pool = dyn_cast<MaxPool2DOp>(op))
      pools[op] = findPoolLayout(pool);
    for (OpResult result : op->getResults()) {
      if (!isa<SBTensorType>(result.getType()))
        continue;
      Layouts &wanted = layouts[result];
      if (cast)
        wanted.push_back(getLayoutOfCast(cast));
      else
        for (OpOperand &use : result.getUses())
          wanted.push_back(getWantedLayout(use));
      llvm::sort(wanted);
      wanted.erase(llvm::unique(wanted), wanted.end());
      // Codes are made of words where these are wanted, too.
      if (wanted.size() > 1 && wanted.back() == Layout::codes) {
        wanted.pop_back();
        if (wanted.front() != Layout::words)
          wanted.insert(wanted.begin(), Layout::words);
      }
      for (OpOperand &use : result.getUses())
        layoutsOfUses[&use] = wanted;
    }
  });
}

static constexpr Layout byDefault[] = {Layout::words};

ArrayRef<Layout> LayoutAnalysis::getLayouts(Value value) const {
  auto it = layouts.find(value);
  if (it == layouts.end() || it->second.empty())
    return byDefault;
  return it->second;
}

ArrayRef<Layout> LayoutAnalysis::getLayouts(OpOperand &use) const {
  auto it = layoutsOfUses.find(&use);
  return it == layoutsOfUses.end() ? ArrayRef(byDefault) : it->second;
}
