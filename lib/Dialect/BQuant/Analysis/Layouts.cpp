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
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace bquant;

LayoutAttrInterface bquant::getLayoutOutside(TypeRange types) {
  LayoutAttrInterface layout = getLayoutOf(types.front());
  return layout ? layout : WordsLayoutAttr::get(types.front().getContext());
}

/// Of a cast to or from a value.
static LayoutAttrInterface getLayoutOfCast(UnrealizedConversionCastOp cast) {
  bool toValue = isa<SBTensorType>(cast.getResultTypes().front());
  return getLayoutOutside(toValue ? TypeRange(cast.getOperandTypes())
                                  : TypeRange(cast.getResultTypes()));
}

/// What all users of a pool want, if that is one layout, else null.
static LayoutAttrInterface findUsersLayout(MaxPool2DOp op) {
  LayoutAttrInterface layout;
  for (OpOperand &use : op.getResult().getUses()) {
    LayoutAttrInterface wanted = getWantedLayout(use);
    if (layout && wanted != layout)
      return {};
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
           return isa_and_present<CodesLayoutAttr>(pool ? findUsersLayout(pool)
                                                        : getWantedLayout(use));
         });
}

/// As all of its users want, so that it need not be packed anew.
static LayoutAttrInterface findPoolLayout(MaxPool2DOp op) {
  // What comes from outside is packed anew behind the pool: there is less.
  auto cast = op.getInput().getDefiningOp<UnrealizedConversionCastOp>();
  LayoutAttrInterface words = WordsLayoutAttr::get(op.getContext());
  if (cast && getLayoutOfCast(cast) == words)
    return words;
  LayoutAttrInterface layout = findUsersLayout(op);
  bool canPool = layout && (isa<CodesLayoutAttr>(layout) ? canPoolCodes(op)
                                                         : layout.isBitwise());
  return canPool ? layout : words;
}

LayoutAttrInterface bquant::getWantedLayout(OpOperand &use) {
  if (auto pool = dyn_cast<MaxPool2DOp>(use.getOwner()))
    return findPoolLayout(pool);
  if (auto cast = dyn_cast<UnrealizedConversionCastOp>(use.getOwner()))
    return getLayoutOfCast(cast);
  KernelAttrInterface kernel = getKernel(use.getOwner());
  MLIRContext *context = use.getOwner()->getContext();
  // A filter is laid out by its kernel from words.
  return kernel && use.getOperandNumber() == 0 ? kernel.getLayout()
                                               : WordsLayoutAttr::get(context);
}

/// Words first, then what has each plane by itself, then codes; in the order of
/// their names, as uses have none.
static void sortLayouts(SmallVectorImpl<LayoutAttrInterface> &layouts) {
  auto getKey = [](LayoutAttrInterface layout) {
    bool isWords = isa<WordsLayoutAttr>(layout);
    return std::tuple(!isWords, !layout.packsPlanes(), layout.getName());
  };
  llvm::sort(layouts, [&](LayoutAttrInterface a, LayoutAttrInterface b) {
    return getKey(a) < getKey(b);
  });
}

LayoutAnalysis::LayoutAnalysis(Operation *root) {
  // Without the dialect there is no value to ask about.
  if (root->getContext()->getLoadedDialect<packed::PackedDialect>())
    byDefault.push_back(WordsLayoutAttr::get(root->getContext()));
  root->walk([&](Operation *op) {
    auto cast = dyn_cast<UnrealizedConversionCastOp>(op);
    if (auto pool = dyn_cast<MaxPool2DOp>(op))
      pools[op] = findPoolLayout(pool);
    for (OpResult result : op->getResults()) {
      if (!isa<SBTensorType>(result.getType()))
        continue;
      llvm::SetVector<LayoutAttrInterface> found;
      if (cast)
        found.insert(getLayoutOfCast(cast));
      else
        for (OpOperand &use : result.getUses())
          found.insert(getWantedLayout(use));
      Layouts &wanted = layouts[result];
      wanted.append(found.begin(), found.end());
      sortLayouts(wanted);
      for (OpOperand &use : result.getUses())
        layoutsOfUses[&use] = wanted;
    }
  });
}

ArrayRef<LayoutAttrInterface> LayoutAnalysis::getLayouts(Value value) const {
  auto it = layouts.find(value);
  if (it == layouts.end() || it->second.empty())
    return byDefault;
  return it->second;
}

ArrayRef<LayoutAttrInterface> LayoutAnalysis::getLayouts(OpOperand &use) const {
  auto it = layoutsOfUses.find(&use);
  return it == layoutsOfUses.end() ? ArrayRef(byDefault) : it->second;
}
