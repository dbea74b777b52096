//===- RolledLoop.h - Loops that LLVM leaves rolled -------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_ROLLEDLOOP_H
#define BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_ROLLEDLOOP_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace bquant {

/// From 0 to `end`, carrying `values`. Unrolled, LLVM keeps more alive than
/// there are registers.
mlir::scf::ForOp createRolledLoop(mlir::OpBuilder &b, mlir::Location loc,
                                  int64_t end, int64_t step,
                                  mlir::ValueRange values);

} // namespace bquant

#endif // BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_ROLLEDLOOP_H
