//===- BufferizableOpInterfaceImpl.cpp - bquant ops on buffers ------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/Transforms/BufferizableOpInterfaceImpl.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace bquant;

namespace {
struct SolveOpInterface
    : DstBufferizableOpInterfaceExternalModel<SolveOpInterface, SolveOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return cast<SolveOp>(op).isDpsInput(&operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto solve = cast<SolveOp>(op);
    SmallVector<Value> buffers;
    for (Value operand : solve->getOperands()) {
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      FailureOr<Value> whole =
          withoutGaps(rewriter, op->getLoc(), *buffer, options);
      if (failed(whole))
        return failure();
      buffers.push_back(*whole);
      if (*whole != *buffer && operand != solve.getInput())
        return op->emitOpError("expected outs without gaps, but got ")
               << buffer->getType();
    }
    SolveOp::create(rewriter, op->getLoc(), TypeRange(), solve.getScheme(),
                    buffers.front(), ArrayRef(buffers).drop_front());
    replaceOpWithBufferizedValues(rewriter, op, ArrayRef(buffers).drop_front());
    return success();
  }

private:
  /// The solver takes an array: a slice of one is copied.
  static FailureOr<Value> withoutGaps(RewriterBase &rewriter, Location loc,
                                      Value buffer,
                                      const BufferizationOptions &options) {
    auto type = cast<MemRefType>(buffer.getType());
    if (memref::isStaticShapeAndContiguousRowMajor(type))
      return buffer;
    FailureOr<Value> copy = options.createAlloc(
        rewriter, loc, MemRefType::get(type.getShape(), type.getElementType()),
        {});
    if (failed(copy) ||
        failed(options.createMemCpy(rewriter, loc, buffer, *copy)))
      return failure();
    return copy;
  }
};
} // namespace

void bquant::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, BQuantDialect *) {
    SolveOp::attachInterface<SolveOpInterface>(*context);
  });
}
