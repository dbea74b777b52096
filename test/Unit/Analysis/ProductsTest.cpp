//===- ProductsTest.cpp - Kernels that nothing implements -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/Products.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace bquant;

// The dialect alone promises kernels, registerAllDialects keeps the promise.
TEST(ProductsTest, KernelWithoutImplementation) {
  MLIRContext context;
  context.loadDialect<BQuantDialect, arith::ArithDialect, func::FuncDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      R"(
func.func @f(%x: tensor<2x8xf32>, %v: tensor<1xf32>) -> tensor<2x64xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>)
      : tensor<2x8xf32> -> !bquant.tensor<2x8, 1>
  %w = bquant.constant words(dense<3> : tensor<1x64x1xi32>)
      scalars(dense<1.0> : tensor<1xf32>) : !bquant.tensor<64x8, 1>
  %p = bquant.matmul %q, %w
      kernel(#bquant_packed.scalar<rows = 4, channels = 32, bits = 64>)
      : (!bquant.tensor<2x8, 1>, !bquant.tensor<64x8, 1>) -> tensor<2x64xi32>
  return %p : tensor<2x64xi32>
})",
      &context);
  ASSERT_TRUE(module);
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  EXPECT_TRUE(failed(verifyKernels(*module)));
  EXPECT_EQ(
      message,
      "'bquant.matmul' op [kernel_c3] expected a kernel that is "
      "implemented (registerAllDialects does it for those of bquant), "
      "but got #bquant_packed.scalar<rows = 4, channels = 32, bits = 64>");
}
