//===- Raise.h - From linalg on tensors to bquant ops -----------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of --bquant-raise, for compilers that want one of them alone.

#ifndef BQUANT_DIALECT_BQUANT_TRANSFORMS_RAISE_H
#define BQUANT_DIALECT_BQUANT_TRANSFORMS_RAISE_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
class RewritePatternSet;
} // namespace mlir

namespace bquant {

/// One form for what producers write differently: dense constants of up to
/// `maxDense` elements instead of resources (folders do not see those),
/// elementwise and reduction ops as `linalg.generic`, splats inside the bodies,
/// parameters without unit dimensions, grouped convolutions channels-last
/// between transposes; canonicalized, common subexpressions merged.
mlir::LogicalResult prepareForRaising(mlir::Operation *root,
                                      int64_t maxDense = 65536);

/// Turns the channels-first convolutions and poolings below `root`, and all
/// that is connected with them elementwise, to channels-last. Constants are
/// transposed at once; what remains are transposes at arguments, results and
/// ops that know no layout. Expects what `prepareForRaising` leaves.
void convertToChannelsLast(mlir::Operation *root);

/// Elementwise ops that compute +1 for x >= 0 and -1 elsewhere, NaN included,
/// become `bquant.sign`. Of a constant, only the numbers it holds count; of
/// other values those that are not assumed away.
void populateRaiseSignPatterns(mlir::RewritePatternSet &patterns,
                               bool assumeNoNaN = false,
                               bool assumeNoZero = false);

/// Convolutions and matrix products whose filter is a sign cascade or a
/// `bquant.dequantize` become bquant products; a bias is added after them.
/// Float products get their bias after them too.
void populateRaiseProductPatterns(mlir::RewritePatternSet &patterns);

} // namespace bquant

#endif // BQUANT_DIALECT_BQUANT_TRANSFORMS_RAISE_H
