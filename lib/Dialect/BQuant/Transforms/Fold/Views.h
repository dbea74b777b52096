//===- Views.h - Ops that only move elements --------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A chain goes on behind a transpose, a reshape or a slice: the same is done to
// the chain's source instead, and its constants are read by other indices.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TRANSFORMS_FOLD_VIEWS_H
#define BQUANT_LIB_TRANSFORMS_FOLD_VIEWS_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/PatternMatch.h"
#include <optional>

namespace bquant::chains {

/// An op that moves elements, or a permutation as linalg.transpose has it:
/// dimension i of the result is dimension permutation[i] of what goes in.
struct View {
  mlir::Operation *op = nullptr;
  llvm::SmallVector<int64_t> permutation;
};
using Views = llvm::SmallVector<View>;

/// Whether an op is a tensor.expand_shape, collapse_shape or extract_slice.
bool isView(mlir::Operation *op);

/// The indices of the result of such an op to those of its source; a null map
/// if they are not known at compile time.
mlir::AffineMap getViewMap(mlir::Operation *op);

/// The view of a tensor whose indices `map` gives from those of the result, or
/// none if it is neither the identity (but for dimensions of size 1) nor a
/// permutation. The identity is a view without permutation.
std::optional<View> getViewByMap(mlir::AffineMap map,
                                 llvm::ArrayRef<int64_t> from,
                                 llvm::ArrayRef<int64_t> to);

/// Applies the views to a tensor of any element type, the last one first.
mlir::Value applyViews(mlir::Value tensor, const Views &views,
                       mlir::RewriterBase &rewriter, mlir::Location loc);

/// An affine expression of dimensions and constants at an index.
int64_t evaluateAt(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> index);

} // namespace bquant::chains

#endif // BQUANT_LIB_TRANSFORMS_FOLD_VIEWS_H
