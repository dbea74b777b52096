//===- WordMeaning.h - Counts of words --------------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of scalars and of vectors alike: operands are the sign, then the mask.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_PACKED_KERNELS_WORDMEANING_H
#define BQUANT_LIB_PACKED_KERNELS_WORDMEANING_H

#include "bquant/Dialect/BQuant/IR/BQuant.h"

namespace bquant {

/// The bits in which a pair differs, where a mask lets them; behind it the mask
/// if it is counted, too.
llvm::SmallVector<mlir::Value> emitDifferences(mlir::ImplicitLocOpBuilder &b,
                                               const ProductForm &form,
                                               mlir::ValueRange input,
                                               mlir::ValueRange filter);

/// The popcounts of these.
llvm::SmallVector<mlir::Value> emitWordCounts(mlir::ImplicitLocOpBuilder &b,
                                              const ProductForm &form,
                                              mlir::ValueRange input,
                                              mlir::ValueRange filter);

/// Each of `elements` in all lanes of `type`.
llvm::SmallVector<mlir::Value> emitBroadcasts(mlir::ImplicitLocOpBuilder &b,
                                              mlir::VectorType type,
                                              mlir::ValueRange elements);

/// Integers added one by one.
llvm::SmallVector<mlir::Value> emitSums(mlir::ImplicitLocOpBuilder &b,
                                        mlir::ValueRange lhs,
                                        mlir::ValueRange rhs);

/// Sums of bytes added to wider `accumulators`.
llvm::SmallVector<mlir::Value> emitWideSums(mlir::ImplicitLocOpBuilder &b,
                                            mlir::ValueRange accumulators,
                                            mlir::ValueRange bytes);

/// `sums` that come to `most` at most: bytes again, with a sign, where these
/// hold that.
llvm::SmallVector<mlir::Value> emitBytesIfFit(mlir::ImplicitLocOpBuilder &b,
                                              mlir::ValueRange sums,
                                              int64_t most);

} // namespace bquant

#endif // BQUANT_LIB_PACKED_KERNELS_WORDMEANING_H
