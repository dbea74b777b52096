//===- RawElements.cpp - The elements of constants ------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RawElements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

std::optional<ArrayRef<char>> bquant::getRawBytes(ElementsAttr attr) {
  if (auto dense = dyn_cast<DenseElementsAttr>(attr))
    return dense.getRawData();
  auto resource = dyn_cast<DenseResourceElementsAttr>(attr);
  // No blob: declared nowhere, or elided by the printer.
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  Type element = attr.getElementType();
  if (!blob || !element.isIntOrFloat())
    return std::nullopt;
  int64_t size = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  int64_t bytes = size;
  auto overflows = [&](int64_t dim) {
    return llvm::MulOverflow(bytes, dim, bytes);
  };
  if (llvm::any_of(attr.getShapedType().getShape(), overflows) ||
      blob->getDataAlignment() < uint64_t(size) ||
      int64_t(blob->getData().size()) != bytes)
    return std::nullopt;
  return blob->getData();
}

/// All elements, which have as many bytes as T.
template <typename T>
static std::optional<SmallVector<T>> getValues(ElementsAttr attr) {
  std::optional<ArrayRef<char>> raw = getRawBytes(attr);
  if (!raw || raw->size() % sizeof(T) != 0 ||
      attr.getNumElements() > kMostValues)
    return std::nullopt;
  ArrayRef<T> values(reinterpret_cast<const T *>(raw->data()),
                     raw->size() / sizeof(T));
  if (values.size() == 1)
    return SmallVector<T>(attr.getNumElements(), values.front());
  return SmallVector<T>(values);
}

std::optional<SmallVector<uint32_t>> bquant::getBits(ElementsAttr attr) {
  Type element = attr.getElementType();
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() != 32)
    return std::nullopt;
  return getValues<uint32_t>(attr);
}

std::optional<SmallVector<uint16_t>> bquant::getBF16Bits(ElementsAttr attr) {
  return attr.getElementType().isBF16() ? getValues<uint16_t>(attr)
                                        : std::nullopt;
}

SmallVector<float> bquant::getFloatValues(ElementsAttr attr) {
  if (!attr.getElementType().isF32())
    return {};
  return getValues<float>(attr).value_or(SmallVector<float>());
}

ElementsAttr bquant::getConstantTensor(Value tensor) {
  auto constant = tensor.getDefiningOp<arith::ConstantOp>();
  return constant ? dyn_cast<ElementsAttr>(constant.getValue())
                  : ElementsAttr();
}

std::optional<SmallVector<uint32_t>> bquant::getConstantBits(Value tensor) {
  ElementsAttr attr = getConstantTensor(tensor);
  return attr ? getBits(attr) : std::nullopt;
}
