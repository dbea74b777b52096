//===- StraightThroughTest.cpp - Cascades and their gradients -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against the formulas of StraightThrough.h in double. All numbers are
// quarters, so both are exact, and residues of 0 and slopes at their ends are
// frequent.
//
//===----------------------------------------------------------------------===//

#include "bquant/Quant/StraightThrough.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

using namespace bquant::quant;
using Vector = std::vector<float>;

static double slopeAt(double r, Slope slope) {
  if (std::fabs(r) > 1)
    return 0;
  return slope == Slope::HardTanh ? 1 : 2 - 2 * std::fabs(r);
}

/// x^q and dx^q/dx.
static std::pair<double, double>
expected(double x, const std::vector<double> &v, double d, Slope slope) {
  double r = std::clamp(x, -d, d), sum = 0, change = 0;
  double g = std::fabs(x) <= d ? 1 : 0, inside = g;
  for (double scalar : v) {
    double h = scalar * slopeAt(r, slope), term = r < 0 ? -scalar : scalar;
    change += h * g;
    g -= h * g;
    sum += term;
    r -= term;
  }
  return {sum, slope == Slope::Identity ? inside : change};
}

TEST(StraightThrough, equalsTheFormulas) {
  std::mt19937 random(20261126);
  auto quarters = [&](Vector &x, int least, int most) {
    for (float &value : x)
      value =
          float(std::uniform_int_distribution<int>(least, most)(random)) / 4;
  };
  for (int64_t planes = 1; planes <= 8; ++planes)
    for (bool isTernary : {false, true})
      for (float clamp : {1.0f, 1.5f, INFINITY}) {
        if (isTernary && planes != 2)
          continue;
        SCOPED_TRACE(std::to_string(planes) + (isTernary ? " equal" : "") +
                     " planes, up to " + std::to_string(clamp));
        int64_t groups = 3, size = 50;
        Vector x(groups * size), gradient(groups * size);
        Vector scalars((isTernary ? 1 : planes) * groups);
        quarters(x, -12, 12);
        quarters(gradient, -8, 8);
        quarters(scalars, 0, 6);
        CascadeArray array{x.data(), groups,    size, scalars.data(),
                           planes,   isTernary, clamp};
        Vector values(x.size()), changes(x.size());
        cascade(array, values.data());
        for (Slope slope :
             {Slope::HardTanh, Slope::Identity, Slope::ApproxSign}) {
          cascadeGradient(array, slope, gradient.data(), changes.data());
          for (int64_t i = 0; i < groups * size; ++i) {
            std::vector<double> own;
            for (int64_t k = 0; k < planes; ++k)
              own.push_back(scalars[(isTernary ? 0 : k * groups) + i / size]);
            auto [value, change] = expected(x[i], own, clamp, slope);
            EXPECT_EQ(values[i], value) << "of " << x[i];
            EXPECT_FLOAT_EQ(changes[i], float(gradient[i] * change))
                << "of " << x[i];
          }
        }
      }
}

TEST(StraightThrough, ofNaN) {
  float x = NAN, scalars[] = {2, 1}, value;
  cascade({&x, 1, 1, scalars, 2, false, INFINITY}, &value);
  EXPECT_EQ(value, -3);
}
