//===- Rematerialization.h - What may be computed again ---------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CODEGEN_REMATERIALIZATION_H
#define BQUANT_LIB_CODEGEN_REMATERIALIZATION_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace bquant {

/// Which operations of a function's body cost little and need nothing but its
/// arguments: constants, what is read of them, views of memory, and what is
/// computed of these.
class Rematerialization {
public:
  bool isCheap(mlir::Operation *op);

private:
  llvm::DenseMap<mlir::Operation *, bool> known;
};

/// Whether two operations came of one layer, by the names of their locations:
/// what has none counts as of the layer of the one before it. Lines of a file
/// say nothing: in the text of a late stage each operation has its own.
bool isSameLayer(mlir::Operation *before, mlir::Operation *op);

} // namespace bquant

#endif // BQUANT_LIB_CODEGEN_REMATERIALIZATION_H
