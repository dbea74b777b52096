//===- LowerSolve.cpp - solve to calls of the run-time library ------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers become pointers here, since the library's function takes arrays of
// any size.
//
//===----------------------------------------------------------------------===//

#include "bquant/Conversion/Passes.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace bquant {
#define GEN_PASS_DEF_LOWERSOLVE
#include "bquant/Conversion/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

/// Where the elements of `buffer` start.
static Value createPointer(ImplicitLocOpBuilder &b, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  auto parts = memref::ExtractStridedMetadataOp::create(b, buffer);
  Value start =
      memref::ExtractAlignedPointerAsIndexOp::create(b, parts.getBaseBuffer());
  Value bytes =
      arith::ConstantIndexOp::create(b, type.getElementTypeBitWidth() / 8);
  Value offset = arith::MulIOp::create(b, parts.getOffset(), bytes);
  Value address = arith::IndexCastOp::create(
      b, b.getI64Type(), arith::AddIOp::create(b, start, offset));
  return LLVM::IntToPtrOp::create(b, LLVM::LLVMPointerType::get(b.getContext()),
                                  address);
}

namespace {
struct LowerSolve : bquant::impl::LowerSolveBase<LowerSolve> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([&](Operation *op) {
      LogicalResult lowered = success();
      if (auto solve = dyn_cast<SolveOp>(op))
        lowered = lower(solve);
      else if (auto step = dyn_cast<SolveStepOp>(op))
        lowered = lower(step);
      return failed(lowered) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

  LogicalResult lower(SolveOp op) {
    auto input = dyn_cast<MemRefType>(op.getInput().getType());
    if (!input)
      return op.emitOpError("expected memrefs, but got ")
             << op.getInput().getType();
    ImplicitLocOpBuilder b(op.getLoc(), op);
    Value x = createPointer(b, op.getInput()), thresholds, scratch;
    Value scalars = createPointer(b, op.getInits().front());
    for (Value init : op.getInits().drop_front())
      (cast<MemRefType>(init.getType()).getElementType().isF32() ? thresholds
                                                                 : scratch) =
          createPointer(b, init);
    for (Value *absent : {&thresholds, &scratch})
      if (!*absent)
        *absent =
            LLVM::ZeroOp::create(b, LLVM::LLVMPointerType::get(b.getContext()));
    SchemeAttr scheme = op.getScheme();
    return call(op, b, "bquant_rt_solve",
                {createNumber(b, 32, int64_t(scheme.getKind())),
                 createNumber(b, 32, getPlanes(scheme)), x,
                 createNumber(b, 64, input.getDimSize(0)),
                 createNumber(b, 64, input.getDimSize(1)), scalars, thresholds,
                 scratch});
  }

  LogicalResult lower(SolveStepOp op) {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    Value part = op.getPart() ? arith::IndexCastOp::create(b, b.getI64Type(),
                                                           op.getPart())
                                    .getResult()
                              : createNumber(b, 64, 0);
    int64_t n = cast<MemRefType>(op.getInput().getType()).getDimSize(1);
    return call(op, b, "bquant_rt_solve_step",
                {createNumber(b, 32, int64_t(op.getStep())),
                 createNumber(b, 32, getPlanes(op.getScheme())),
                 createPointer(b, op.getInput()), createNumber(b, 64, n), part,
                 createPointer(b, op.getScalars()),
                 createPointer(b, op.getScratch())});
  }

  /// Calls a function of the runtime in place of `op`.
  LogicalResult call(Operation *op, ImplicitLocOpBuilder &b, StringRef name,
                     ArrayRef<Value> arguments) {
    FailureOr<LLVM::LLVMFuncOp> function = LLVM::lookupOrCreateFn(
        b, getOperation(), name,
        llvm::to_vector(ValueRange(arguments).getTypes()),
        LLVM::LLVMVoidType::get(b.getContext()));
    if (failed(function))
      return failure();
    LLVM::CallOp::create(b, *function, arguments);
    op->erase();
    return success();
  }

  /// As the runtime counts them.
  static int64_t getPlanes(SchemeAttr scheme) {
    return scheme.getTernary() ? 0 : scheme.getPlanes();
  }

  static Value createNumber(ImplicitLocOpBuilder &b, unsigned width,
                            int64_t value) {
    return LLVM::ConstantOp::create(
        b, b.getIntegerType(width),
        b.getIntegerAttr(b.getIntegerType(width), value));
  }
};
} // namespace
