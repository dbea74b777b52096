//===- TestKernels.cpp - The dialect of the kernels for tests -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestKernels.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace bquant::test;

#include "TestKernelsDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "TestKernelsAttrs.cpp.inc"

void BQuantTestDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "TestKernelsAttrs.cpp.inc"
      >();
}

void bquant::test::registerTestKernels(DialectRegistry &registry) {
  registry.insert<BQuantTestDialect>();
  registry.addExtension(+[](MLIRContext *context, BQuantTestDialect *) {
    attachParity(context);
    attachBytes(context);
    attachWhole(context);
  });
}
