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

Layout bquant::getLayoutOutside(TypeRange types) {
  return getLayoutOf(types.front()).value_or(Layout::words);
}

/// Of a cast to or from a value.
static Layout getLayoutOfCast(UnrealizedConversionCastOp cast) {
  bool toValue = isa<SBTensorType>(cast.getResultTypes().front());
  return getLayoutOutside(toValue ? TypeRange(cast.getOperandTypes())
                                  : TypeRange(cast.getResultTypes()));
}

/// What all users of a pool want, if that is one layout.
static std::optional<Layout> findUsersLayout(MaxPool2DOp op) {
  std::optional<Layout> layout;
  for (OpOperand &use : op.getResult().getUses()) {
    Layout wanted = getWantedLayout(use);
    if (layout && wanted != *layout)
      return std::nullopt;
    layout = wanted;
  }
  return layout;
}

/// Whether the sums of ratios rise as the planes do, the first one before all
/// others: then the largest byte is that of the largest planes.
static bool haveRisingCodes(SBTensorType type) {
  int64_t rest = 0;
  for (int64_t ratio : llvm::reverse(type.getRatios())) {
    if (ratio < rest)
      return false;
    rest += ratio;
  }
  return true;
}

/// Whether a pool can take the maximum of the bytes of codes, and nothing else
/// would be made of its input.
static bool canPoolCodes(MaxPool2DOp op) {
  return haveRisingCodes(op.getType()) &&
         llvm::all_of(op.getInput().getUses(), [](OpOperand &use) {
           auto pool = dyn_cast<MaxPool2DOp>(use.getOwner());
           return (pool ? findUsersLayout(pool) : getWantedLayout(use)) ==
                  Layout::codes;
         });
}

/// As all of its users want, so that it need not be packed anew.
static Layout findPoolLayout(MaxPool2DOp op) {
  // What comes from outside is packed anew behind the pool: there is less.
  auto cast = op.getInput().getDefiningOp<UnrealizedConversionCastOp>();
  if (cast && getLayoutOfCast(cast) == Layout::words)
    return Layout::words;
  Layout layout = findUsersLayout(op).value_or(Layout::words);
  // The second word of a pair is not that of a channel's bits.
  bool canPool =
      layout == Layout::codes ? canPoolCodes(op) : layout != Layout::pairs;
  return canPool ? layout : Layout::words;
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
