//===- DropLayouts.cpp - Globals without layouts --------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Codegen/Passes.h"
#include "bquant/Dialect/Packed/IR/Packed.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace bquant {
#define GEN_PASS_DEF_DROPLAYOUTS
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

/// The same elements, their type without a layout; null if it has none.
static Attribute dropLayout(Attribute value) {
  auto elements = dyn_cast_if_present<ElementsAttr>(value);
  auto type = elements ? dyn_cast<RankedTensorType>(elements.getType())
                       : RankedTensorType();
  if (!type || !type.getEncoding() || !packed::isLayout(type.getEncoding()))
    return {};
  auto plain = RankedTensorType::get(type.getShape(), type.getElementType());
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return DenseResourceElementsAttr::get(plain, resource.getRawHandle());
  if (auto dense = dyn_cast<DenseElementsAttr>(value))
    return dense.reshape(plain);
  return {};
}

namespace {
struct DropLayouts : bquant::impl::DropLayoutsBase<DropLayouts> {
  void runOnOperation() override {
    getOperation()->walk([](memref::GlobalOp global) {
      if (Attribute plain = dropLayout(global.getInitialValueAttr()))
        global.setInitialValueAttr(plain);
    });
  }
};
} // namespace
