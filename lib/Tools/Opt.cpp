//===- Opt.cpp - Every pass and pipeline, on text or bytecode -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Main.h"
#include "Tools.h"
#include "bquant/InitAll.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#ifndef BQUANT_STATIC_LLVM
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#endif

/// A tool for engineers, who may want any of upstream's: on the shared MLIR
/// that costs nothing. Linked in, it is what the route has.
static void registerUpstream(mlir::DialectRegistry &registry) {
#ifdef BQUANT_STATIC_LLVM
  bquant::registerUpstreamPasses();
  bquant::registerUpstreamDialects(registry);
#else
  mlir::registerAllPasses();
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
#endif
}

int bquant::optMain(int argc, char **argv) {
  startTool();
  mlir::DialectRegistry registry;
  registerUpstream(registry);
  bquant::registerAllPasses();
  bquant::registerAllDialects(registry);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "bquant optimizer\n", registry));
}
