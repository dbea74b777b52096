//===- InitAll.cpp --------------------------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/InitAll.h"
#include "bquant/Codegen/Passes.h"
#include "bquant/Conversion/Passes.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/BQuant/Transforms/BufferizableOpInterfaceImpl.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "bquant/Dialect/Packed/IR/Packed.h"
#include "bquant/Dialect/Packed/Kernels/Kernels.h"
#include "bquant/Dialect/Packed/Transforms/BufferizableOpInterfaceImpl.h"
#include "bquant/Dialect/Packed/Transforms/Passes.h"
#include "bquant/Pipelines/Pipelines.h"

void bquant::registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<BQuantDialect, packed::PackedDialect>();
  registerKernelModels(registry);
  registerBufferizableOpInterfaceExternalModels(registry);
  packed::registerBufferizableOpInterfaceExternalModels(registry);
}

void bquant::registerAllPasses() {
  registerBQuantTransformsPasses();
  registerBQuantPackedTransformsPasses();
  registerBQuantConversionPasses();
  registerBQuantCodegenPasses();
  registerBQuantPipelines();
}
