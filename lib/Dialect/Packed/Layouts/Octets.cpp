//===- Octets.cpp - Eight channels in a byte ------------------------------===//
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

/// Channel c is bit c mod 8 of byte c div 8.
int64_t OctetsLayoutAttr::getChannels() const { return 8; }
Type OctetsLayoutAttr::getElementType() const {
  return IntegerType::get(getContext(), 8);
}

SmallVector<Value> OctetsLayoutAttr::packVectors(ImplicitLocOpBuilder &b,
                                                 ValueRange bits, ValueRange,
                                                 int64_t channels) const {
  constexpr int64_t each = 8;
  SmallVector<Value> octets;
  for (auto [offset, width] : getPieces(countElements(channels)))
    octets.push_back(vector::BitCastOp::create(
        b, VectorType::get(width, b.getI8Type()),
        slice(b, b.getLoc(), bits, {offset * each, width * each})));
  return octets;
}
