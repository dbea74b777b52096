//===- Nibbles.cpp - Four channels in a byte ------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowPieces.h"
#include "bquant/Dialect/Packed/IR/Packed.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;

int64_t NibblesLayoutAttr::getChannels() const { return 4; }
Type NibblesLayoutAttr::getElementType() const {
  return IntegerType::get(getContext(), 8);
}

/// Side by side: as bytes 4, 8, 16 and 32 of one i32 (of first bit 2), then in
/// one byte. No
/// words are on the way, which have to leave the vectors and come back.
SmallVector<Value> NibblesLayoutAttr::packVectors(ImplicitLocOpBuilder &b,
                                                  ValueRange bits, ValueRange,
                                                  int64_t channels) const {
  constexpr int64_t each = 4;
  SmallVector<Value> nibbles;
  for (auto [offset, width] : getPieces(countElements(channels))) {
    auto bytes = VectorType::get(width * each, b.getI8Type()),
         fields = VectorType::get(width, b.getI32Type());
    SmallVector<int8_t> places;
    for (int64_t i = 0; i < width * each; ++i)
      places.push_back(1 << (getFirstBit() + i % each));
    Value masks = arith::ExtSIOp::create(
        b, bytes, slice(b, b.getLoc(), bits, {offset * each, width * each}));
    masks = arith::AndIOp::create(
        b, masks,
        arith::ConstantOp::create(
            b, DenseElementsAttr::get(bytes, ArrayRef<int8_t>(places))));
    Value field = vector::BitCastOp::create(b, fields, masks);
    for (int32_t by : {16, 8}) {
      Value shift =
          arith::ConstantOp::create(b, DenseElementsAttr::get(fields, by));
      field = arith::OrIOp::create(b, field,
                                   arith::ShRUIOp::create(b, field, shift));
    }
    nibbles.push_back(arith::TruncIOp::create(
        b, VectorType::get(width, b.getI8Type()), field));
  }
  return nibbles;
}

LogicalResult
NibblesLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                          int64_t firstBit) {
  if (firstBit >= 0 && firstBit <= 4)
    return success();
  return emitError() << "[layout_c1] expected a first bit from 0 to 4, but got "
                     << firstBit;
}
