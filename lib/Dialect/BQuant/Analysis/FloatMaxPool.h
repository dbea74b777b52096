//===- FloatMaxPool.h - Max-pools of floats, with their padding -*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_ANALYSIS_FLOATMAXPOOL_H
#define BQUANT_LIB_ANALYSIS_FLOATMAXPOOL_H

#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace bquant {

/// A max-pool of f32 over dimensions 1 and 2.
struct FloatMaxPool {
  mlir::linalg::PoolingNhwcMaxOp op;
  /// Without its padding.
  mlir::Value input;
  llvm::SmallVector<int64_t> window, strides, dilations, pads;
  /// The largest of the numbers that padded positions hold and maxima start
  /// from: they do not take part if no element is less.
  float least;

  /// The type of `input` quantized, where `pooled` is that of the result.
  SBTensorType getInputType(SBTensorType pooled) const;
  /// The same pool of codes, `pooled` the type of its result.
  mlir::Value createOfCodes(mlir::Value codes, SBTensorType pooled,
                            mlir::RewriterBase &rewriter) const;
};

/// The max-pool that gives `value`: a `linalg.pooling_nhwc_max`, with or
/// without a `tensor.pad` before it, whose windows all hold an element.
std::optional<FloatMaxPool> matchMaxPool(mlir::Value value);

} // namespace bquant

#endif // BQUANT_LIB_ANALYSIS_FLOATMAXPOOL_H
