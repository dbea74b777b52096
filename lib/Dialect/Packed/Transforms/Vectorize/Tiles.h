//===- Tiles.h - What becomes vector code -----------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_TILES_H
#define BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_TILES_H

namespace mlir {
class Operation;
} // namespace mlir

namespace bquant {

/// Whether `op` works on tensors of the size of a tile, which vectors may hold.
/// A transposition does not: it is --bquant-lower-transpositions'.
bool isTile(mlir::Operation *op);

} // namespace bquant

#endif // BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_TILES_H
