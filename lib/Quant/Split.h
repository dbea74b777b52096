//===- Split.h - Where to split sorted magnitudes ---------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ls-2 and ls-T look for the best of all splits of sorted |x| into a lower and
// an upper part. To find it, only a few of the values have to be sorted.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_QUANT_SPLIT_H
#define BQUANT_LIB_QUANT_SPLIT_H

#include "Namespace.h"
#include "Sums.h"

namespace bquant::quant {
inline namespace BQUANT_SOLVERS {

/// A run of the sorted magnitudes with all best splits: those of `below` to
/// `below` + `size` values in the lower part.
struct SplitWindow {
  /// The magnitudes of the run, as the bits of their f32.
  const uint32_t *sorted;
  int64_t size;
  /// The number and sum of the values below the run.
  int64_t below;
  CarriedSum sumBelow;
  /// The sum of all values.
  CarriedSum total;
};

/// What a split is worth. Both are, up to a constant, sums of (sum of a part)^2
/// / (values in the part), so they are convex in (n0, s0).
enum class SplitGain {
  /// n0 m0^2 + n1 m1^2
  TwoLevels,
  /// n1 m1^2
  UpperLevel,
};

/// `scratch`: 2 n words. NaN and Inf give the run of all values.
SplitWindow findSplitWindow(const float *x, int64_t n, SplitGain gain,
                            uint32_t *scratch);

} // namespace BQUANT_SOLVERS
} // namespace bquant::quant

#endif // BQUANT_LIB_QUANT_SPLIT_H
