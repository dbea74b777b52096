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

/// Whether two operations came of one layer, by their locations: of what has
/// none it is not known, and it counts as of the one before it.
bool isSameLayer(mlir::Operation *before, mlir::Operation *op);

} // namespace bquant

#endif // BQUANT_LIB_CODEGEN_REMATERIALIZATION_H
