//===- Bytes.cpp - A byte a channel ---------------------------------------===//
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

/// 0 or 1.
int64_t BytesLayoutAttr::getChannels() const { return 1; }
Type BytesLayoutAttr::getElementType() const {
  return IntegerType::get(getContext(), 8);
}

SmallVector<Value> BytesLayoutAttr::packVectors(ImplicitLocOpBuilder &b,
                                                ValueRange bits, ValueRange,
                                                int64_t channels) const {
  auto bytes = llvm::map_to_vector(bits, [&](Value part) -> Value {
    auto type = cast<VectorType>(part.getType()).clone(b.getI8Type());
    return arith::ExtUIOp::create(b, type, part);
  });
  return cut(b, b.getLoc(), bytes, countElements(channels));
}
