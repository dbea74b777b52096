//===- RankOneTest.cpp - rank-1 and xnor ----------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Quant/RankOne.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace bquant::quant;

static std::vector<float> normalMatrix(int64_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> x(size);
  for (float &v : x)
    v = normal(random);
  return x;
}

static RankOne solved(const std::vector<float> &x, int64_t m, int64_t n,
                      RankOneRule rule) {
  Result<RankOne> result = solveRankOne(x.data(), m, n, rule);
  EXPECT_TRUE(bool(result)) << result.error();
  return *result;
}

/// ||X||^2 and ||X - S .* (a b^T)||^2, value by value.
static std::pair<double, double> normAndError(const std::vector<float> &x,
                                              const RankOne &r) {
  double norm = 0, error = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    double scale =
        r.rows[i / r.columns.size()] * r.columns[i % r.columns.size()];
    double value = std::copysign(scale, x[i]);
    norm += double(x[i]) * x[i];
    error += (x[i] - value) * (x[i] - value);
  }
  return {norm, error};
}

TEST(RankOne, gaussianMatrix) {
  std::vector<float> x = normalMatrix(1000 * 1000, 1);
  double half = 2 / std::acos(-1.0);
  EXPECT_NEAR(solved(x, 1000, 1000, RankOneRule::RankOne).energy, half, 4e-3);
  EXPECT_NEAR(solved(x, 1000, 1000, RankOneRule::XNOR).energy, half, 4e-3);
}

TEST(RankOne, isNeverBelowXNOR) {
  std::mt19937 random(2);
  for (int i = 0; i < 100; ++i) {
    int64_t m = 1 + random() % 12, n = 1 + random() % 12;
    std::vector<float> x = normalMatrix(m * n, i);
    for (float &v : x)
      v = random() % 3 ? v : 0;
    RankOne best = solved(x, m, n, RankOneRule::RankOne);
    RankOne xnor = solved(x, m, n, RankOneRule::XNOR);
    EXPECT_GE(best.energy, xnor.energy);
    for (const RankOne &r : {best, xnor}) {
      auto [norm, error] = normAndError(x, r);
      EXPECT_NEAR(error, (1 - r.energy) * norm, 1e-9 * norm);
    }
    for (int64_t row = 0; row < m; ++row) {
      double mean = 0;
      for (int64_t j = 0; j < n; ++j)
        mean += std::fabs(double(x[row * n + j])) / double(n);
      EXPECT_NEAR(xnor.rows[row], mean, 1e-12);
    }
  }
}

// The energy of two columns in closed form: the greater eigenvalue of
// [p, r; r, q] = |X|^T |X| over its trace.
TEST(RankOne, equalsEigenvalueOfTwoColumns) {
  for (int seed = 0; seed < 50; ++seed) {
    std::vector<float> x = normalMatrix(2 * 7, seed);
    double p = 0, q = 0, r = 0;
    for (int i = 0; i < 7; ++i) {
      double a = std::fabs(double(x[2 * i])),
             b = std::fabs(double(x[2 * i + 1]));
      p += a * a, q += b * b, r += a * b;
    }
    double largest = (p + q) / 2 + std::sqrt((p - q) * (p - q) / 4 + r * r);
    EXPECT_NEAR(solved(x, 7, 2, RankOneRule::RankOne).energy, largest / (p + q),
                1e-12);
  }
}

TEST(RankOne, exactAndBadData) {
  std::vector<float> x{1, -2, 3, -2, 4, -6};
  EXPECT_NEAR(solved(x, 2, 3, RankOneRule::RankOne).energy, 1, 1e-12);
  RankOne zero = solved({0, -0.0f}, 1, 2, RankOneRule::RankOne);
  EXPECT_EQ(zero.energy, 1);
  EXPECT_EQ(zero.rows, std::vector<double>{0});
  x[4] = -INFINITY;
  EXPECT_EQ(solveRankOne(x.data(), 2, 3, RankOneRule::XNOR).error(),
            "expected finite values, but got -inf at [1, 1]");
  EXPECT_EQ(solveRankOne(x.data(), 0, 3, RankOneRule::XNOR).error(),
            "expected a matrix that is not empty, but got 0 x 3");
}
