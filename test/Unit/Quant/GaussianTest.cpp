//===- GaussianTest.cpp - The table of schemes on N(0, 1) -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x_i = Phi^-1((i + 1/2) / N), N = 2 million: the normal distribution without
// sampling noise. The figures are those of the paper's table, by integration;
// for ls-3 and ls-4 integration under a search by Nelder and Mead's method from
// 40 starts.
//
//===----------------------------------------------------------------------===//

#include "bquant/Quant/Quantize.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace bquant::quant;

static std::vector<float> normalQuantiles(int64_t n) {
  std::vector<float> x(n);
  const double root2 = std::sqrt(2.0), norm = std::sqrt(2 * std::acos(-1.0));
  double z = 0;
  for (int64_t i = n / 2; i < n; ++i) {
    // Solves Q(z) = q for the upper tail, from the value before: the tail is
    // convex, so Newton's steps stay below the root and rise to it.
    double q = (double(n - i) - 0.5) / double(n);
    for (double step = 1; std::fabs(step) > 1e-10; z += step)
      step = (0.5 * std::erfc(z / root2) - q) * norm * std::exp(z * z / 2);
    x[i] = float(z);
    x[n - 1 - i] = float(-z);
  }
  return x;
}

namespace {
struct Row {
  const char *scheme;
  double error, angle;
  std::vector<double> scalars;
};
} // namespace

TEST(Gaussian, table) {
  std::vector<float> x = normalQuantiles(2000000);
  Result<Grouping> whole = Grouping::get({int64_t(x.size())}, {});
  ASSERT_TRUE(bool(whole));
  const Row rows[] = {
      {"ls-1", .3633802, 37.071, {.7978846}},
      {"ls-2", .1174818, 20.045, {.9815988, .5288188}},
      {"ls-T", .1901740, 25.855, {1.2240064 / 2}},
      {"ls-3", .0352671, 10.824, {.98825, .74815, .45103}},
      {"ls-4", .0098900, 5.7074, {}},
      {"twn", .1916248, 25.960, {.5920804}},
      {"gf-1", .3633802, 37.071, {.7978846}},
      {"gf-2", .1304541, 20.793, {.7978846, .4826242}},
      {"gf-3", .0583936, 13.452, {}},
      {"gf-4", .0328977, 9.904, {.798, .483, .268, .160}},
  };
  for (const Row &row : rows) {
    Result<Quantized> q =
        quantize(x.data(), *whole, *Scheme::parse(row.scheme));
    ASSERT_TRUE(bool(q)) << q.error();
    EXPECT_NEAR(q->fit.error, row.error, 2e-4) << row.scheme;
    EXPECT_NEAR(q->fit.angle, row.angle, 0.02) << row.scheme;
    for (size_t i = 0; i < row.scalars.size(); ++i)
      EXPECT_NEAR(q->parameters.scalars[i], row.scalars[i],
                  row.scheme == std::string("gf-4")   ? 6e-4
                  : row.scheme == std::string("ls-3") ? 2e-3 // flat
                                                      : 2e-4)
          << row.scheme << ", scalar " << i;
  }
}

// Half-wave Gaussian quantization: for the positive half of N(0, 1) no other
// step is better, and the error is that of the integral.
TEST(Gaussian, halfWave) {
  std::vector<float> x = normalQuantiles(200000);
  x.erase(x.begin(), x.begin() + x.size() / 2);
  Result<Grouping> whole = Grouping::get({int64_t(x.size())}, {});
  ASSERT_TRUE(bool(whole));
  const double errors[] = {.3633802, .0864413, .0204060, .0050253};
  for (int k = 1; k <= 4; ++k) {
    Scheme scheme = *Scheme::parse("hwgq-" + std::to_string(k));
    Result<Quantized> q = quantize(x.data(), *whole, scheme);
    ASSERT_TRUE(bool(q)) << q.error();
    EXPECT_NEAR(q->fit.error, errors[k - 1], 1e-4);
    for (float factor : {0.99f, 1.01f}) {
      Parameters other = q->parameters;
      for (float &value : other.scalars)
        value *= factor;
      for (float &value : other.offsets)
        value *= factor;
      for (float &value : other.thresholds)
        value *= factor;
      Fit fit;
      Outputs outputs;
      outputs.fit = &fit;
      auto failure =
          applyParameters(x.data(), *whole, scheme.planes, other, outputs);
      ASSERT_FALSE(failure) << failure->message;
      EXPECT_GT(fit.error, q->fit.error);
    }
  }
}
