//===- TestKernels.h - Kernels to test the interface ------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// None of the tools that are installed knows these. They run on any machine,
// slowly: each is there for what it asks of the interface.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TEST_LIB_KERNELS_TESTKERNELS_H
#define BQUANT_TEST_LIB_KERNELS_TESTKERNELS_H

#include "bquant/Dialect/BQuant/IR/BQuant.h"

#include "TestKernelsDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "TestKernelsAttrs.h.inc"

namespace bquant::test {

/// The dialect, and what its kernels do.
void registerTestKernels(mlir::DialectRegistry &registry);

void attachParity(mlir::MLIRContext *context);
void attachBytes(mlir::MLIRContext *context);
void attachWhole(mlir::MLIRContext *context);

} // namespace bquant::test

#endif // BQUANT_TEST_LIB_KERNELS_TESTKERNELS_H
