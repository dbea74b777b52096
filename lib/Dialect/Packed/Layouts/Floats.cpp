//===- Floats.cpp - A number a channel ------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/Packed/IR/Packed.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;

int64_t FloatsLayoutAttr::getChannels() const { return getPairs() ? 2 : 1; }
Type FloatsLayoutAttr::getElementType() const {
  if (getPairs())
    return IntegerType::get(getContext(), kWordBits);
  return Float32Type::get(getContext());
}
bool FloatsLayoutAttr::packsPlanes() const { return false; }

/// `words` have the bits of one number each.
uint32_t FloatsLayoutAttr::encode(ArrayRef<uint32_t> words,
                                  int64_t index) const {
  if (!getPairs())
    return words[index];
  return words[2 * index] | words[2 * index + 1] << 16;
}
