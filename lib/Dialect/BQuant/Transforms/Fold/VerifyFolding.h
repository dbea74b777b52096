//===- VerifyFolding.h - A folded chain against the chain -------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TRANSFORMS_FOLD_VERIFYFOLDING_H
#define BQUANT_LIB_TRANSFORMS_FOLD_VERIFYFOLDING_H

#include "Dialect/BQuant/Analysis/SwitchPoints.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"

namespace bquant::chains {

/// A quantize and what it was folded into, both in the IR.
struct FoldedQuantize {
  QuantizeOp original, folded;
  /// What each reads in the end: a tensor or a scalar in a body, or two
  /// accumulators whose sum is folded.
  llvm::SmallVector<mlir::Value, 2> originalSources, foldedSources;
  /// Channels whose folded source is the negative of the original one; empty
  /// if there are none.
  std::vector<bool> negated;
  /// What the source, or the sum, can be in each channel.
  std::vector<FloatRange> ranges;
  /// The largest magnitude of the first of two accumulators.
  int64_t firstBound = 0;
};

/// Interprets both for every channel: around each threshold, at both ends of
/// the range, at floats of every class and exponent. An error at the quantize
/// names the first source value whose codes differ.
mlir::LogicalResult verifyFolding(FoldedQuantize pair);

} // namespace bquant::chains

#endif // BQUANT_LIB_TRANSFORMS_FOLD_VERIFYFOLDING_H
