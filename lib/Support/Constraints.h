//===- Constraints.h - Messages of verifiers --------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_SUPPORT_CONSTRAINTS_H
#define BQUANT_LIB_SUPPORT_CONSTRAINTS_H

#include "mlir/IR/Operation.h"

namespace bquant {

/// "[constraint] expected ".
inline mlir::InFlightDiagnostic expected(mlir::Operation *op,
                                         const llvm::Twine &constraint) {
  return op->emitOpError() << "[" << constraint << "] expected ";
}

/// "[product_cN] expected ", by the operation's own name.
inline mlir::InFlightDiagnostic expected(mlir::Operation *op, int constraint) {
  return expected(op, op->getName().stripDialect() + "_c" +
                          llvm::Twine(constraint));
}

} // namespace bquant

#endif // BQUANT_LIB_SUPPORT_CONSTRAINTS_H
