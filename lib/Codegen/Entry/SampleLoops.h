//===- SampleLoops.h - Calls for the samples of a batch ---------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CODEGEN_ENTRY_SAMPLELOOPS_H
#define BQUANT_LIB_CODEGEN_ENTRY_SAMPLELOOPS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace bquant {

/// What `emit` gives where two i64 differ, else `value`.
mlir::Value emitIfDifferent(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value a, mlir::Value b, mlir::Value value,
                            llvm::function_ref<mlir::Value()> emit);

/// Calls `callee` for each index from `first` to before `end`, of which there
/// is one at least, with the arguments moved by so many times their `bytes`,
/// and goes on behind the loop:
///   loop(i):  callee(a + i * bytes, ...); if (i + 1 != end) loop(i + 1)
void callForEach(mlir::OpBuilder &builder, mlir::LLVM::LLVMFuncOp callee,
                 mlir::Value first, mlir::Value end,
                 llvm::ArrayRef<mlir::Value> arguments,
                 llvm::ArrayRef<std::optional<int64_t>> bytes);

/// An array of pointers in the frame of the function.
mlir::Value storePointers(mlir::OpBuilder &builder, mlir::Location loc,
                          llvm::ArrayRef<mlir::Value> pointers);

} // namespace bquant

#endif // BQUANT_LIB_CODEGEN_ENTRY_SAMPLELOOPS_H
