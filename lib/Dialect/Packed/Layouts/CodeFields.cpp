//===- CodeFields.cpp - Some bits of a filter's codes in words ------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/Packed/IR/Packed.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;

int64_t CodeFieldsLayoutAttr::getChannels() const {
  return kWordBits / getBits();
}
Type CodeFieldsLayoutAttr::getElementType() const {
  return IntegerType::get(getContext(), kWordBits);
}
bool CodeFieldsLayoutAttr::packsPlanes() const { return false; }

/// A field of `bits` 1s in each byte of a word.
static uint32_t getMask(int64_t bits) {
  return llvm::maskTrailingOnes<uint32_t>(bits) * 0x01010101u;
}

/// `words` are those of a block, of four codes each.
uint32_t CodeFieldsLayoutAttr::encode(ArrayRef<uint32_t> words,
                                      int64_t index) const {
  int64_t places = kByteBits / getBits(),
          elements = int64_t(words.size()) / places;
  uint32_t element = 0;
  for (int64_t p = 0; p < places; ++p)
    element |= (words[p * elements + index] & getMask(getBits()))
               << (p * getBits());
  return element;
}

Value CodeFieldsLayoutAttr::emitFields(OpBuilder &b, Location loc,
                                       Value element, Value first) const {
  Value fields = arith::ShRUIOp::create(b, loc, element, first);
  Value mask = arith::ConstantOp::create(
      b, loc, b.getI32IntegerAttr(int32_t(getMask(getBits()))));
  return arith::AndIOp::create(b, loc, fields, mask);
}

LogicalResult
CodeFieldsLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                             int64_t bits) {
  if (llvm::is_contained({1, 2, 4}, bits))
    return success();
  return emitError()
         << "[layout_c6] expected fields of 1, 2 or 4 bits, but got " << bits;
}
