//===- Transpositions.h - Copies in another order ---------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_SUPPORT_TRANSPOSITIONS_H
#define BQUANT_LIB_SUPPORT_TRANSPOSITIONS_H

namespace mlir {
class Operation;
} // namespace mlir

namespace bquant {

/// Whether `op` does nothing but copy elements of whole bytes, each once, and
/// what lies side by side in one of its operands does not in the other.
/// --bquant-lower-transpositions makes blocks of registers of it.
bool isTransposition(mlir::Operation *op);

} // namespace bquant

#endif // BQUANT_LIB_SUPPORT_TRANSPOSITIONS_H
