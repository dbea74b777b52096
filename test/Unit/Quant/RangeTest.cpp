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

/// Compares what Range.h finds with loops over values.
static void check(const std::string &name, const std::vector<float> &x) {
  SCOPED_TRACE(name + ", " + std::to_string(x.size()) + " values");
  std::vector<float> a = magnitudes(x), sorted = a;
  std::sort(sorted.begin(), sorted.end());
  // Thresholds at values, between them and over all.
  Thresholds thresholds;
  for (int i = 0; i < Thresholds::number; ++i) {
    float value = sorted[(i + 1) * (x.size() - 1) / Thresholds::number];
    thresholds.bits[i] =
        std::clamp(bitsOfMagnitude(value) + i % 2, 1, bitsOfMagnitude(FLT_MAX));
  }
  Range range{x.data(), int64_t(x.size())};
  thresholds.setSteps(0);
  SumsUnder under;
  sumUnder(range, thresholds, under);
  EXPECT_EQ(magnitudeOfBits(under.most), sorted.back());
  const CarriedSum &total = under.total;
  long double sum = sumWhere(a, 0, INFINITY);
  EXPECT_NEAR(double(total.high + (total.low - sum)), 0, double(sum) * 0x1p-60);
  for (int i = 0; i < Thresholds::number; ++i) {
    float end = magnitudeOfBits(thresholds.bits[i]);
    EXPECT_EQ(under.counts[i], std::count_if(a.begin(), a.end(),
                                             [&](float v) { return v < end; }));
    EXPECT_NEAR(under.getSum(thresholds, i), double(sumWhere(a, 0, end)),
                thresholds.getError(x.size()));
  }

  // Parts add up to the whole.
  SumsUnder parts;
  for (int64_t first = 0; first < range.size; first += 512) {
    SumsUnder part;
    sumUnder({range.values + first, std::min<int64_t>(512, range.size - first)},
             thresholds, part);
    parts.add(part);
  }
  EXPECT_EQ(parts.most, under.most);
  EXPECT_EQ(parts.isExact, under.isExact);
  EXPECT_TRUE(std::equal(parts.counts, std::end(parts.counts), under.counts));
  EXPECT_TRUE(std::equal(parts.sums, std::end(parts.sums), under.sums));
  EXPECT_NEAR(parts.total.minus(total), 0, double(sum) * 0x1p-60);

  std::vector<float> kept(x.size());
  int32_t least = thresholds.bits[1], end = thresholds.bits[5];
  range.isExact = under.isExact;
  CarriedSum below;
  int64_t size = keepBetween(range, least, end, kept.data(), below);
  std::vector<float> expected;
  std::copy_if(a.begin(), a.end(), std::back_inserter(expected), [&](float v) {
    return v >= magnitudeOfBits(least) && v < magnitudeOfBits(end);
  });
  EXPECT_EQ(expected, std::vector<float>(kept.data(), kept.data() + size));
  sum = sumWhere(a, 0, magnitudeOfBits(least));
  EXPECT_NEAR(double(below.high + (below.low - sum)), 0, double(sum) * 0x1p-60);

  findEnds(range);
  EXPECT_EQ(range.least, sorted.front());
  EXPECT_EQ(range.most, sorted.back());
}

TEST(Range, equalsLoopsOverValues) {
  for (int most : {15, 64, 511, 2000})
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
  for (int exponents : {20, 24, 25, 30, 34})
    for (int n : {512, 3000}) {
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
