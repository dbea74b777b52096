//===- compiler.cpp -------------------------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Reads MLIR with bquant operations, takes the route down to words, as
// docs/embedding.md has it, goes on to buffers, prints.
#include "bquant/Codegen/Passes.h"
#include "bquant/Conversion/Passes.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "bquant/Dialect/Packed/Transforms/Passes.h"
#include "bquant/InitAll.h"
#include "bquant/Pipelines/Pipelines.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

int main(int argc, char **argv) {
  if (argc != 2)
    return 1;
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  bquant::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  if (!module)
    return 1;
  mlir::PassManager manager(&context);
  bquant::RouteOptions options;
  bquant::buildRaisePipeline(manager, options);
  bquant::buildSolvePipeline(manager, options);
  bquant::buildFoldPipeline(manager, options);
  bquant::buildSelectPipeline(manager, options);
  bquant::buildPackPipeline(manager, options);
  manager.addPass(bquant::createInlineLayers());
  manager.addPass(bquant::createDecomposePacked());
  manager.addPass(bquant::createLowerPack());
  mlir::bufferization::OneShotBufferizePassOptions buffers;
  buffers.bufferizeFunctionBoundaries = true;
  manager.addPass(mlir::bufferization::createOneShotBufferizePass(buffers));
  manager.addPass(bquant::createDropLayouts());
  if (mlir::failed(manager.run(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}
