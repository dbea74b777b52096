//===- RolledLoop.cpp - Loops that LLVM leaves rolled ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RolledLoop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

scf::ForOp bquant::createRolledLoop(OpBuilder &b, Location loc, int64_t end,
                                    int64_t step, ValueRange values) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  auto loop = scf::ForOp::create(b, loc, constant(0), constant(end),
                                 constant(step), values);
  MLIRContext *context = b.getContext();
  auto unroll = LLVM::LoopUnrollAttr::get(
      context, /*disable=*/b.getBoolAttr(true), {}, {}, {}, {}, {}, {});
  loop->setAttr("llvm.loop_annotation",
                LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {},
                                              {}, {}, {}, {}, {}, {}, {}, {},
                                              {}, {}));
  return loop;
}
