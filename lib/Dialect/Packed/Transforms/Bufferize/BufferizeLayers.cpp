//===- BufferizeLayers.cpp - Tensors to buffers, layer by layer -----------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's one-shot bufferization of a module compares each operation with
// each that touches the same buffer. Here the module's has layers as single
// ops, and each body has one of its own.
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/Packed/IR/Packed.h"
#include "bquant/Dialect/Packed/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferUtils.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace bquant {
#define GEN_PASS_DEF_BUFFERIZELAYERS
#include "bquant/Dialect/Packed/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace mlir::bufferization;
using namespace bquant;

namespace {
struct BufferizeLayers : bquant::impl::BufferizeLayersBase<BufferizeLayers> {
  void runOnOperation() override {
    OneShotBufferizationOptions options;
    options.bufferizeFunctionBoundaries = true;
    options.setFunctionBoundaryTypeConversion(
        LayoutMapOption::IdentityLayoutMap);
    options.opFilter.denyOperation([](Operation *op) {
      return op->getParentOfType<packed::LayerOp>() != nullptr;
    });
    createGlobals(options.bufferAlignment);
    // As upstream's pass has it.
    OneShotBufferizationOptions elimination = options;
    elimination.allowReturnAllocsFromLoops = true;
    OneShotAnalysisState analysis(getOperation(), elimination);
    IRRewriter rewriter(&getContext());
    BufferizationState state;
    if (failed(analyzeModuleOp(getOperation(), analysis)) ||
        failed(eliminateEmptyTensors(rewriter, getOperation(), analysis)) ||
        failed(runOneShotModuleBufferize(getOperation(), options, state)))
      signalPassFailure();
  }

private:
  /// Makes the globals of constants in the order of the program: upstream goes
  /// through the functions by the addresses that they have in memory.
  void createGlobals(uint64_t alignment) {
    SymbolTableCollection symbols;
    getOperation().walk([&](arith::ConstantOp constant) {
      if (isa<TensorType>(constant.getType()) &&
          !constant->getParentOfType<packed::LayerOp>())
        // Where it fails, bufferization says why.
        (void)getGlobalFor(constant, symbols, alignment);
    });
  }
};
} // namespace
