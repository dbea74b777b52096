//===- NarrowIntegersTest.cpp - Integers at the limits of their bits ------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Packed/Transforms/Vectorize/NarrowIntegers.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <limits>
#include <vector>

using namespace bquant;

namespace {

LinearIntegers constant(int64_t value) {
  return {{value, value}, /*base=*/{}, /*factor=*/0, value};
}

TEST(NarrowIntegersTest, FewestBits) {
  struct {
    unsigned width;
    int64_t min, max, spare;
    unsigned bits;
  } cases[] = {
      {8, -128, 127, 0, 8},
      {8, 0, 128, 0, 16},
      {8, -129, 0, 0, 16},
      // As bits without a sign these would fit.
      {8, 0, 255, 0, 16},
      {8, 0, 65535, 0, 0},
      {8, -32768, 32767, 0, 16},
      {8, 0, 32768, 0, 0},
      {8, -32769, 0, 0, 0},
      // Bits that are there are not taken away.
      {16, 0, 0, 0, 16},
      {32, 0, 0, 0, 0},
      {8, -126, 125, 2, 8},
      {8, -127, 125, 2, 16},
      {8, -126, 126, 2, 16},
      {8, -32766, 32765, 2, 16},
      {8, -32767, 0, 2, 0},
      {8, 0, 32766, 2, 0},
  };
  for (auto [width, min, max, spare, bits] : cases)
    EXPECT_EQ(findWidth(width, {min, max}, spare), bits)
        << min << " to " << max << ", " << spare << " to spare, of " << width;
}

TEST(NarrowIntegersTest, RangesAreOfAllValues) {
  IntegerRange base = {-3, 5};
  LinearIntegers x = {base, base};
  // What is computed of x, and the same of a number.
  struct {
    std::optional<LinearIntegers> numbers;
    int64_t (*compute)(int64_t);
  } cases[] = {
      {x + constant(7), [](int64_t x) { return x + 7; }},
      {constant(7) + -x, [](int64_t x) { return 7 - x; }},
      {x + -constant(7), [](int64_t x) { return x - 7; }},
      {shiftLeft(x, constant(0)), [](int64_t x) { return x; }},
      {shiftLeft(x, constant(15)), [](int64_t x) { return x * 32768; }},
      {shiftLeft(constant(9) + -x, constant(2)),
       [](int64_t x) { return 4 * (9 - x); }},
      {constant(1) + -*shiftLeft(constant(9) + -x, constant(1)),
       [](int64_t x) { return 1 - 2 * (9 - x); }},
  };
  for (auto &[numbers, compute] : cases) {
    ASSERT_TRUE(numbers);
    EXPECT_EQ(numbers->base.min, base.min);
    EXPECT_EQ(numbers->base.max, base.max);
    int64_t ends[] = {compute(base.min), compute(base.max)};
    EXPECT_EQ(numbers->range.min, std::min(ends[0], ends[1]));
    EXPECT_EQ(numbers->range.max, std::max(ends[0], ends[1]));
    for (int64_t value = base.min; value <= base.max; ++value)
      EXPECT_EQ(numbers->factor * value + numbers->offset, compute(value));
  }
}

TEST(NarrowIntegersTest, SumsAreTheirOwnBase) {
  LinearIntegers x = {{0, 9}, {0, 9}}, y = {{-4, 3}, {-4, 3}};
  LinearIntegers difference = constant(1) + x + -y;
  EXPECT_EQ(difference.range.min, 1 + 0 - 3);
  EXPECT_EQ(difference.range.max, 1 + 9 + 4);
  EXPECT_EQ(difference.base.min, difference.range.min);
  EXPECT_EQ(difference.base.max, difference.range.max);
  EXPECT_EQ(difference.factor, 1);
  EXPECT_EQ(difference.offset, 0);
}

TEST(NarrowIntegersTest, ShiftsThatAreNotFollowed) {
  LinearIntegers x = {{0, 1}, {0, 1}};
  EXPECT_FALSE(shiftLeft(x, constant(-1)));
  EXPECT_FALSE(shiftLeft(x, constant(16)));
  EXPECT_FALSE(shiftLeft(x, x));
  EXPECT_FALSE(shiftLeft(constant(1), x));
}

TEST(NarrowIntegersTest, ComparisonsOfTheBaseAreTheSame) {
  for (IntegerRange base : {IntegerRange{0, 0}, {0, 9}, {-9, -1}, {-126, 125}})
    for (int64_t factor : {1, 2, 8, -1, -2, -8})
      for (int64_t offset : {-7, 0, 5})
        for (bool less : {false, true})
          for (bool strict : {false, true}) {
            auto get = [&](int64_t x) { return factor * x + offset; };
            auto [min, max] = std::minmax({get(base.min), get(base.max)});
            BaseComparison comparison =
                compareBase({{min, max}, base, factor, offset}, less, strict);
            std::vector<int64_t> limits = {std::numeric_limits<int32_t>::min(),
                                           std::numeric_limits<int32_t>::max()};
            for (int64_t limit = min - 3; limit <= max + 3; ++limit)
              limits.push_back(limit);
            for (int64_t limit : limits) {
              int64_t near =
                  std::clamp(limit, comparison.clamp.min, comparison.clamp.max);
              int64_t own = (comparison.turns ? comparison.addend - near
                                              : comparison.addend + near) >>
                            comparison.shift;
              ASSERT_TRUE(llvm::isInt<8>(own));
              for (int64_t x = base.min; x <= base.max; ++x) {
                bool expected = less ? get(x) < limit : get(x) > limit;
                expected |= !strict && get(x) == limit;
                ASSERT_EQ(comparison.less ? x < own : x > own, expected)
                    << factor << " * " << x << " + " << offset
                    << (less ? " < " : " > ") << limit << ", strict " << strict;
              }
            }
          }
}

} // namespace
