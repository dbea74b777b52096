//===- Effects.h - What operations do to memory -----------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CODEGEN_LAYERS_EFFECTS_H
#define BQUANT_LIB_CODEGEN_LAYERS_EFFECTS_H

#include "mlir/IR/Operation.h"

namespace bquant {

/// Whether `op` may do anything to memory but read it: not to be done twice.
bool mayWrite(mlir::Operation *op);
/// The same of one buffer, or a view that `op` makes of it.
bool mayWrite(mlir::Operation *op, mlir::Value buffer);

} // namespace bquant

#endif // BQUANT_LIB_CODEGEN_LAYERS_EFFECTS_H
