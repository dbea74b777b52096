//===- Transposes.h - Permuted values ---------------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Permutations as `linalg.transpose` has them: dimension i of the result is
// dimension perm[i] of the input.

#ifndef BQUANT_LIB_TRANSFORMS_RAISE_TRANSPOSES_H
#define BQUANT_LIB_TRANSFORMS_RAISE_TRANSPOSES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace bquant {

/// NCHW to NHWC, OIHW to OHWI, and back.
inline constexpr int64_t kToLast[] = {0, 2, 3, 1};
inline constexpr int64_t kToFirst[] = {0, 3, 1, 2};

/// `value` permuted: an earlier value if it is a transpose itself, a new
/// constant, a reshape where only dimensions of size 1 move, or a transpose.
mlir::Value createTranspose(mlir::RewriterBase &rewriter, mlir::Location loc,
                            mlir::Value value, llvm::ArrayRef<int64_t> perm);

/// `value` permuted without an op that moves data at run time, or null: what
/// `createTranspose` does with constants and transposes, also behind
/// elementwise ops.
mlir::Value foldTranspose(mlir::RewriterBase &rewriter, mlir::Value value,
                          llvm::ArrayRef<int64_t> perm);

/// A pointwise op with loops and results permuted. `inputs` holds, for each
/// input that is read at the loops' index, its permuted value; the others are
/// read as before.
mlir::linalg::GenericOp permutePointwise(mlir::RewriterBase &rewriter,
                                         mlir::linalg::GenericOp op,
                                         llvm::ArrayRef<int64_t> perm,
                                         mlir::ValueRange inputs);

/// A new `tensor.empty` of the permuted shape of `value`.
mlir::Value createEmptyLike(mlir::RewriterBase &rewriter, mlir::Location loc,
                            mlir::Value value, llvm::ArrayRef<int64_t> perm);

} // namespace bquant

#endif // BQUANT_LIB_TRANSFORMS_RAISE_TRANSPOSES_H
