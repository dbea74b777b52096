//===- RegionInserts.h - Tensors assembled from regions ---------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_PACKED_TRANSFORMS_TILE_REGIONINSERTS_H
#define BQUANT_LIB_PACKED_TRANSFORMS_TILE_REGIONINSERTS_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace bquant {

/// The inserts, first to last, by which the result of `end` is assembled, if
/// they are static and cover all of it once.
std::optional<llvm::SmallVector<mlir::tensor::InsertSliceOp>>
getInserts(mlir::Operation *end);

} // namespace bquant

#endif // BQUANT_LIB_PACKED_TRANSFORMS_TILE_REGIONINSERTS_H
