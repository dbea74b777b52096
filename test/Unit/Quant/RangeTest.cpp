//===- RangeTest.cpp - What the search for a split counts and sums --------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Quant/Range.h"
#include "Quant/Sort.h"

#include "Oracle.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace bquant::quant;
using namespace bquant::quant::test;

static std::vector<float> magnitudes(const std::vector<float> &x) {
  std::vector<float> a(x.size());
  std::transform(x.begin(), x.end(), a.begin(),
                 [](float v) { return std::fabs(v); });
  return a;
}

static long double sumWhere(const std::vector<float> &a, float least,
                            float end) {
  long double sum = 0;
  for (float v : a)
    sum += v >= least && v < end ? v : 0;
  return sum;
}

/// Compares what a scan finds with loops over values.
static void check(const std::string &name, const std::vector<float> &x,
                  const Cuts &cuts) {
  SCOPED_TRACE(name + ", " + std::to_string(x.size()) + " values, cells of " +
               std::to_string(cuts.shift) + " bits");
  std::vector<float> a = magnitudes(x), sorted = a;
  std::sort(sorted.begin(), sorted.end());
  Range range{x.data(), int64_t(x.size())};
  std::vector<float> kept(x.size());
  Found found;
  scan(range, cuts, kept.data(), found);
  EXPECT_EQ(magnitudeOfBits(found.mostOfAll), sorted.back());
  // Over all values where a cut is over the last cell.
  auto magnitudeOf = [&](int i) {
    return cuts.cells[i] > Cuts::lastCell
               ? INFINITY
               : magnitudeOfBits(cuts.getBits(cuts.cells[i], 0, INT32_MAX));
  };
  for (int i = 0; i < Cuts::number; ++i) {
    float end = magnitudeOf(i);
    EXPECT_EQ(found.under[i], std::count_if(a.begin(), a.end(),
                                            [&](float v) { return v < end; }))
        << i;
  }
  auto expectSum = [](const CarriedSum &sum, long double expected) {
    EXPECT_NEAR(double(sum.high + (sum.low - expected)), 0,
                double(expected) * 0x1p-60);
  };
  float least = magnitudeOf(Cuts::window), end = magnitudeOf(Cuts::window + 1);
  expectSum(found.total, sumWhere(a, 0, INFINITY));
  expectSum(found.inside, sumWhere(a, least, end));
  // By way of the sum of all capped at the window.
  long double below = sumWhere(a, 0, least);
  EXPECT_NEAR(double(found.below.high + (found.below.low - below)), 0,
              double(sumWhere(a, 0, INFINITY)) * 0x1p-60);

  std::vector<float> expected;
  std::copy_if(a.begin(), a.end(), std::back_inserter(expected),
               [&](float v) { return v >= least && v < end; });
  kept.resize(found.numKept());
  EXPECT_EQ(expected, kept);
  if (!expected.empty()) {
    auto [first, last] = std::minmax_element(expected.begin(), expected.end());
    EXPECT_EQ(magnitudeOfBits(found.least), *first);
    EXPECT_EQ(magnitudeOfBits(found.most), *last);
  }

  // Parts add up to the whole.
  Found parts;
  for (int64_t first = 0; first < range.size; first += 448) {
    Found part;
    scan({range.values + first, std::min<int64_t>(448, range.size - first)},
         cuts, kept.data(), part);
    parts.add(part);
  }
  EXPECT_TRUE(std::equal(parts.under, std::end(parts.under), found.under));
  EXPECT_EQ(parts.mostOfAll, found.mostOfAll);
  EXPECT_EQ(parts.least, found.least);
  EXPECT_EQ(parts.most, found.most);
  double allowance = found.total.value() * 0x1p-60;
  EXPECT_NEAR(parts.total.minus(found.total), 0, allowance);
  EXPECT_NEAR(parts.below.minus(found.below), 0, allowance);
  EXPECT_NEAR(parts.inside.minus(found.inside), 0, allowance);
  EXPECT_EQ(findMost(x.data(), x.size()), sorted.back());
}

/// Cuts at values and next to them, and at both ends; cells of one f32 and of
/// many.
static void check(const std::string &name, const std::vector<float> &x) {
  std::vector<float> sorted = magnitudes(x);
  std::sort(sorted.begin(), sorted.end());
  int32_t middle = bitsOfMagnitude(sorted[sorted.size() / 2]);
  for (int shift : {0, 9, 17}) {
    Cuts cuts{middle, shift, {}};
    for (int i = 0; i < Cuts::number; ++i)
      cuts.cells[i] = cuts.getCell(bitsOfMagnitude(
          sorted[(i + 1) * (sorted.size() - 1) / Cuts::number]));
    check(name, x, cuts);
    cuts.cells[Cuts::window] = Cuts::firstCell;
    check(name + ", from the least", x, cuts);
    for (int i = Cuts::window + 1; i < Cuts::number; ++i)
      cuts.cells[i] = Cuts::lastCell + 1;
    check(name + ", all", x, cuts);
  }
}

TEST(Range, equalsLoopsOverValues) {
  for (int most : {15, 64, 511, 1100, 4200})
    for (const Case &c : adversarialCases(most))
      // Of others the sum in long double is not exact.
      if (c.name.find("outlier") == std::string::npos &&
          c.name.find("exponents") == std::string::npos)
        check(c.name, c.x);
}

// Between the largest and the least value lie as many powers of two as the sum
// of a chunk in double just has, or one more.
TEST(Range, carriesWhatDoubleLoses) {
  std::mt19937 random(20261101);
  for (int exponents : {20, 23, 24, 30, 34})
    for (int n : {1024, 3000}) {
      std::vector<float> x(n);
      for (float &v : x)
        v = std::ldexp(1 + float(random() >> 9) * 0x1p-23f,
                       -int(random() % (exponents + 1)));
      check(std::to_string(exponents) + " exponents", x);
    }
}

TEST(Sort, FewByRank) {
  std::mt19937 random(7);
  for (int64_t n = 1; n <= mostByRank; ++n)
    for (uint32_t most : {0u, 5u, 0x7fffffffu}) {
      std::uniform_int_distribution<uint32_t> draw(0, most);
      std::vector<uint32_t> words(n), sorted(n);
      std::generate(words.begin(), words.end(), [&] { return draw(random); });
      sortByRank(words.data(), n, sorted.data());
      std::sort(words.begin(), words.end());
      EXPECT_EQ(sorted, words) << n << " up to " << most;
    }
}
