//===- BufferizeLayerBody.cpp - Tensors of a layer to buffers -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/Packed/IR/Packed.h"
#include "bquant/Dialect/Packed/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace bquant {
#define GEN_PASS_DEF_BUFFERIZELAYERBODY
#include "bquant/Dialect/Packed/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace mlir::bufferization;
using namespace bquant;

namespace {
struct BufferizeLayerBody
    : bquant::impl::BufferizeLayerBodyBase<BufferizeLayerBody> {
  void runOnOperation() override {
    // It would become a global of the module, which other layers share.
    WalkResult result = getOperation().walk([](Operation *op) {
      if (!op->hasTrait<OpTrait::ConstantLike>() ||
          !isa<TensorType>(op->getResult(0).getType()))
        return WalkResult::advance();
      op->emitOpError("expected no constant tensor in a layer "
                      "(--bquant-hoist-constants)");
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    OneShotBufferizationOptions options;
    BufferizationState state;
    // Elimination analyses all of the body, as bufferization does again.
    bool hasEmptyTensor =
        getOperation()
            .walk([](tensor::EmptyOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    if ((hasEmptyTensor &&
         failed(eliminateEmptyTensors(rewriter, getOperation()))) ||
        failed(runOneShotBufferize(getOperation(), options, state)))
      signalPassFailure();
  }
};
} // namespace
