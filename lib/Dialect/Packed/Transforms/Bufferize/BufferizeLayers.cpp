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
#include "mlir/Dialect/SCF/IR/SCF.h"

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
        failed(eliminateEmptyTensors(rewriter, getOperation(), analysis)))
      return signalPassFailure();
    getOperation().walk([&](Operation *op) {
      if (op->getParentOfType<packed::LayerOp>())
        return;
      yieldInPlace(op, analysis);
      copyParts(op, options);
    });
    if (failed(runOneShotModuleBufferize(getOperation(), options, state)))
      signalPassFailure();
  }

private:
  /// Upstream takes loops alone that yield what they carry where it lies.
  /// Others copy it there at the end of a step.
  static void yieldInPlace(Operation *op,
                           const OneShotAnalysisState &analysis) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      copy(*loop.getYieldedValuesMutable(), loop.getRegionIterArgs(), analysis);
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      copy(loop.getConditionOp().getArgsMutable(), loop.getBeforeArguments(),
           analysis);
      copy(*loop.getYieldedValuesMutable(), loop.getAfterArguments(), analysis);
    }
  }

  /// Each operand to its place, unless it lies there.
  static void copy(MutableArrayRef<OpOperand> operands, ValueRange places,
                   const OneShotAnalysisState &analysis) {
    SmallVector<std::pair<OpOperand *, Value>> copied;
    for (auto [operand, place] : llvm::zip(operands, places))
      if (isa<TensorType>(place.getType()) &&
          operand.get().getType() == place.getType() &&
          !analysis.areEquivalentBufferizedValues(operand.get(), place))
        copied.emplace_back(&operand, place);
    if (copied.empty())
      return;
    Operation *end = copied.front().first->getOwner();
    OpBuilder b(end);
    // One may lie where another one goes.
    if (copied.size() > 1)
      for (auto [operand, place] : copied)
        operand->set(AllocTensorOp::create(
            b, end->getLoc(), cast<RankedTensorType>(place.getType()),
            /*dynamicSizes=*/ValueRange(), /*copy=*/operand->get()));
    for (auto [operand, place] : copied)
      operand->set(MaterializeInDestinationOp::create(b, end->getLoc(),
                                                      operand->get(), place)
                       .getResult());
  }

  /// One of several buffers is handed on, also to functions, as one that has no
  /// strides.
  static void copyParts(Operation *op,
                        const OneShotBufferizationOptions &options) {
    if (auto select = dyn_cast<arith::SelectOp>(op)) {
      copyParts(op, select.getTrueValueMutable(), options);
      copyParts(op, select.getFalseValueMutable(), options);
    } else if (isa<scf::IfOp, scf::IndexSwitchOp>(op)) {
      for (Region &region : op->getRegions())
        if (!region.empty()) {
          Operation *yield = region.front().getTerminator();
          for (OpOperand &operand : yield->getOpOperands())
            copyParts(yield, operand, options);
        }
    }
  }

  static void copyParts(Operation *op, OpOperand &operand,
                        const OneShotBufferizationOptions &options) {
    auto tensor = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!tensor)
      return;
    BufferizationState state;
    FailureOr<BufferLikeType> type =
        bufferization::getBufferType(operand.get(), options, state);
    auto buffer = succeeded(type) ? dyn_cast<MemRefType>(*type) : MemRefType();
    if (!buffer || buffer.getLayout().isIdentity())
      return;
    OpBuilder b(op);
    operand.set(AllocTensorOp::create(b, op->getLoc(), tensor,
                                      /*dynamicSizes=*/ValueRange(),
                                      /*copy=*/operand.get()));
  }

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
