//===- TileRange.h - Layers that do a range of their tiles ------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CODEGEN_LAYERS_TILERANGE_H
#define BQUANT_LIB_CODEGEN_LAYERS_TILERANGE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace bquant {

/// Tiles from `first` up to `last`, which is not one of them.
struct TileRange {
  mlir::Value first, last;
};

/// What of `range` is of the `count` tiles after the first `base`, counted
/// from the first of these.
TileRange clamp(mlir::ImplicitLocOpBuilder &b, TileRange range, int64_t base,
                int64_t count);

/// An operation with what is done if `range` is not empty.
mlir::scf::IfOp createIfAny(mlir::ImplicitLocOpBuilder &b, TileRange range);

/// Lets the body of a layer do the tiles of a range, its last two arguments,
/// and returns how many there are: the iterations of each `scf.forall`, the
/// last dimension the fastest, and one for all that is written between two of
/// them (--bquant-split-layers).
int64_t distributeTiles(mlir::func::FuncOp func);

} // namespace bquant

#endif // BQUANT_LIB_CODEGEN_LAYERS_TILERANGE_H
