//===- EntryPoint.h - The function that a host calls ------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CODEGEN_ENTRY_ENTRYPOINT_H
#define BQUANT_LIB_CODEGEN_ENTRY_ENTRYPOINT_H

#include "ThreadedNetwork.h"

namespace bquant {

/// A function with the code of an entry point.
struct EntryCode {
  mlir::LLVM::LLVMFuncOp function;
  /// From one call to the next: of a sample, or of a block of samples.
  EntryArrays arrays;
  /// The arena of one thread, and where in it the slice is, if it has one.
  int64_t bytes;
  std::optional<int64_t> slice;
  /// Null where all calls run on one thread.
  mlir::LLVM::GlobalOp network = nullptr;
};

/// What an entry point is made of.
struct Entry {
  EntryCode code;
  /// On a block of so many samples, if there is one.
  std::optional<EntryCode> block;
  int64_t blockSamples = 1;
  mlir::LLVM::LLVMFuncOp supported = nullptr, arenaBytes = nullptr;
  mlir::LLVM::GlobalOp pool = nullptr;

  int64_t getBytes() const {
    return block ? std::max(code.bytes, block->bytes) : code.bytes;
  }
};

/// A function without a body that hosts call.
mlir::LLVM::LLVMFuncOp addFunction(mlir::OpBuilder &builder,
                                   mlir::SymbolTable &symbols,
                                   mlir::Location loc, const llvm::Twine &name,
                                   mlir::Type result,
                                   mlir::ArrayRef<mlir::Type> arguments);

/// A function of the runtime (bquant/Runtime/Runtime.h), declared once.
mlir::LLVM::LLVMFuncOp getRuntime(mlir::SymbolTable &symbols,
                                  mlir::Location loc, llvm::StringRef name,
                                  mlir::Type result,
                                  mlir::ArrayRef<mlir::Type> arguments);

/// The function `name` that checks its arguments and calls what `entry` names.
/// It returns a code of the runtime. With a batch it takes its size: of none
/// there is nothing to do.
void addEntryPoint(mlir::OpBuilder &builder, mlir::SymbolTable &symbols,
                   llvm::StringRef name, const Entry &entry);

} // namespace bquant

#endif // BQUANT_LIB_CODEGEN_ENTRY_ENTRYPOINT_H
