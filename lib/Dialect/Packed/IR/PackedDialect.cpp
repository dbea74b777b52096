//===- PackedDialect.cpp - Registration -----------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/Packed/IR/Packed.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace bquant::packed;

#include "bquant/Dialect/Packed/IR/PackedDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "bquant/Dialect/Packed/IR/PackedAttrs.cpp.inc"

namespace {
/// `tensor<8x3xi32, #words>`.
struct LayoutAliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (!isLayout(attr))
      return AliasResult::NoAlias;
    // A filter's nibbles, so that #nibbles is an input's.
    if (auto nibbles = dyn_cast<NibblesLayoutAttr>(attr);
        nibbles && nibbles.getFirstBit() == 0)
      return AliasResult::NoAlias;
    os << attr.getAbstractAttribute().getName().rsplit('.').second;
    return AliasResult::FinalAlias;
  }
};

/// Of a layer as a whole, and into one.
struct Inliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void PackedDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "bquant/Dialect/Packed/IR/PackedAttrs.cpp.inc"
      >();
  promiseKernels();
  addInterfaces<Inliner, LayoutAliases>();
  addOperations<
#define GET_OP_LIST
#include "bquant/Dialect/Packed/IR/PackedOps.cpp.inc"
      >();
  declarePromisedInterfaces<bufferization::BufferizableOpInterface, LayerOp,
                            ProductOp, YieldOp>();
}
