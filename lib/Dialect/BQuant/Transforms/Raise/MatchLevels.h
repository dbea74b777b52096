//===- MatchLevels.h - Expressions that have few values ---------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TRANSFORMS_RAISE_MATCHLEVELS_H
#define BQUANT_LIB_TRANSFORMS_RAISE_MATCHLEVELS_H

#include "MatchCascade.h"

namespace bquant {

/// The op that rounds to an integer what a resolved value is then computed
/// from, by constants alone; null if there is none.
mlir::Operation *getRounding(mlir::Value resolved);

/// A value that has 2 to 256 evenly spaced values, or up to 16 others, as
/// something is rounded or compared: the planes of these levels. What the
/// planes stand for may differ from them by the rounding of a sum; NaN takes
/// the least of them (none if NaN is strict).
std::optional<Cascade> matchLevels(mlir::Value resolved,
                                   llvm::ArrayRef<int64_t> shape,
                                   const RaiseAssumptions &assumptions,
                                   ExplainFn explain);

/// What is computed, by constants alone, of a value that thresholds quantize:
/// it has other values for the same ranks, and the same thresholds, one row or
/// one for each channel.
std::optional<Cascade> matchRecoded(mlir::Value resolved,
                                    llvm::ArrayRef<int64_t> shape);

} // namespace bquant

#endif // BQUANT_LIB_TRANSFORMS_RAISE_MATCHLEVELS_H
