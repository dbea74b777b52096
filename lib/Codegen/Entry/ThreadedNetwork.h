//===- ThreadedNetwork.h - What the runtime's threads run -------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CODEGEN_ENTRY_THREADEDNETWORK_H
#define BQUANT_LIB_CODEGEN_ENTRY_THREADEDNETWORK_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

namespace bquant {

/// The arrays of a function as its callers pass them: pointers in two arrays,
/// of inputs and of outputs.
struct EntryArrays {
  size_t numInputs;
  /// From one sample to the next, in bytes, inputs first; none for an array
  /// that all samples share.
  mlir::SmallVector<std::optional<int64_t>> sampleBytes;

  bool haveBatch() const;
};

/// `pointer` moved on by `sample` times `bytes`, if these are any.
mlir::Value moveToSample(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value pointer, mlir::Value sample,
                         std::optional<int64_t> bytes);

/// A constant `BQuantRtNetwork` of the runtime for a function with the
/// attribute `bquant.groups`, and what it points to. A thread claims at least
/// `claimNanoseconds` of work at a time.
mlir::LLVM::GlobalOp addNetwork(mlir::SymbolTable &symbols,
                                mlir::LLVM::LLVMFuncOp function,
                                llvm::StringRef name, const EntryArrays &arrays,
                                int64_t maxThreads, int64_t claimNanoseconds);

/// A `BQuantRtPool`, which `setParallel`, a function without a body, sets.
mlir::LLVM::GlobalOp addPool(mlir::SymbolTable &symbols,
                             mlir::LLVM::LLVMFuncOp setParallel,
                             llvm::StringRef name);

} // namespace bquant

#endif // BQUANT_LIB_CODEGEN_ENTRY_THREADEDNETWORK_H
