//===- NarrowIntegers.h - Integers that 8 or 16 bits hold -------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_NARROWINTEGERS_H
#define BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_NARROWINTEGERS_H

#include <cstdint>
#include <optional>

namespace bquant {

/// Integers from `min` to `max`.
struct IntegerRange {
  int64_t min, max;
};

/// The fewest bits of 8 and 16, at least `width`, that hold all of `range`, and
/// `spare` numbers more at each end; 0 if 16 are not enough.
unsigned findWidth(unsigned width, IntegerRange range, int64_t spare = 0);

/// Integers that are `factor`, a power of two or its negative, times others,
/// and `offset`; a constant has the factor 0.
struct LinearIntegers {
  IntegerRange range;
  IntegerRange base; // Of the others.
  int64_t factor = 1, offset = 0;
};

LinearIntegers operator-(const LinearIntegers &numbers);
/// Of two that are no constants, a sum that is its own base.
LinearIntegers operator+(const LinearIntegers &left,
                         const LinearIntegers &right);
/// By a constant of 0 to 15; none by others.
std::optional<LinearIntegers> shiftLeft(const LinearIntegers &numbers,
                                        const LinearIntegers &by);

/// How a comparison of integers with a limit becomes one of their base: with
/// the limit brought near the integers, turned if `turns`, and brought from
/// these to the base.
struct BaseComparison {
  bool less; // Than the limit; else greater.
  IntegerRange clamp;
  bool turns;
  int64_t addend;
  unsigned shift;
};

BaseComparison compareBase(const LinearIntegers &numbers, bool less,
                           bool strict);

} // namespace bquant

#endif // BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_NARROWINTEGERS_H
