//===- LSKTest.cpp - ls-k for three and more planes -----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "bquant/Quant/Cascade.h"
#include "bquant/Quant/Quantize.h"
#include "bquant/Quant/Solve.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace bquant::quant;
using namespace bquant::quant::test;
using Vector = std::vector<float>;

static Quantized quantized(const Vector &x, const std::string &name) {
  Result<Grouping> whole = Grouping::get({int64_t(x.size())}, {});
  Result<Quantized> q = quantize(x.data(), *whole, *Scheme::parse(name));
  EXPECT_TRUE(bool(q)) << q.error();
  return *q;
}

static Vector normalVector(int n, std::mt19937 &random) {
  std::normal_distribution<float> normal;
  Vector x(n);
  for (float &v : x)
    v = normal(random);
  return x;
}

TEST(LSK, isCloseToExhaustiveSearch) {
  std::mt19937 random(20260701);
  long double sum = 0, sumBest = 0;
  for (int i = 0; i < 200; ++i) {
    Vector x = normalVector(1 + i % 7, random);
    long double norm = squaredNorm(x), best = exhaustiveLS3(x) / norm;
    if (x.size() <= 4) {
      ASSERT_NEAR(double(best), double(exhaustiveLS3AllCodes(x) / norm), 1e-15)
          << "vector " << i;
    }
    double error = quantized(x, "ls-3").fit.error;
    EXPECT_GE(error, double(best) - 1e-7) << "vector " << i;
    sum += error;
    sumBest += best;
  }
  // The search of three planes is exact for so few values: that of the cuts.
  EXPECT_LE(sum, sumBest * 1.0001L + 1e-10L);
  EXPECT_GT(sumBest, 0);
}

// As many planes as values leave no error.
TEST(LSK, isExactForKValues) {
  std::mt19937 random(20260702);
  for (int k = 3; k <= 8; ++k)
    for (int n = 1; n <= k; ++n) {
      Vector x = normalVector(n, random);
      EXPECT_LE(quantized(x, "ls-" + std::to_string(k)).fit.error, 1e-12)
          << k << " planes, " << n << " values";
    }
}

TEST(LSK, isNeverWorseThanFewerPlanesOrGreedy) {
  for (int most : {8, 150})
    for (const Case &c : adversarialCases(most)) {
      // What rounding may add, as a part of the whole: greedy scalars of the
      // greatest values add up to inf.
      Result<Grouping> whole = Grouping::get({int64_t(c.x.size())}, {});
      double norm = double(squaredNorm(c.x)), last = 1;
      if (norm == 0)
        continue;
      double slack = 64 * double(roundingAllowance(c.x)) / norm;
      last = quantized(c.x, "ls-2").fit.error;
      for (int k = 3; k <= 5; ++k) {
        std::string planes = std::to_string(k);
        double error = quantized(c.x, "ls-" + planes).fit.error;
        EXPECT_LE(error, last + slack) << c.name << ", " << k << " planes";
        last = error;
        Result<Quantized> greedy =
            quantize(c.x.data(), *whole, *Scheme::parse("gf-" + planes));
        if (greedy) {
          EXPECT_LE(error, greedy->fit.error + slack)
              << c.name << ", " << k << " planes";
        }
      }
    }
}

// Few values among zeros, which their bins of the histogram hide.
TEST(LSK, isNeverWorseThanFewerPlanesOfSparseValues) {
  std::mt19937 random(20261130);
  for (int i = 0; i < 40; ++i) {
    Vector x(900);
    for (int j = 0, count = 4 + i % 20; j < count; ++j)
      x[random() % x.size()] = 0.125f * float(int(random() % 256) - 128);
    double last = quantized(x, "ls-2").fit.error;
    for (int k = 3; k <= 8; ++k) {
      double error = quantized(x, "ls-" + std::to_string(k)).fit.error;
      EXPECT_LE(error, last + 1e-6) << "vector " << i << ", " << k << " planes";
      last = error;
    }
  }
}

// Scalars descend, every value has the nearest of all levels, and the scalars
// cannot be improved by a little.
TEST(LSK, isNearestAndStationary) {
  std::mt19937 random(20260703);
  for (int k : {3, 4, 6}) {
    Vector x = normalVector(3000, random);
    Quantized q = quantized(x, "ls-" + std::to_string(k));
    const Parameters &p = q.parameters;
    for (int i = 1; i < k; ++i)
      EXPECT_GE(p.scalars[i - 1], p.scalars[i]);
    EXPECT_GE(p.scalars[k - 1], 0);

    std::vector<int8_t> signs = q.signs();
    Vector gradient(k);
    for (size_t i = 0; i < x.size(); ++i) {
      double value = 0, nearest = INFINITY;
      for (int j = 0; j < k; ++j)
        value += double(p.scalars[j]) * signs[j * x.size() + i];
      for (int code = 0; code < 1 << k; ++code) {
        double level = 0;
        for (int j = 0; j < k; ++j)
          level += (code >> j) & 1 ? p.scalars[j] : -double(p.scalars[j]);
        nearest = std::fmin(nearest, std::fabs(x[i] - level));
      }
      EXPECT_NEAR(std::fabs(x[i] - value), nearest, 1e-6);
      for (int j = 0; j < k; ++j)
        gradient[j] += (x[i] - value) * signs[j * x.size() + i] / x.size();
    }
    for (int j = 0; j < k; ++j)
      EXPECT_NEAR(gradient[j], 0, 1e-6) << k << " planes, scalar " << j;
  }
}

TEST(LSK, doesNotDependOnSignsOrderOrUnit) {
  std::mt19937 random(20260704);
  Vector x = normalVector(200, random), other(x.rbegin(), x.rend());
  for (float &v : other)
    v *= random() % 2 ? -0x1p30f : 0x1p30f;
  for (const char *name : {"ls-3", "ls-4"}) {
    Vector v = quantized(x, name).parameters.scalars;
    for (float &s : v)
      s *= 0x1p30f;
    EXPECT_EQ(quantized(other, name).parameters.scalars, v);
  }
}

// Where each scalar is at least the sum of those after it, nearest levels are
// the sign cascade; exact arithmetic, so in every bit.
TEST(Levels, areTheCascadeOfSuperdescendingScalars) {
  for (const Vector &v : {Vector{4, 2, 1}, Vector{8, 4, 1}, Vector{7, 3, 2, 1},
                          Vector{2, 0, 0}, Vector{16, 5, 3, 1, 0.5f}}) {
    int k = v.size();
    Vector thresholds((1 << k) - 1);
    std::vector<uint8_t> codes(1 << k);
    nearestLevels(v.data(), k, thresholds.data(), codes.data());
    for (float x = -20; x <= 20; x += 0.125f) {
      int rank = 0;
      for (float t : thresholds)
        rank += t <= x;
      EXPECT_EQ(planesOfCode(codes[rank], k), cascadeCode(x, v.data(), k))
          << x << " with " << k << " scalars from " << v[0];
    }
  }
}

TEST(Levels, orderOfCodes) {
  // -1-1-1, .., levels -3, -1 (three times), 1 (three times), 3.
  Vector v{1, 1, 1}, thresholds(7);
  std::vector<uint8_t> codes(8);
  nearestLevels(v.data(), 3, thresholds.data(), codes.data());
  EXPECT_EQ(thresholds, (Vector{-2, -1, -1, 0, 1, 1, 2}));
  EXPECT_EQ(codes, (std::vector<uint8_t>{0, 1, 2, 4, 3, 5, 6, 7}));
  // v1 < v2 + v3: level +-- lies below -++.
  v = {4, 3, 2};
  nearestLevels(v.data(), 3, thresholds.data(), codes.data());
  EXPECT_EQ(codes, (std::vector<uint8_t>{0, 1, 2, 4, 3, 5, 6, 7}));
  EXPECT_EQ(thresholds, (Vector{-7, -4, -2, 0, 2, 4, 7}));
  // A midpoint that f32 does not hold is rounded up: x >= t is what is meant.
  v = {1.0f, 0x1p-24f};
  nearestLevels(v.data(), 2, thresholds.data(), codes.data());
  EXPECT_GE(double(thresholds[2]), 1.0);
}

// NaN has no order: the codes stay in theirs.
TEST(Levels, badScalars) {
  for (int k = 1; k <= 8; ++k) {
    Vector v(k, 1), thresholds((1 << k) - 1);
    v[k / 2] = NAN;
    std::vector<uint8_t> codes(1 << k), expected(1 << k);
    std::iota(expected.begin(), expected.end(), 0);
    nearestLevels(v.data(), k, thresholds.data(), codes.data());
    EXPECT_EQ(codes, expected);
    for (float threshold : thresholds)
      EXPECT_TRUE(std::isnan(threshold));
  }
}
