//===- NarrowIntegers.cpp - Integers that 8 or 16 bits hold ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NarrowIntegers.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>

using namespace bquant;

unsigned bquant::findWidth(unsigned width, IntegerRange range, int64_t spare) {
  for (unsigned bits : {8, 16})
    if (bits >= width && range.min - spare >= llvm::minIntN(bits) &&
        range.max + spare <= llvm::maxIntN(bits))
      return bits;
  return 0;
}

LinearIntegers bquant::operator-(const LinearIntegers &numbers) {
  return {{-numbers.range.max, -numbers.range.min},
          numbers.base,
          -numbers.factor,
          -numbers.offset};
}

LinearIntegers bquant::operator+(const LinearIntegers &left,
                                 const LinearIntegers &right) {
  IntegerRange range{left.range.min + right.range.min,
                     left.range.max + right.range.max};
  if (left.factor != 0 && right.factor != 0)
    return {range, range};
  return {range, left.factor != 0 ? left.base : right.base,
          left.factor + right.factor, left.offset + right.offset};
}

std::optional<LinearIntegers> bquant::shiftLeft(const LinearIntegers &numbers,
                                                const LinearIntegers &by) {
  if (by.factor != 0 || by.offset < 0 || by.offset > 15)
    return std::nullopt;
  int64_t factor = int64_t(1) << by.offset;
  return LinearIntegers{
      {numbers.range.min * factor, numbers.range.max * factor},
      numbers.base,
      numbers.factor * factor,
      numbers.offset * factor};
}

BaseComparison bquant::compareBase(const LinearIntegers &numbers, bool less,
                                   bool strict) {
  // The next limit, with which the comparison is strict.
  int64_t step = strict ? 0 : less ? 1 : -1;
  int64_t factor = std::abs(numbers.factor);
  bool turns = numbers.factor < 0;
  less ^= turns;
  // Of the base: rounded down, and up where it is to be less.
  int64_t round = less ? factor - 1 : 0;
  int64_t by = step - numbers.offset;
  return {less,
          {numbers.range.min - 1, numbers.range.max + 1},
          turns,
          turns ? round - by : round + by,
          llvm::Log2_64(uint64_t(factor))};
}
