//===- BaselinesTest.cpp - twn, dorefa-k, hwgq-k, bwn ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each value against the formula of the scheme's paper, in double.
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "bquant/Quant/Quantize.h"
#include "bquant/Quant/Solve.h"

#include <cfloat>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <tuple>

using namespace bquant::quant;
using Vector = std::vector<float>;

static Vector quantizedValues(const Vector &x, const std::string &name) {
  Result<Grouping> whole = Grouping::get({int64_t(x.size())}, {});
  Scheme scheme = *Scheme::parse(name);
  Parameters parameters;
  Result<int64_t> zeros = solveParameters(x.data(), *whole, scheme, parameters);
  EXPECT_TRUE(bool(zeros)) << zeros.error();
  Vector decoded(x.size());
  Outputs outputs;
  outputs.decoded = decoded.data();
  auto failure =
      applyParameters(x.data(), *whole, scheme.planes, parameters, outputs);
  EXPECT_FALSE(failure) << failure->message;
  return decoded;
}

static Vector randomValues(int n, unsigned seed, float scale) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  Vector x(n);
  for (float &v : x)
    v = scale * normal(random);
  return x;
}

/// Compares the values with those of a formula. `tolerance` is for the f32 of
/// decoded values, far less than the distance of levels.
static void expectValues(const std::string &name, const Vector &x,
                         const std::function<double(double)> &formula,
                         double tolerance) {
  Vector decoded = quantizedValues(x, name);
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(decoded[i], formula(x[i]), tolerance) << name << " of " << x[i];
}

TEST(Baselines, twn) {
  for (const test::Case &c : test::adversarialCases(60)) {
    double mean = 0, largest = 0, sum = 0, count = 0;
    for (float v : c.x) {
      mean += std::fabs(double(v)) / double(c.x.size());
      largest = std::fmax(largest, std::fabs(double(v)));
    }
    bool isTie = false;
    for (float v : c.x) {
      bool isOver = std::fabs(double(v)) > 0.7 * mean;
      isTie |= std::fabs(std::fabs(double(v)) / (0.7 * mean) - 1) < 1e-12;
      sum += isOver ? std::fabs(double(v)) : 0;
      count += isOver;
    }
    if (isTie || largest > 1e38) // twice the largest half scalar
      continue;
    expectValues(
        "twn", c.x,
        [&](double v) {
          return std::fabs(v) > 0.7 * mean ? std::copysign(sum / count, v) : 0;
        },
        std::fmax(largest * 0x1p-22, 0x1p-148));
  }
  // A value on the threshold goes to 0, on either side: 0.7 * 10 = 7.
  EXPECT_EQ(quantizedValues({7, -7, 16, -10}, "twn"), (Vector{0, 0, 13, -13}));
  EXPECT_EQ(quantizedValues({0, -0.0f, 0}, "twn"), (Vector{0, 0, 0}));
}

TEST(Baselines, bwnIsLS1) {
  Vector x = randomValues(500, 1, 3);
  EXPECT_EQ(quantizedValues(x, "bwn"), quantizedValues(x, "ls-1"));
}

TEST(Baselines, dorefaActivations) {
  Vector x = randomValues(4000, 2, 1);
  x.insert(x.end(), {0, -0.0f, 1, -1, 0.5f, FLT_MAX, -FLT_MAX, FLT_TRUE_MIN});
  for (int k = 1; k <= 8; ++k) {
    double n = (1 << k) - 1;
    expectValues(
        "dorefa-" + std::to_string(k), x,
        [n](double v) {
          return std::floor(n * std::fmin(std::fmax(v, 0), 1) + 0.5) / n;
        },
        1e-6);
  }
  // Halves go up: 1/2 of one step and of three.
  EXPECT_EQ(quantizedValues({0.5f, std::nextafter(0.5f, 0.0f)}, "dorefa-1"),
            (Vector{1, 0}));
}

TEST(Baselines, dorefaWeights) {
  for (float scale : {0.05f, 1.0f, 30.0f}) {
    Vector x = randomValues(3000, 3, scale);
    x.push_back(0);
    double largest = 0;
    for (float v : x)
      largest = std::fmax(largest, std::fabs(std::tanh(double(v))));
    for (int k = 2; k <= 8; ++k) {
      double n = (1 << k) - 1;
      expectValues(
          "dorefa-w-" + std::to_string(k), x,
          [&](double v) {
            double unit = std::tanh(v) / (2 * largest) + 0.5;
            return 2 * (std::floor(n * unit + 0.5) / n) - 1;
          },
          1e-6);
    }
    EXPECT_EQ(quantizedValues(x, "dorefa-w-1"), quantizedValues(x, "ls-1"));
  }
  EXPECT_EQ(quantizedValues({0, 0}, "dorefa-w-2"), (Vector{0, 0}));
}

TEST(Baselines, hwgq) {
  Vector x = randomValues(4000, 4, 1.5f);
  x.insert(x.end(), {0, -0.0f, FLT_TRUE_MIN, -FLT_TRUE_MIN, FLT_MAX, -FLT_MAX});
  // The step published for two bits, .538.
  EXPECT_NEAR(quantizedValues({0.1f}, "hwgq-2")[0], .538, 1e-3);
  for (int k = 1; k <= 8; ++k) {
    std::string name = "hwgq-" + std::to_string(k);
    double n = (1 << k) - 1, step = quantizedValues({100}, name)[0] / n;
    expectValues(
        name, x,
        [&](double v) {
          double nearest = std::ceil(v / step - 0.5);
          return v <= 0 ? 0 : step * std::fmin(std::fmax(nearest, 1), n);
        },
        n * step * 1e-6);
  }
}

// Whatever the memory held before.
TEST(Baselines, writeAllOfTheirSolution) {
  Vector x = randomValues(300, 5, 1);
  for (const char *name : {"twn", "dorefa-1", "dorefa-3", "dorefa-w-1",
                           "dorefa-w-3", "hwgq-1", "hwgq-3"}) {
    Scheme scheme = *Scheme::parse(name);
    std::vector<char> scratch(solveScratchBytes(scheme, x.size()));
    auto solve = [&](float value, uint8_t code) {
      int64_t ranks = scheme.planes.numCodes();
      Vector scalars(scheme.planes.numScalars(), value);
      Vector thresholds(ranks - 1, value);
      std::vector<uint8_t> codes(ranks, code);
      float offset = 0;
      bquant::quant::solve(
          scheme, x.data(), x.size(),
          {scalars.data(), &offset, thresholds.data(), codes.data()},
          scratch.data());
      return std::tuple(scalars, thresholds, codes);
    };
    EXPECT_EQ(solve(7, 0), solve(-7, 1)) << name;
  }
}
