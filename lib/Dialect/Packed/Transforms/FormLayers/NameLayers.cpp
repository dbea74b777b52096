//===- NameLayers.cpp - The names that people know layers by --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/Packed/IR/Packed.h"
#include "bquant/Dialect/Packed/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace bquant {
#define GEN_PASS_DEF_NAMELAYERS
#include "bquant/Dialect/Packed/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

namespace {
struct NameLayers : bquant::impl::NameLayersBase<NameLayers> {
  void runOnOperation() override {
    getOperation().walk([](packed::LayerOp layer) {
      if (auto name = layer.getLoc()->findInstanceOf<NameLoc>())
        layer.setNameAttr(name.getName());
      else
        layer.setName("layer");
    });
  }
};
} // namespace
