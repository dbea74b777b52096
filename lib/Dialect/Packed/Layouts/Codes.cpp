//===- Codes.cpp - A byte for a value of all planes -----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/Packed/Layouts/Layout.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;

namespace {
/// What quantizing writes by itself, of all planes together.
struct Codes : LayoutModel {
  Codes() : LayoutModel(/*channels=*/1, /*width=*/8, /*unit=*/4) {}

  uint32_t encode(ArrayRef<uint32_t>, int64_t) const override {
    llvm_unreachable("codes are of no single plane");
  }

  SmallVector<Value> packVectors(ImplicitLocOpBuilder &, ValueRange, ValueRange,
                                 int64_t) const override {
    llvm_unreachable("codes are of no single plane");
  }

  Value packTensor(ImplicitLocOpBuilder &, Value, Value) const override {
    llvm_unreachable("codes are of no single plane");
  }
};
} // namespace

const LayoutModel &packed::getCodesLayout() {
  static const Codes layout;
  return layout;
}
