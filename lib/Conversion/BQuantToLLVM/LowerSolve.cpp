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
    WalkResult result = getOperation()->walk([&](SolveOp op) {
      if (succeeded(lower(op)))
        return WalkResult::advance();
      return WalkResult::interrupt();
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
    Type i32 = b.getI32Type(), i64 = b.getI64Type(),
         ptr = LLVM::LLVMPointerType::get(b.getContext());
    FailureOr<LLVM::LLVMFuncOp> function =
        LLVM::lookupOrCreateFn(b, getOperation(), "bquant_rt_solve",
                               {i32, i32, ptr, i64, i64, ptr, ptr, ptr},
                               LLVM::LLVMVoidType::get(b.getContext()));
    if (failed(function))
      return failure();

    Value x = createPointer(b, op.getInput()), thresholds, scratch;
    Value scalars = createPointer(b, op.getInits().front());
    for (Value init : op.getInits().drop_front())
      (cast<MemRefType>(init.getType()).getElementType().isF32() ? thresholds
                                                                 : scratch) =
          createPointer(b, init);
    for (Value *absent : {&thresholds, &scratch})
      if (!*absent)
        *absent = LLVM::ZeroOp::create(b, ptr);

    auto number = [&](Type type, int64_t value) -> Value {
      return LLVM::ConstantOp::create(b, type, b.getIntegerAttr(type, value));
    };
    SchemeAttr scheme = op.getScheme();
    Value kind = number(i32, int64_t(scheme.getKind()));
    Value planes = number(i32, scheme.getTernary() ? 0 : scheme.getPlanes());
    Value groups = number(i64, input.getDimSize(0));
    Value n = number(i64, input.getDimSize(1));
    LLVM::CallOp::create(
        b, *function,
        ValueRange{kind, planes, x, groups, n, scalars, thresholds, scratch});
    op.erase();
    return success();
  }
};
} // namespace
