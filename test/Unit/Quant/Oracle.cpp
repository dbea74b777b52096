//===- Oracle.cpp - What the solvers are tested against -------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <random>

using namespace bquant::quant::test;

using Vector = std::vector<float>;

std::vector<Case> bquant::quant::test::adversarialCases(int most) {
  std::vector<Case> cases;
  std::mt19937 random(20260601);
  auto uniform = [&] { return float(random() >> 8) * 0x1p-24f; };
  auto pick = [&](int n) { return int(random() % n); };
  auto normal = [&] {
    float sum = 0;
    for (int i = 0; i < 12; ++i)
      sum += uniform();
    return sum - 6;
  };
  auto add = [&](const char *name, int n, auto value) {
    Vector x(n);
    for (float &v : x)
      v = value() * (pick(2) ? 1.0f : -1.0f);
    cases.push_back({name + (" " + std::to_string(cases.size())), x});
  };

  for (float v : {0.0f, -0.0f, 1.0f, -3.0f, 1e38f, -1e38f, 1e-38f, 1e-45f})
    cases.push_back({"one value", {v}});
  cases.push_back({"zeros", Vector(most, 0.0f)});
  cases.push_back({"signed zeros", {0.0f, -0.0f, -0.0f}});
  cases.push_back({"zeros and one", {0.0f, -0.0f, 1.0f, 0.0f}});
  cases.push_back({"largest", Vector(most, FLT_MAX)});
  cases.push_back({"least", Vector(most, -FLT_TRUE_MIN)});
  for (int round = 0; round < 8; ++round) {
    int n = round == 0 ? most : 2 + pick(most - 1);
    float a = uniform() + 0.1f;
    add("normal", n, normal);
    add("ties of three", n, [&] { return float(pick(3)); });
    add("ties of six", n, [&] { return 0.1f * float(1 + pick(6)); });
    add("all equal", n, [&] { return a; });
    add("two bunches", n, [&] { return (pick(2) ? 1.0f : 10.0f) + uniform(); });
    add("two close bunches", n, [&] {
      return (pick(2) ? 1.0f : 1.0f + 0x1p-20f) + 0x1p-23f * pick(4);
    });
    add("neighbours", n, [&] { return 1.0f + 0x1p-23f * float(pick(8)); });
    add("heavy tail", n, [&] { return std::pow(uniform() + 1e-6f, -2.0f); });
    add("exponents", n, [&] { return std::ldexp(1.0f, pick(250) - 125); });
    add("huge", n, [&] { return 2e38f * uniform(); });
    add("tiny", n, [&] { return 2e-38f * uniform(); });
    add("subnormal", n, [&] { return FLT_TRUE_MIN * float(pick(100)); });
    add("some zeros", n, [&] { return pick(2) ? 0.0f : uniform(); });
    add("one outlier", n, uniform);
    cases.back().x[pick(n)] = 1e6f;
    add("one huge outlier", n, uniform);
    cases.back().x[pick(n)] = -3e38f;
  }
  return cases;
}

long double bquant::quant::test::squaredNorm(const Vector &x) {
  long double sum = 0;
  for (float v : x)
    sum += (long double)v * v;
  return sum;
}

long double bquant::quant::test::exhaustiveLS1(const Vector &x) {
  int n = x.size();
  long double best = INFINITY;
  for (int signs = 0; signs < 1 << n; ++signs) {
    auto s = [&](int i) { return (signs >> i) & 1 ? 1 : -1; };
    long double v = 0, error = 0;
    for (int i = 0; i < n; ++i)
      v += (long double)x[i] * s(i) / n;
    for (int i = 0; i < n; ++i)
      error += (x[i] - v * s(i)) * (x[i] - v * s(i));
    best = std::min(best, error);
  }
  return best;
}

/// The error of given pairs of signs, with the least-squares scalars: solves
/// the normal equations [n, c; c, n] v = b.
static long double errorOfPairs(const Vector &x, int first, int second) {
  int n = x.size();
  auto s1 = [&](int i) { return (first >> i) & 1 ? 1 : -1; };
  auto s2 = [&](int i) { return (second >> i) & 1 ? 1 : -1; };
  long double b1 = 0, b2 = 0, c = 0;
  for (int i = 0; i < n; ++i) {
    b1 += (long double)x[i] * s1(i);
    b2 += (long double)x[i] * s2(i);
    c += s1(i) * s2(i);
  }
  long double v1 = b1 / n, v2 = 0; // equal or opposite planes count as one
  if (std::fabs(c) < n) {
    v1 = (n * b1 - c * b2) / (n * (long double)n - c * c);
    v2 = (n * b2 - c * b1) / (n * (long double)n - c * c);
  }
  long double error = 0;
  for (int i = 0; i < n; ++i) {
    long double e = x[i] - v1 * s1(i) - v2 * s2(i);
    error += e * e;
  }
  return error;
}

long double bquant::quant::test::exhaustiveLS2(const Vector &x) {
  long double best = INFINITY;
  for (int first = 0; first < 1 << x.size(); ++first)
    for (int second = 0; second < 1 << x.size(); ++second)
      best = std::min(best, errorOfPairs(x, first, second));
  return best;
}

long double bquant::quant::test::exhaustiveLST(const Vector &x) {
  int n = x.size();
  long double best = INFINITY;
  for (int first = 0; first < 1 << n; ++first)
    for (int second = 0; second < 1 << n; ++second) {
      auto level = [&](int i) {
        return ((first >> i) & 1 ? 1 : -1) + ((second >> i) & 1 ? 1 : -1);
      };
      long double b = 0, c = 0, error = 0;
      for (int i = 0; i < n; ++i) {
        b += (long double)x[i] * level(i);
        c += level(i) * level(i);
      }
      long double v = c > 0 ? b / c : 0;
      for (int i = 0; i < n; ++i)
        error += (x[i] - v * level(i)) * (x[i] - v * level(i));
      best = std::min(best, error);
    }
  return best;
}

/// The least squared error of planes[p][i] = +-1 with the best scalars: what is
/// left of x once the planes, made orthogonal one after the other, are taken
/// out.
static long double errorOfPlanes(const Vector &x, int (*planes)[8], int k) {
  int n = x.size();
  long double basis[3][8], rest[8];
  for (int i = 0; i < n; ++i)
    rest[i] = std::fabs((long double)x[i]);
  auto takeOut = [n](long double *from, const long double *direction) {
    long double dot = 0, norm = 0;
    for (int i = 0; i < n; ++i) {
      dot += from[i] * direction[i];
      norm += direction[i] * direction[i];
    }
    if (norm > 1e-9L) // else it depends on those before
      for (int i = 0; i < n; ++i)
        from[i] -= dot / norm * direction[i];
  };
  for (int p = 0; p < k; ++p) {
    for (int i = 0; i < n; ++i)
      basis[p][i] = planes[p][i];
    for (int q = 0; q < p; ++q)
      takeOut(basis[p], basis[q]);
    takeOut(rest, basis[p]);
  }
  long double error = 0;
  for (int i = 0; i < n; ++i)
    error += rest[i] * rest[i];
  return error;
}

/// All assignments of `numCodes` codes of three planes.
static long double exhaustiveThree(const Vector &x, const int *codes,
                                   int numCodes) {
  int n = x.size();
  int64_t assignments = 1;
  for (int i = 0; i < n; ++i)
    assignments *= numCodes;
  long double best = INFINITY;
  int planes[3][8];
  for (int64_t a = 0; a < assignments; ++a) {
    int64_t digits = a;
    for (int i = 0; i < n; ++i, digits /= numCodes)
      for (int p = 0; p < 3; ++p)
        planes[p][i] = (codes[digits % numCodes] >> p) & 1 ? 1 : -1;
    best = std::min(best, errorOfPlanes(x, planes, 3));
  }
  return best;
}

long double bquant::quant::test::exhaustiveLS3(const Vector &x) {
  // Bit p is plane p: +++, ++-, +-+, +--, -++.
  const int codes[] = {7, 3, 5, 1, 6};
  return exhaustiveThree(x, codes, 5);
}

long double bquant::quant::test::exhaustiveLS3AllCodes(const Vector &x) {
  const int codes[] = {0, 1, 2, 3, 4, 5, 6, 7};
  return exhaustiveThree(x, codes, 8);
}

/// Sum of (|x| - level)^2 over a part of sorted magnitudes; the level is the
/// mean of the part unless given.
static long double partError(const Vector &sorted, size_t from, size_t to,
                             bool toZero) {
  long double mean = 0, error = 0;
  for (size_t i = from; i < to && !toZero; ++i)
    mean += sorted[i] / (long double)(to - from);
  for (size_t i = from; i < to; ++i)
    error += (sorted[i] - mean) * (sorted[i] - mean);
  return error;
}

static long double scanSplits(const Vector &x, bool lowerToZero) {
  Vector sorted(x);
  for (float &v : sorted)
    v = std::fabs(v);
  std::sort(sorted.begin(), sorted.end());
  long double best = INFINITY;
  for (size_t n0 = 0; n0 <= sorted.size(); ++n0)
    best = std::min(best, partError(sorted, 0, n0, lowerToZero) +
                              partError(sorted, n0, sorted.size(), false));
  return best;
}

long double bquant::quant::test::scanSplitsLS2(const Vector &x) {
  return scanSplits(x, false);
}
long double bquant::quant::test::scanSplitsLST(const Vector &x) {
  return scanSplits(x, true);
}

/// The means of the lower and the upper part of the best split.
static std::pair<long double, long double> sortedSplit(const Vector &x,
                                                       bool lowerToZero) {
  Vector sorted(x);
  for (float &v : sorted)
    v = std::fabs(v);
  std::sort(sorted.begin(), sorted.end());
  std::vector<long double> sums{0};
  for (float v : sorted)
    sums.push_back(sums.back() + v);
  long double n = x.size(), mean = sums.back() / n, best = 0;
  std::pair<long double, long double> means{lowerToZero ? 0 : mean, mean};
  for (size_t n0 = 0; n0 < sorted.size(); ++n0) {
    long double m0 = n0 ? sums[n0] / n0 : 0;
    long double m1 = (sums.back() - sums[n0]) / (n - n0);
    long double gain = lowerToZero ? (n - n0) * m1 * m1
                                   : n0 * (n - n0) * (m1 - m0) * (m1 - m0);
    if (gain > best) {
      best = gain;
      means = {m0, m1};
    }
  }
  return means;
}

Vector bquant::quant::test::sortedLS2(const Vector &x) {
  auto [m0, m1] = sortedSplit(x, false);
  return {float((m1 + m0) / 2), float((m1 - m0) / 2)};
}

Vector bquant::quant::test::sortedLST(const Vector &x) {
  return {float(sortedSplit(x, true).second / 2)};
}

long double bquant::quant::test::roundingAllowance(const Vector &x) {
  long double largest = 0;
  for (float v : x)
    largest = std::max(largest, std::fabs((long double)v));
  long double step = std::max(largest * 0x1p-22L, 0x1p-148L);
  return x.size() * step * step;
}
