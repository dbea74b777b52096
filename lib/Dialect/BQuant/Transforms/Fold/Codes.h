//===- Codes.h - What acts on codes as on the numbers -----------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A max-pool of numbers is one of codes where codes rise with the numbers, and
// what is decoded may come back by the quantize that follows. Nothing of this
// is assumed: the 2^k values are decoded and looked at.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TRANSFORMS_FOLD_CODES_H
#define BQUANT_LIB_TRANSFORMS_FOLD_CODES_H

#include "Dialect/BQuant/Analysis/FloatMaxPool.h"
#include "bquant/Support/Explain.h"
#include "mlir/IR/PatternMatch.h"

namespace bquant::chains {

/// What each code of a value decodes to, by groups of values that share
/// scalars, row-major over the axes; empty if scalars or offset are not
/// constant.
std::vector<llvm::SmallVector<float>> decodeCodes(mlir::Value value);

/// The value that a quantize of a dequantized value gives back: equal types,
/// scalars and offset, and each code found to return. Null if there is none.
mlir::Value getReturnedCodes(QuantizeOp op);

/// Fails if the input of a pool can be NaN, or less than what padding holds.
/// `reader` is a quantize of the result.
llvm::LogicalResult verifyNumbers(const FloatMaxPool &pool, QuantizeOp reader,
                                  mlir::RewriterBase &rewriter,
                                  ExplainFn explain = silently);

/// quantize(max-pool x) to max_pool_2d(quantize x), where the quantize's code
/// does not fall as x rises and x is no NaN, which the float pool would keep.
/// The new quantize; failures are explained if a pool is what the quantize
/// reads.
mlir::FailureOr<QuantizeOp> moveBehindQuantize(QuantizeOp op,
                                               mlir::RewriterBase &rewriter,
                                               ExplainFn explain);

/// quantize(+-1 for each channel times a max-pool) to a quantize of the pool,
/// where it is symmetric, by thresholds, and read by products of constant
/// filters alone, which take the -1 into their signs. The new quantize; null if
/// there is none.
QuantizeOp unmirrorPool(QuantizeOp op, mlir::RewriterBase &rewriter);

/// max-pool(dequantize q) to dequantize(max_pool_2d q), where the decoded
/// values do not fall as codes rise.
llvm::LogicalResult poolCodes(mlir::linalg::PoolingNhwcMaxOp op,
                              mlir::RewriterBase &rewriter, ExplainFn explain);

} // namespace bquant::chains

#endif // BQUANT_LIB_TRANSFORMS_FOLD_CODES_H
