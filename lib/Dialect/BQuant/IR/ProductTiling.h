//===- ProductTiling.h - Tiles of products by kernels -----------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to lib: what the products share, their TilingInterface and
// constraints, and sizes of tiles.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_DIALECT_BQUANT_IR_PRODUCTTILING_H
#define BQUANT_LIB_DIALECT_BQUANT_IR_PRODUCTTILING_H

#include "bquant/Dialect/BQuant/IR/BQuant.h"

namespace bquant {

llvm::SmallVector<mlir::utils::IteratorType>
getProductIteratorTypes(ProductOpInterface op);

/// Of operands that are laid out: the results' sizes, and of the reductions
/// those of the filters that they index, alone or by steps.
llvm::SmallVector<int64_t> getLaidOutLoopSizes(ProductOpInterface op);

/// Of operands that are laid out, constraint `first` and the two that follow: a
/// filter gives each reduction its size, the last one is of whole steps, and
/// the maps stay inside their operands.
llvm::LogicalResult verifyLaidOutLoops(ProductOpInterface op, int first);

llvm::SmallVector<mlir::Range> getProductDomain(mlir::OpBuilder &b,
                                                ProductOpInterface op);

/// The tile of all loops that makes a tile of the results.
void getProductTile(mlir::OpBuilder &b, ProductOpInterface op,
                    llvm::ArrayRef<mlir::OpFoldResult> resultOffsets,
                    llvm::ArrayRef<mlir::OpFoldResult> resultSizes,
                    llvm::SmallVectorImpl<mlir::OpFoldResult> &offsets,
                    llvm::SmallVectorImpl<mlir::OpFoldResult> &sizes);

/// The product of slices; fails where the maps do not hold inside of the tile.
llvm::FailureOr<mlir::TilingResult>
tileProduct(mlir::OpBuilder &b, ProductOpInterface op,
            llvm::ArrayRef<mlir::OpFoldResult> offsets,
            llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// Up to `most` channels of a tile: whole blocks of them, or `most` or another
/// divisor of a block, up to twice as many.
int64_t fitBlocks(int64_t block, int64_t most);

/// Vector registers of a target for the sums of a tile; operands take the
/// others.
inline int64_t countRegistersOfSums(int64_t registers) {
  return registers * 3 / 4;
}

} // namespace bquant

#endif // BQUANT_LIB_DIALECT_BQUANT_IR_PRODUCTTILING_H
