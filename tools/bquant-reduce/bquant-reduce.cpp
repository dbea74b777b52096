//===- bquant-reduce.cpp - Small programs that still show a fault ---------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReduceProgram.h"
#include "Tools/Main.h"
#include "bquant/InitAll.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Reducer/Passes.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  bquant::startTool();
  mlir::registerAllPasses();
  mlir::registerReducerPasses();
  bquant::registerAllPasses();
  bquant::registerReduceProgram();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  bquant::registerAllDialects(registry);
  // Not mlirReduceMain: where that cannot write it ends without a word.
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "bquant reducer\n", registry));
}
