//===- FoursLayout.cpp - Bytes in whole fours -----------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Packed/Layouts/RowPieces.h"
#include "TestKernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;
using namespace bquant::test;

/// 0 or 1, four of them for a dot product of bytes.
int64_t FoursLayoutAttr::getChannels() const { return 1; }
Type FoursLayoutAttr::getElementType() const {
  return IntegerType::get(getContext(), 8);
}
int64_t FoursLayoutAttr::getUnit() const { return 4; }

SmallVector<Value> FoursLayoutAttr::packVectors(ImplicitLocOpBuilder &b,
                                                ValueRange bits, ValueRange,
                                                int64_t channels) const {
  auto bytes = llvm::map_to_vector(bits, [&](Value part) -> Value {
    auto type = cast<VectorType>(part.getType()).clone(b.getI8Type());
    return arith::ExtUIOp::create(b, type, part);
  });
  return cut(b, b.getLoc(), bytes, countElements(channels));
}

int64_t SignsLayoutAttr::getChannels() const { return 1; }
Type SignsLayoutAttr::getElementType() const {
  return IntegerType::get(getContext(), 8);
}
int64_t SignsLayoutAttr::getUnit() const { return 4; }
bool SignsLayoutAttr::packsPlanes() const { return false; }

uint32_t SignsLayoutAttr::encode(ArrayRef<uint32_t> words,
                                 int64_t index) const {
  return 1 - 2 * encodeBits(*this, words, index);
}
