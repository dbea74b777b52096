//===- bquant-test-opt.cpp - bquant-opt with the kernels for tests --------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestKernels.h"
#include "Tools/Main.h"
#include "bquant/InitAll.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  bquant::startTool();
  mlir::registerAllPasses();
  bquant::registerAllPasses();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  bquant::registerAllDialects(registry);
  bquant::test::registerTestKernels(registry);
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "bquant optimizer with kernels for tests\n", registry));
}
