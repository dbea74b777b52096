//===- WorkEstimate.h - How long a loop nest takes, roughly -----*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CODEGEN_LAYERS_WORKESTIMATE_H
#define BQUANT_LIB_CODEGEN_LAYERS_WORKESTIMATE_H

#include "mlir/IR/Operation.h"

namespace bquant {

/// The time of `op` on buffers, within a factor of a few: the operations on
/// registers, as often as the loops around them run. It decides what is too
/// small for two threads, no more.
double estimateNanoseconds(mlir::Operation *op);

} // namespace bquant

#endif // BQUANT_LIB_CODEGEN_LAYERS_WORKESTIMATE_H
