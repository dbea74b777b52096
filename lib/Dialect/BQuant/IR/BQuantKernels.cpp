//===- BQuantKernels.cpp - Kernel attributes and layouts ------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

#include "bquant/Dialect/BQuant/IR/BQuantKernelInterface.cpp.inc"

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

int64_t bquant::getElementBits(Layout layout) {
  return layout == Layout::words ? kWordBits : 4;
}

Type bquant::getElementType(MLIRContext *context, Layout layout) {
  return IntegerType::get(context, layout == Layout::words ? 32 : 8);
}

RankedTensorType bquant::getPackedType(MLIRContext *context, Layout layout,
                                       ArrayRef<int64_t> shape) {
  SmallVector<int64_t> packed(shape);
  if (!ShapedType::isDynamic(packed.back()))
    packed.back() = llvm::divideCeil(packed.back(), getElementBits(layout));
  return RankedTensorType::get(packed, getElementType(context, layout));
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Constraints 1 and 2 of all kernels.
static LogicalResult verifyTile(function_ref<InFlightDiagnostic()> emitError,
                                int64_t rows, int64_t channels, int64_t bits,
                                ArrayRef<int64_t> allowed) {
  if (rows < 1 || channels < 1)
    return emitError() << "[kernel_c1] expected rows and channels above 0, but "
                          "got "
                       << rows << " by " << channels;
  if (llvm::is_contained(allowed, bits))
    return success();
  return emitError() << "[kernel_c2] expected registers of one of [" << allowed
                     << "] bits, but got " << bits;
}

LogicalResult PopcountAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   int64_t rows, int64_t channels,
                                   int64_t bits) {
  return verifyTile(emitError, rows, channels, bits, {128, 256, 512});
}

LogicalResult TableAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                int64_t rows, int64_t channels, int64_t bits) {
  return verifyTile(emitError, rows, channels, bits, {128, 256, 512});
}

LogicalResult ScalarAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 int64_t rows, int64_t channels, int64_t bits) {
  return verifyTile(emitError, rows, channels, bits, {64});
}

LogicalResult
DepthwiseAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                      int64_t rows, int64_t channels, int64_t bits) {
  return verifyTile(emitError, rows, channels, bits, {128, 256, 512});
}

void BQuantDialect::promiseKernels() {
  declarePromisedInterfaces<KernelAttrInterface, PopcountAttr, TableAttr,
                            ScalarAttr, DepthwiseAttr>();
}
