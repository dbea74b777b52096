//===- PackedDialect.cpp - Registration -----------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/Packed/IR/Packed.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"

using namespace mlir;
using namespace bquant::packed;

#include "bquant/Dialect/Packed/IR/PackedDialect.cpp.inc"

void PackedDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "bquant/Dialect/Packed/IR/PackedOps.cpp.inc"
      >();
  declarePromisedInterfaces<bufferization::BufferizableOpInterface, LayerOp,
                            YieldOp>();
}
