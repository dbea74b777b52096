//===- Source.h - Modules from files and memory -----------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_COMPILER_SOURCE_H
#define BQUANT_COMPILER_SOURCE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <mutex>
#include <string>

namespace bquant {

/// Collects the diagnostics of a context while it lives, one line each:
/// `file:line:column: error: message`.
class Diagnostics {
public:
  explicit Diagnostics(mlir::MLIRContext *context);

  /// The errors, and the notes on them; empty if there were none.
  std::string takeErrors();
  std::string takeWarnings();
  /// All errors in one text: what the context said, or else `error` itself.
  std::string explain(llvm::Error error);

private:
  std::mutex mutex;
  std::string errors, warnings;
  mlir::ScopedDiagnosticHandler handler;
};

/// Data for `dense_resource<key>`, not owned.
struct Blob {
  llvm::StringRef key;
  llvm::ArrayRef<char> data;
  size_t alignment;
};

/// MLIR text or bytecode, verified; every dense resource has data of the right
/// size. Null after an error, which is reported to the context.
mlir::OwningOpRef<mlir::ModuleOp>
parseModule(std::unique_ptr<llvm::MemoryBuffer> source,
            llvm::ArrayRef<Blob> blobs, mlir::MLIRContext *context);
mlir::OwningOpRef<mlir::ModuleOp> parseModuleFile(llvm::StringRef path,
                                                  mlir::MLIRContext *context);

} // namespace bquant

#endif // BQUANT_COMPILER_SOURCE_H
