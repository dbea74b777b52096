//===- ScaledProducts.h - Products as sources of thresholds -----*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TRANSFORMS_FOLD_SCALEDPRODUCTS_H
#define BQUANT_LIB_TRANSFORMS_FOLD_SCALEDPRODUCTS_H

#include "Dialect/BQuant/Analysis/Ranges.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/IR/PatternMatch.h"

namespace bquant::chains {

/// The scalars that a scaled-binary value decodes with, if they are constant;
/// empty otherwise.
llvm::SmallVector<float> getConstantScalars(mlir::Value value);

/// The constant offset that a value decodes with; zero without one, empty if it
/// is not constant.
llvm::SmallVector<float> getConstantOffset(mlir::Value value);

/// A product whose f32 result is `factor` times an accumulator.
struct ScaledProduct {
  /// One factor, or one for each index of the last dimension.
  std::vector<float> factors;
  /// The largest magnitude of the accumulator.
  int64_t bound = 0;
};
std::optional<ScaledProduct> getScaledProduct(mlir::Operation *product);

/// A bound of what a product or a dequantize of constant scalars can be.
FloatRange getLeafRange(mlir::Operation *op);

/// The constant filter of a product; null if it is not constant.
ConstantOp getFilter(mlir::Operation *product);

/// Negates the filters of the marked channels: all signs of their planes.
void negateFilters(mlir::Operation *product, const std::vector<bool> &marked,
                   mlir::RewriterBase &rewriter);

/// Negates what all filters of a product make of the marked channels of its
/// input.
void negateInputs(mlir::Operation *product, const std::vector<bool> &marked,
                  mlir::RewriterBase &rewriter);

/// An elementwise op: `input`, of f32 or i32, times a factor for each channel,
/// or one for all.
mlir::Value multiplyChannels(mlir::Value input, llvm::ArrayRef<float> factors,
                             mlir::RewriterBase &rewriter, mlir::Location loc);

/// The i32 accumulator of a product that getScaledProduct knows. What else
/// reads its f32 result reads (v w) float(accumulator), which is what the f32
/// product is.
mlir::Value makeAccumulator(mlir::Operation *product,
                            mlir::RewriterBase &rewriter);

} // namespace bquant::chains

#endif // BQUANT_LIB_TRANSFORMS_FOLD_SCALEDPRODUCTS_H
