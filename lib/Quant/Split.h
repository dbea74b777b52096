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

#include "Range.h"

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

/// Finds the window for n values, in the order
///
///   begin(); count(part) for each part; choose(); keep(part) for each part;
///   finish()
///
/// Parts are of a fixed size, and what they find is merged in their order, so
/// that threads may share them and the bits are always the same. What one step
/// leaves to the next is in `scratch`, of scratchBytes(n), aligned to 8: the
/// object itself holds nothing else.
class SplitSearch {
public:
  /// Values in a part, but for the last one.
  static constexpr int64_t partSize = solvePartSize;

  static int64_t getNumParts(int64_t n) {
    return n / partSize + (n % partSize != 0);
  }
  static int64_t scratchBytes(int64_t n);

  SplitSearch(const float *x, int64_t n, SplitGain gain, void *scratch);

  void begin();
  void count(int64_t part);
  void choose();
  void keep(int64_t part);
  /// NaN and Inf give an empty run, of a total that is not finite.
  SplitWindow finish();

  /// All of it.
  SplitWindow run();

private:
  struct Part;
  struct State;

  Range getRange(int64_t part) const;
  Found addParts() const;
  bool isInWindow(const Found &found);
  bool narrow(const Found &found, const float *values);

  const float *x;
  int64_t n;
  SplitGain gain;
  State &state;
  /// `parts`, then twice as many words as values.
  Part *parts;
  float *words;
};

} // namespace BQUANT_SOLVERS
} // namespace bquant::quant

#endif // BQUANT_LIB_QUANT_SPLIT_H
