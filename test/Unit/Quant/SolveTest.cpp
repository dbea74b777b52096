//===- SolveTest.cpp - The solvers against exhaustive search --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Quant/Solve.h"

#include "Oracle.h"
#include "bquant/Quant/Cascade.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace bquant::quant;
using namespace bquant::quant::test;

static Scheme scheme(const char *name) { return *Scheme::parse(name); }

static std::vector<float> solved(const char *name,
                                 const std::vector<float> &x) {
  Scheme s = scheme(name);
  std::vector<float> scalars(s.planes.numScalars());
  std::vector<uint64_t> scratch(solveScratchBytes(s, x.size()) / 8 + 1);
  solve(s, x.data(), x.size(), scalars.data(), scratch.data());
  return scalars;
}

/// ||x - x^q||^2, with x^q as the f32 cascade decodes it.
static long double squaredError(const char *name, const std::vector<float> &x,
                                const std::vector<float> &scalars) {
  Planes planes = scheme(name).planes;
  std::vector<float> factors(planes.count);
  for (int64_t i = 0; i < planes.count; ++i)
    factors[i] = planes.ratios.empty() ? scalars[i] : scalars[0];
  long double error = 0;
  for (float v : x) {
    unsigned code = cascadeCode(v, factors.data(), planes.count);
    float q = planes.ratios.empty()
                  ? decodeIndependent(code, scalars.data(), planes.count)
                  : decodeRatios(code, planes.ratios, scalars[0]);
    error += ((long double)v - q) * ((long double)v - q);
  }
  return error;
}

/// Holds the error of a scheme to the optimum found by `search`.
static void expectOptimal(const char *name, const Case &c,
                          long double (*search)(const std::vector<float> &)) {
  long double error = squaredError(name, c.x, solved(name, c.x));
  long double best = search(c.x), slack = roundingAllowance(c.x);
  EXPECT_LE(error, best + slack) << name << ": " << c.name;
  EXPECT_GE(error, best - slack) << name << ": " << c.name;
}

/// Equal errors may have two splits, told apart by rounding only: what sorting
/// finds is compared by its error.
static long double errorOfSortedLS2(const std::vector<float> &x) {
  return squaredError("ls-2", x, sortedLS2(x));
}
static long double errorOfSortedLST(const std::vector<float> &x) {
  return squaredError("ls-T", x, sortedLST(x));
}

TEST(Solve, equalsExhaustiveSearch) {
  int tried = 0;
  for (const Case &c : adversarialCases(8)) {
    // 4^N assignments: all 8 values for some of the vectors only.
    if (c.x.size() > 6 && ++tried % 4 != 0)
      continue;
    expectOptimal("ls-1", c, exhaustiveLS1);
    expectOptimal("ls-2", c, exhaustiveLS2);
    expectOptimal("ls-T", c, exhaustiveLST);
  }
}

TEST(Solve, equalsScanOfAllSplits) {
  for (int most : {12, 150}) {
    std::vector<Case> cases = adversarialCases(most);
    ASSERT_GE(cases.size(), 100u);
    for (const Case &c : cases) {
      expectOptimal("ls-2", c, scanSplitsLS2);
      expectOptimal("ls-T", c, scanSplitsLST);
    }
  }
}

// Enough values for the splits to be narrowed down: every pattern in several
// lengths.
TEST(Solve, equalsSortingOfManyValues) {
  for (int most : {100, 400, 6000})
    for (const Case &c : adversarialCases(most)) {
      expectOptimal("ls-2", c, errorOfSortedLS2);
      expectOptimal("ls-T", c, errorOfSortedLST);
    }
  std::mt19937 random(20260801);
  std::normal_distribution<float> normal;
  for (int n : {97, 500, 4608, 50000})
    for (float mean : {0.0f, 3.0f, 1000.0f}) {
      std::vector<float> x(n);
      for (float &v : x)
        v = mean + normal(random);
      EXPECT_EQ(solved("ls-2", x), sortedLS2(x)) << n << ", " << mean;
      EXPECT_EQ(solved("ls-T", x), sortedLST(x)) << n << ", " << mean;
    }
}

// Numbers of values around those of vectors, chunks and parts, in several
// orders.
TEST(Solve, equalsSortingOfAnyNumberOfValues) {
  std::mt19937 random(20261125);
  std::normal_distribution<float> normal;
  std::vector<int> sizes{512,  1000, 1023, 1024, 1025, 3136,
                         4095, 4096, 4097, 4159, 8193};
  for (int n = 1; n <= 140; ++n)
    sizes.push_back(n);
  for (int n : sizes) {
    std::vector<float> x(n);
    for (float &v : x)
      v = normal(random);
    std::vector<float> v = sortedLS2(x), t = sortedLST(x);
    auto less = [](float a, float b) { return std::fabs(a) < std::fabs(b); };
    for (const char *order : {"drawn", "sorted", "reversed"}) {
      EXPECT_EQ(solved("ls-2", x), v) << n << " " << order;
      EXPECT_EQ(solved("ls-T", x), t) << n << " " << order;
      if (order[0] == 'd')
        std::sort(x.begin(), x.end(), less);
      else
        std::reverse(x.begin(), x.end());
    }
    // Rectified, and clamped to a few values that are equal.
    Case rectified{"rectified", x}, clamped{"clamped", x};
    for (float &v : rectified.x)
      v = std::fmax(v, 0.0f);
    for (float &v : clamped.x)
      v = std::clamp(v, -0.9f, 0.9f);
    for (const Case &c : {rectified, clamped}) {
      expectOptimal("ls-2", c, errorOfSortedLS2);
      expectOptimal("ls-T", c, errorOfSortedLST);
    }
  }
}

// Three bunches have a split between each two, either of which may be the best;
// where a guess from the middle of the levels ends depends on the data.
TEST(Solve, findsBestOfSeveralGoodSplits) {
  std::mt19937 random(20261126);
  auto uniform = [&] { return float(random() >> 8) * 0x1p-24f; };
  for (int round = 0; round < 200; ++round) {
    float distance = 1 + 30 * uniform(), width = uniform();
    int sizes[] = {int(random() % 700) + 30, int(random() % 700) + 30,
                   int(random() % 60) + 1};
    std::vector<float> x;
    for (int bunch = 0; bunch < 3; ++bunch)
      for (int i = 0; i < sizes[bunch]; ++i)
        x.push_back((bunch == 2 ? distance : float(bunch)) + width * uniform());
    std::shuffle(x.begin(), x.end(), random);
    EXPECT_EQ(solved("ls-2", x), sortedLS2(x)) << round;
    EXPECT_EQ(solved("ls-T", x), sortedLST(x)) << round;
  }
}

// The vectors that are sampled to guess the split, each 195th and each 11th,
// are not like the others.
TEST(Solve, findsSplitFarFromTheGuess) {
  std::mt19937 random(20261127);
  std::normal_distribution<float> normal;
  for (float factor : {0.01f, 30.0f, 1e6f}) {
    std::vector<float> x(100000);
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = normal(random) *
             ((i / 16) % 195 == 0 || (i / 16) % 11 == 0 ? 1 : factor);
    EXPECT_EQ(solved("ls-2", x), sortedLS2(x)) << factor;
    EXPECT_EQ(solved("ls-T", x), sortedLST(x)) << factor;
  }
}

// Two bunches between two of the first cuts, and a few values that make a split
// at another better than those at the ends of this bucket: that the best split
// lies inside shows only by the bound of its interior.
TEST(Solve, findsSplitInsideOfBucket) {
  std::vector<float> x{0.0f, 0.35f, 1.0f};
  x.resize(514, 0.5001f);
  x.resize(1024, 0.5311f);
  EXPECT_EQ(solved("ls-2", x), sortedLS2(x));
  EXPECT_GT(solved("ls-2", x)[0], 0.5f);
}

// Splits of exactly equal error: {0 | 1, 2} and {0, 1 | 2}; {1, 1, 1, 3 |} and
// {1, 1, 1 | 3}.
TEST(Solve, takesOneOfEqualSplits) {
  EXPECT_EQ(solved("ls-2", {0, 1, 2}), (std::vector<float>{0.75f, 0.75f}));
  EXPECT_EQ(solved("ls-T", {1, 1, 1, 3}), (std::vector<float>{1.5f}));
}

// Many values with every pattern of the vectors above.
TEST(Solve, equalsScanOfAllSplitsOfManyValues) {
  std::vector<float> x;
  for (const Case &c : adversarialCases(12))
    for (float v : c.x)
      if (std::fabs(v) > 1e-3f && std::fabs(v) < 1e3f)
        x.push_back(v);
  size_t once = x.size();
  while (x.size() < 1500)
    x.push_back(x[x.size() - once] * 1.001f);
  ASSERT_GE(x.size(), 1500u);
  expectOptimal("ls-2", {"many values", x}, scanSplitsLS2);
  expectOptimal("ls-T", {"many values", x}, scanSplitsLST);
}

// At the optimum v1 is half the sum, v2 half the difference of the means over
// and under v1, and for ternary 2v is the mean over v.
TEST(Solve, optimalityConditions) {
  for (int most : {8, 150})
    for (const Case &c : adversarialCases(most)) {
      std::vector<float> v = solved("ls-2", c.x);
      double largest = 0, over = 0, under = 0;
      int64_t numOver = 0, numUnder = 0, numAt = 0;
      for (float x : c.x) {
        double a = std::fabs(x);
        largest = std::fmax(largest, a);
        numAt += a == v[0];
        (a > v[0] ? numOver : numUnder) += 1;
        (a > v[0] ? over : under) += a;
      }
      double step = std::fmax(largest * 0x1p-22, 0x1p-148);
      EXPECT_GE(v[1], 0) << c.name;
      EXPECT_LE(v[1], v[0] + step) << c.name;
      // A value on the threshold fits both levels; which part has it is open.
      if (numAt == 0 && numOver && numUnder) {
        EXPECT_NEAR(v[0], (over / numOver + under / numUnder) / 2, step)
            << c.name;
        EXPECT_NEAR(v[1], (over / numOver - under / numUnder) / 2, step)
            << c.name;
      }

      float t = solved("ls-T", c.x)[0];
      over = numOver = numAt = 0;
      for (float x : c.x) {
        numAt += std::fabs(x) == t;
        numOver += std::fabs(x) > t;
        over += std::fabs(x) > t ? std::fabs(double(x)) : 0;
      }
      if (numAt == 0 && numOver) {
        EXPECT_NEAR(2 * double(t), over / numOver, 2 * step) << c.name;
      }
    }
}

TEST(Solve, greedyIsMeanOfResidual) {
  for (const Case &c : adversarialCases(40)) {
    std::vector<float> v = solved("gf-4", c.x), r = c.x;
    for (int i = 0; i < 4; ++i) {
      long double mean = 0;
      for (float x : r)
        mean += std::fabs((long double)x) / r.size();
      EXPECT_NEAR(v[i], double(mean), std::fmax(mean * 0x1p-23, 0x1p-149))
          << c.name;
      for (float &x : r)
        x = x >= 0 ? x - v[i] : x + v[i];
    }
    EXPECT_EQ(solved("gf-1", c.x), solved("ls-1", c.x)) << c.name;
  }
}

TEST(Solve, doesNotDependOnTheUnit) {
  for (const Case &c : adversarialCases(30)) {
    float largest = 0, least = INFINITY;
    for (float x : c.x) {
      largest = std::fmax(largest, std::fabs(x));
      if (x != 0)
        least = std::fmin(least, std::fabs(x));
    }
    if (largest > 1e30f || least < 1e-30f)
      continue; // would leave the normal range
    std::vector<float> scaled(c.x);
    for (float &x : scaled)
      x *= 0x1p-20f;
    for (const char *name : {"ls-1", "ls-2", "ls-T", "gf-3"}) {
      std::vector<float> v = solved(name, c.x);
      for (float &s : v)
        s *= 0x1p-20f;
      EXPECT_EQ(solved(name, scaled), v) << name << ": " << c.name;
    }
  }
}

TEST(Solve, badDataDoesNoHarm) {
  for (const char *name : {"ls-1", "ls-2", "ls-T", "gf-3"})
    for (size_t n : {1, 5, 3000}) {
      std::vector<float> x(n, NAN);
      solved(name, x);
      x[n / 2] = INFINITY;
      solved(name, x);
      EXPECT_EQ(solved(name, std::vector<float>(n, 0.0f))[0], 0.0f);
    }
}
