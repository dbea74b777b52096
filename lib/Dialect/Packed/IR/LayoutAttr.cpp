//===- LayoutAttr.cpp - The layout of a packed tensor ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/Packed/IR/Packed.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace bquant::packed;

#include "bquant/Dialect/Packed/IR/PackedEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "bquant/Dialect/Packed/IR/PackedAttrs.cpp.inc"

void PackedDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "bquant/Dialect/Packed/IR/PackedAttrs.cpp.inc"
      >();
}

const LayoutModel &bquant::packed::getLayoutModel(Layout layout) {
  switch (layout) {
  case Layout::words:
    return getWordsLayout();
  case Layout::pairs:
    return getPairsLayout();
  case Layout::nibbles:
    return getNibblesLayout();
  case Layout::octets:
    return getOctetsLayout();
  case Layout::bytes:
    return getBytesLayout();
  case Layout::codes:
    return getCodesLayout();
  }
  llvm_unreachable("no layout");
}

RankedTensorType bquant::packed::getPackedType(MLIRContext *context,
                                               Layout layout,
                                               ArrayRef<int64_t> shape) {
  const LayoutModel &model = getLayoutModel(layout);
  SmallVector<int64_t> packed(shape);
  if (!ShapedType::isDynamic(packed.back()))
    packed.back() = model.countElements(packed.back());
  return RankedTensorType::get(packed, model.getElementType(context),
                               LayoutAttr::get(context, layout));
}

std::optional<Layout> bquant::packed::getLayoutOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return std::nullopt;
  auto layout = dyn_cast_if_present<LayoutAttr>(tensor.getEncoding());
  return layout ? std::optional(layout.getValue()) : std::nullopt;
}
