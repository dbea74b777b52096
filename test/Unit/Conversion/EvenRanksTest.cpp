//===- EvenRanksTest.cpp - Lines against counting -------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/BQuantToPacked/EvenRanks.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace bquant;

#pragma STDC FP_CONTRACT OFF

static constexpr float kInfinity = std::numeric_limits<float>::infinity();
static constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// As compiled code computes it in T.
template <typename T> static int64_t rankOf(const RankLine &line, T x) {
  T y = x * T(line.slope);
  y = y + T(line.start);
  y = y > T(line.least) ? y : T(line.least);
  y = y < T(line.greatest) ? y : T(line.greatest);
  return int64_t(y);
}

template <typename T>
static int64_t count(const std::vector<T> &thresholds, T x) {
  return llvm::count_if(thresholds, [&](T t) { return t <= x; });
}

static std::vector<float> cut(double low, double high, int size) {
  std::vector<float> row;
  for (int n = 0; n < size; ++n) {
    double t = low + (high - low) * (n + 0.5) / size;
    row.push_back(float(t) < t ? std::nextafter(float(t), kInfinity)
                               : float(t));
  }
  return row;
}

static void check(const std::vector<float> &thresholds, bool inF64) {
  std::optional<RankLine> line = fitRankLine(thresholds, inF64);
  ASSERT_TRUE(line) << thresholds.front() << ' ' << thresholds.back() << ' '
                    << thresholds.size();
  std::vector<float> inputs{0,    -0.f,   kInfinity, -kInfinity,
                            kNaN, 1e-40f, 3e38f,     -3e38f};
  for (float t : thresholds)
    for (float x : {t, std::nextafter(t, kInfinity),
                    std::nextafter(t, -kInfinity), t * 1.001f, -t})
      inputs.push_back(x);
  for (float x : inputs)
    ASSERT_EQ(inF64 ? rankOf<double>(*line, x) : rankOf<float>(*line, x),
              count(thresholds, x))
        << x;
}

TEST(EvenRanks, Floats) {
  for (int size : {7, 15, 127, 255})
    for (auto [low, high] :
         {std::pair(0.0, 1.0), {-1.0, 1.1}, {0.0, 6.0}, {-0.37, 11.4}})
      check(cut(low, high, size), /*inF64=*/true);
  // Whole numbers need no f64.
  check(cut(0.5, 255.5, 255), /*inF64=*/false);
  std::vector<float> some = cut(0, 1, 255);
  for (int n = 200; n < 255; ++n)
    some[n] = kNaN;
  check(some, /*inF64=*/true);
  check(std::vector<float>(7, kNaN), /*inF64=*/true);
}

TEST(EvenRanks, Integers) {
  std::mt19937 random(0);
  constexpr int32_t kLeast = std::numeric_limits<int32_t>::min(),
                    kMost = std::numeric_limits<int32_t>::max();
  for (int n = 0; n < 400; ++n) {
    int size = n % 2 ? 15 : 255;
    double slope = std::exp(std::uniform_real_distribution<>(-14, 1)(random));
    double start = std::uniform_real_distribution<>(-300, 300)(random);
    std::vector<int32_t> thresholds;
    for (int t = 0; t < size; ++t)
      thresholds.push_back(int32_t(std::ceil((t + 0.5 - start) / slope)));
    if (n % 3 == 0)
      std::fill_n(thresholds.begin(), n % size, kLeast);
    if (n % 5 == 0)
      std::fill_n(thresholds.rbegin(), n % 7, kMost);
    std::optional<RankLine> line = fitRankLine(thresholds, /*isBounded=*/true);
    ASSERT_TRUE(line) << n;
    for (int32_t t : thresholds)
      for (int64_t x : {int64_t(t) - 1, int64_t(t), int64_t(t) + 1})
        if (x >= kLeast && x < kMost)
          ASSERT_EQ(rankOf<double>(*line, x), count(thresholds, int32_t(x)));
    ASSERT_EQ(rankOf<double>(*line, kLeast), count(thresholds, kLeast));
  }
}

TEST(EvenRanks, WithoutALine) {
  EXPECT_FALSE(fitRankLine(llvm::ArrayRef<float>{0, 1, 2, 4, 5, 6, 7}, true));
  EXPECT_FALSE(fitRankLine(llvm::ArrayRef<float>{-kInfinity, 1, 2, 3}, true));
  EXPECT_FALSE(fitRankLine(llvm::ArrayRef<int32_t>{0, 10, 20, 30, 45}, true));
  // The number before 0 is too near for a sum to tell them apart.
  EXPECT_FALSE(fitRankLine(llvm::ArrayRef<float>{-2, -1, 0, 1, 2}, true));
  // Some integer reaches the greatest one.
  int32_t most = std::numeric_limits<int32_t>::max();
  EXPECT_FALSE(fitRankLine(llvm::ArrayRef<int32_t>{0, 10, 20, most}, false));
}
