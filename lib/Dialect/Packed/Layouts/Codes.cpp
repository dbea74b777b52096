//===- Codes.cpp - A byte for a value of all planes -----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/Packed/IR/Packed.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;

/// What quantizing writes by itself, of all planes together.
int64_t CodesLayoutAttr::getChannels() const { return 1; }
Type CodesLayoutAttr::getElementType() const {
  return IntegerType::get(getContext(), 8);
}
int64_t CodesLayoutAttr::getUnit() const { return 4; }
bool CodesLayoutAttr::packsPlanes() const { return false; }
