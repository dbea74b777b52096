//===- OracleOnline.cpp - Scalars solved from the data --------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Means in the order that the pages give: 32 partial sums in double for each
// run of the values. Splits of sorted magnitudes one by one, with sums in long
// double.
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include <algorithm>
#include <cmath>
#include <limits>

#pragma STDC FP_CONTRACT OFF

using namespace bquant::test;

/// The mean of |x|, times 1 or 0 by `isUsed`, and the number used.
template <typename Used>
static double sum(const std::vector<float> &x, Used isUsed, double &number) {
  // 32 lanes for each of one or eight runs of the values.
  size_t runs = x.size() < 8192 ? 1 : 8;
  size_t length = x.size() / (32 * runs) * 32, whole = runs * length;
  double lanes[8 * 32] = {}, total = 0;
  number = 0;
  for (size_t i = 0; i < x.size(); ++i)
    if (isUsed(x[i])) {
      size_t lane = i < whole ? i / length * 32 + i % length % 32 : i - whole;
      lanes[lane] += std::fabs(double(x[i]));
      ++number;
    }
  for (double lane : lanes)
    total += lane;
  return total;
}

static double mean(const std::vector<float> &x) {
  double number;
  double total = sum(x, [](float) { return true; }, number);
  return total / number;
}

/// The scalars of ls-2 (two levels) or ls-T.
static std::vector<float> split(std::vector<float> a, bool twoLevels) {
  for (float &v : a)
    v = std::fabs(v);
  std::sort(a.begin(), a.end());
  long double total = 0, below = 0, best = -1;
  for (float v : a)
    total += v;
  std::vector<float> scalars;
  long double n = a.size();
  for (size_t i = 0; i < a.size(); ++i) {
    long double n0 = i, n1 = n - n0, upper = total - below;
    long double m0 = i ? below / n0 : 0, m1 = upper / n1;
    // Without a lower part both levels are the mean.
    long double gain = twoLevels ? n0 * m0 * m0 + n1 * m1 * m1 : n1 * m1 * m1;
    if (twoLevels && i == 0)
      m0 = m1;
    // Of equally good ones the smallest lower part, for ls-T the largest.
    long double slack = best * 1e-17L;
    if (twoLevels ? gain > best + slack : gain >= best - slack) {
      best = gain;
      scalars = {float(double((m1 + m0) / 2)), float(double((m1 - m0) / 2))};
      if (!twoLevels)
        scalars = {float(double(m1 / 2))};
    }
    below += a[i];
  }
  return scalars;
}

/// Of one set of values; for twn also what is between its levels.
static std::vector<float> solve(const std::vector<float> &x, OnlineRule rule,
                                const Codes &type, double &threshold) {
  std::vector<float> scalars(type.numScalars());
  if (!std::all_of(x.begin(), x.end(),
                   [](float v) { return std::isfinite(v); })) {
    threshold = std::nan("");
    std::fill(scalars.begin(), scalars.end(), std::nanf(""));
    return scalars;
  }
  if (rule == OnlineRule::TernaryWeights) {
    threshold = 0.7 * mean(x);
    double number;
    double total = sum(
        x, [&](float v) { return std::fabs(double(v)) > threshold; }, number);
    return {number > 0 ? float(total / number / 2) : 0};
  }
  if (rule == OnlineRule::LeastSquares && type.planes > 1)
    return split(x, type.ratios.empty());
  std::vector<float> r = x;
  for (float &scalar : scalars) {
    scalar = float(mean(r));
    for (float &v : r)
      v = v >= 0 ? v - scalar : v + scalar;
  }
  return scalars;
}

Codes bquant::test::quantizeOnline(const Array &x, OnlineRule rule,
                                   Codes type) {
  int64_t groups = type.axisSize();
  std::vector<std::vector<float>> sets(groups);
  for (int64_t n = 0; n < count(x.shape); ++n)
    sets[type.alongAxes(n)].push_back(x.floats[n]);
  type.scalars.assign(type.numScalars() * groups, 0);
  std::vector<double> thresholds(groups);
  for (int64_t g = 0; g < groups; ++g) {
    std::vector<float> scalars = solve(sets[g], rule, type, thresholds[g]);
    for (size_t i = 0; i < scalars.size(); ++i)
      type.scalars[i * groups + g] = scalars[i];
  }
  if (rule != OnlineRule::TernaryWeights)
    return quantizeByScalars(x, type);

  // -2v below -D, 2v above D, else 0: -+ for a negative value, +- for others.
  type.codes.clear();
  for (int64_t n = 0; n < count(x.shape); ++n) {
    double v = x.floats[n], d = thresholds[type.alongAxes(n)];
    uint8_t code = v >= 0 ? 2 : 0;
    if (v > d || (v < 0 && v >= -d))
      code |= 1;
    type.codes.push_back(code);
  }
  return type;
}
