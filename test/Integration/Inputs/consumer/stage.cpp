//===- stage.cpp - A compiler that takes stages alone ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Pipelines/Pipelines.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"

/// Prints the passes of both routes.
int main() {
  mlir::MLIRContext context;
  for (llvm::ArrayRef<bquant::Stage> stages :
       {bquant::getStages(), bquant::getReferenceStages()}) {
    mlir::PassManager pm(&context);
    bquant::buildRoute(pm, stages, bquant::RouteOptions());
    pm.printAsTextualPipeline(llvm::outs());
    llvm::outs() << "\n";
  }
}
