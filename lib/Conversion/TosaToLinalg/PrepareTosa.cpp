//===- PrepareTosa.cpp - Constants that upstream's folders can read -------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %c = "tosa.const"() <{values = dense_resource<w> : tensor<2xf32>}>
//   %s = tosa.slice %c, ...
//
// The folder of tosa.slice asks its constant for elements, which a resource has
// none of, and ends the process (MLIR 22). All of upstream's pattern drivers
// fold: so no upstream pass can come before this one.
//
//===----------------------------------------------------------------------===//

#include "bquant/Conversion/Passes.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace bquant {
#define GEN_PASS_DEF_PREPARETOSA
#include "bquant/Conversion/Passes.h.inc"
} // namespace bquant

using namespace mlir;

/// The elements of a resource; null if it holds others than its type says.
static DenseElementsAttr getElements(DenseResourceElementsAttr resource) {
  auto type = cast<RankedTensorType>(resource.getType());
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  bool isSplat = false;
  if (!blob ||
      !DenseElementsAttr::isValidRawBuffer(type, blob->getData(), isSplat))
    return {};
  return DenseElementsAttr::getFromRawBuffer(type, blob->getData());
}

namespace {
struct PrepareTosa : bquant::impl::PrepareTosaBase<PrepareTosa> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](tosa::ConstOp op) {
      auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValues());
      if (!resource || llvm::none_of(op->getUsers(), [](Operation *user) {
            return isa<tosa::SliceOp>(user);
          }))
        return WalkResult::advance();
      DenseElementsAttr elements = getElements(resource);
      if (!elements) {
        op.emitError("expected a resource of ")
            << op.getType() << ", but got one of other bytes";
        return WalkResult::interrupt();
      }
      op.setValuesAttr(elements);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
