//===- Raise.h - From linalg on tensors to bquant ops -----------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The patterns of the passes that raise, for compilers that want one of them
// alone. Raise/Passes.td has the passes, buildRecognitionPipeline their order.

#ifndef BQUANT_DIALECT_BQUANT_TRANSFORMS_RAISE_H
#define BQUANT_DIALECT_BQUANT_TRANSFORMS_RAISE_H

#include "mlir/Support/LLVM.h"
#include <functional>

namespace mlir {
class Operation;
class RewritePatternSet;
class Value;
} // namespace mlir

namespace bquant {

/// One form for what producers write differently: dense constants of up to
/// `maxDense` elements instead of resources (folders do not see those),
/// elementwise and reduction ops as `linalg.generic`, splats inside the bodies,
/// parameters without unit dimensions, grouped convolutions channels-last
/// between transposes; canonicalized by the patterns of the dialects at hand,
/// common subexpressions merged. `--bquant-prepare-for-raising`.
mlir::LogicalResult prepareForRaising(mlir::Operation *root,
                                      int64_t maxDense = 65536);

/// Turns the channels-first convolutions and poolings below `root`, and all
/// that is connected with them elementwise, to channels-last. Constants are
/// transposed at once; what remains are transposes at arguments, results and
/// ops that know no layout. Expects what `prepareForRaising` leaves.
/// `--bquant-channels-last`.
void convertToChannelsLast(mlir::Operation *root);

/// What may be taken for granted of run-time values, and what not.
struct RaiseAssumptions {
  /// There is no NaN; there is no zero where a sign treats it otherwise than
  /// bquant's.
  bool noNaN = false, noZero = false;
  /// Straight-through residues (q - c) + c are q, whatever c is.
  bool exactResidues = false;
  /// An expression that gives NaN neither sign (0, or NaN) is no sign. Without
  /// this NaN gets bquant's, -1.
  bool strictNaN = false;
};

/// Elementwise ops on what has few values (comparisons, signs, quantized
/// values) and is moved come before the move: reshapes, transposes, slices,
/// paddings by a number. `--bquant-steps-before-moves`.
void populateStepsBeforeMovesPatterns(mlir::RewritePatternSet &patterns);

/// Elementwise ops that compute +1 for x >= 0 and -1 elsewhere become
/// `bquant.sign`. Of a constant, only the numbers it holds count; of other
/// values those that can occur and are not assumed away.
/// `--bquant-raise-signs`.
void populateRaiseSignPatterns(mlir::RewritePatternSet &patterns,
                               const RaiseAssumptions &assumptions = {});

/// Computes what depends on constants alone: `linalg.generic` of arithmetic
/// that IEEE 754 defines, signs and transposes; not the results that `keep`
/// names, nor then any `bquant.sign`. Asserts that hold for the constants go.
/// `--bquant-fold-constants`.
void populateFoldConstantPatterns(
    mlir::RewritePatternSet &patterns,
    std::function<bool(mlir::Value result)> keep = {});

/// Convolutions and matrix products whose filter is a sign cascade, a
/// `bquant.dequantize` or a constant of few magnitudes become bquant products;
/// a bias is added after them. Float products get their bias after them too.
/// `--bquant-raise-products`.
void populateRaiseProductPatterns(mlir::RewritePatternSet &patterns,
                                  const RaiseAssumptions &assumptions = {});

/// Channels-last convolutions of floats whose groups have one channel and one
/// filter become depthwise ones. `--bquant-raise-depthwise`.
void populateRaiseDepthwisePatterns(mlir::RewritePatternSet &patterns);

} // namespace bquant

#endif // BQUANT_DIALECT_BQUANT_TRANSFORMS_RAISE_H
