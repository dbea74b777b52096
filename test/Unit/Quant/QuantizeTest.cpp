//===- QuantizeTest.cpp - Arrays, axes, planes and errors -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Quant/Quantize.h"

#include "Oracle.h"
#include "bquant/Quant/Cascade.h"
#include "bquant/Quant/Solve.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <utility>

using namespace bquant::quant;
using Vector = std::vector<float>;
using Shape = std::vector<int64_t>;

static Vector randomVector(int64_t n, unsigned seed) {
  std::mt19937 random(seed);
  Vector x(n);
  for (float &v : x)
    v = float(int(random() % 20001) - 10000) * 0.001f;
  return x;
}

static Grouping grouping(Shape shape, Shape axes) {
  Result<Grouping> g = Grouping::get(shape, axes);
  EXPECT_TRUE(bool(g)) << g.error();
  return *g;
}

static Quantized quantized(const Vector &x, const Grouping &g, const char *name,
                           unsigned threads = 1, const Vector &scalars = {}) {
  Parameters given;
  given.scalars = scalars;
  Result<Quantized> q =
      quantize(x.data(), g, *Scheme::parse(name), threads, given);
  EXPECT_TRUE(bool(q)) << q.error();
  return *q;
}

static int64_t sizeOf(const Shape &shape) {
  int64_t size = 1;
  for (int64_t dim : shape)
    size *= dim;
  return size;
}

// Every subset of the axes of arrays of rank 1 to 5, against values collected
// by their index.
TEST(Quantize, axes) {
  for (const Shape &shape :
       {Shape{7}, Shape{3, 40}, Shape{2, 5, 33}, Shape{1, 4, 1, 6},
        Shape{3, 2, 4, 5}, Shape{2, 3, 2, 2, 3}}) {
    Vector x = randomVector(sizeOf(shape), 1);
    for (unsigned subset = 0; subset < 1u << shape.size(); ++subset) {
      Shape axes;
      for (size_t d = 0; d < shape.size(); ++d)
        if ((subset >> d) & 1)
          axes.push_back(d);

      // groupOf[i], by the index of value i.
      std::vector<int64_t> groupOf(x.size());
      int64_t groups = 1;
      for (int64_t axis : axes)
        groups *= shape[axis];
      std::vector<Vector> members(groups);
      for (size_t i = 0; i < x.size(); ++i) {
        Shape index(shape.size());
        int64_t rest = i;
        for (size_t d = shape.size(); d-- > 0; rest /= shape[d])
          index[d] = rest % shape[d];
        for (int64_t axis : axes)
          groupOf[i] = groupOf[i] * shape[axis] + index[axis];
        members[groupOf[i]].push_back(x[i]);
      }

      for (const char *name : {"ls-1", "ls-2", "ls-T", "gf-3"}) {
        Scheme scheme = *Scheme::parse(name);
        int64_t k = scheme.planes.count, rows = scheme.planes.numScalars();
        Grouping g = grouping(shape, axes);
        ASSERT_EQ(g.numGroups(), groups);
        Quantized q = quantized(x, g, name);
        ASSERT_EQ(int64_t(q.parameters.scalars.size()), rows * groups);
        for (int64_t group = 0; group < groups; ++group) {
          Vector expected(rows);
          std::vector<uint64_t> scratch(
              solveScratchBytes(scheme, members[group].size()) / 8 + 1);
          solve(scheme, members[group].data(), members[group].size(),
                expected.data(), scratch.data());
          for (int64_t i = 0; i < rows; ++i)
            EXPECT_EQ(q.parameters.scalars[i * groups + group], expected[i])
                << name << formatShape(shape) << formatShape(axes);
        }

        // Signs by the definition, words by their layout.
        std::vector<int8_t> signs = q.signs();
        ASSERT_EQ(signs.size(), k * x.size());
        int64_t c = shape.back(), rowWords = (c + 31) / 32;
        ASSERT_EQ(int64_t(q.words.size()),
                  k * int64_t(x.size()) / c * rowWords);
        double error = 0, norm = 0;
        for (size_t i = 0; i < x.size(); ++i) {
          float r = x[i], sum = 0;
          for (int64_t p = 0; p < k; ++p) {
            float v =
                q.parameters.scalars[(rows == 1 ? 0 : p * groups) + groupOf[i]];
            int sign = r >= 0 ? 1 : -1;
            EXPECT_EQ(signs[p * x.size() + i], sign);
            int64_t row = (p * int64_t(x.size()) + int64_t(i)) / c;
            int64_t channel = i % c;
            uint32_t word = q.words[row * rowWords + channel / 32];
            EXPECT_EQ((word >> (channel % 32)) & 1, uint32_t(sign > 0));
            r = r - v * float(sign);
            sum += v * float(sign);
          }
          error += (double(x[i]) - sum) * (double(x[i]) - sum);
          norm += double(x[i]) * x[i];
        }
        EXPECT_NEAR(q.fit.error, error / norm, 1e-12);
        for (size_t row = 0; row < q.words.size() / rowWords; ++row) {
          if (c % 32) {
            EXPECT_EQ(q.words[(row + 1) * rowWords - 1] >> (c % 32), 0u);
          }
        }
      }
    }
  }
}

TEST(Quantize, doesNotDependOnThreads) {
  // Enough values that threads share them, and begin inside of a group.
  Shape shape{7, 70, 333};
  Vector x = randomVector(sizeOf(shape), 2);
  for (const Shape &axes : {Shape{}, Shape{0}, Shape{1}, Shape{2}, Shape{0, 2}})
    for (const char *name : {"ls-1", "ls-2", "ls-T", "gf-2", "twn", "hwgq-2"}) {
      Grouping g = grouping(shape, axes);
      Quantized one = quantized(x, g, name, 1);
      for (unsigned threads : {2, 3, 8}) {
        Quantized many = quantized(x, g, name, threads);
        EXPECT_EQ(one.parameters.scalars, many.parameters.scalars);
        EXPECT_EQ(one.parameters.thresholds, many.parameters.thresholds);
        EXPECT_EQ(one.words, many.words);
        EXPECT_EQ(one.fit.error, many.fit.error);
        EXPECT_EQ(one.fit.angle, many.fit.angle);
      }
    }
}

// What is solved may be copied on the way.
TEST(Quantize, copiesValues) {
  Vector x = randomVector(3 * 40, 9), copy(x.size());
  Parameters parameters;
  ASSERT_TRUE(bool(solveParameters(x.data(), grouping({3, 40}, {0}),
                                   *Scheme::parse("ls-2"), parameters, 1,
                                   copy.data())));
  EXPECT_EQ(copy, x);
}

// Stored scalars reproduce the planes.
TEST(Quantize, givenScalarsReproduce) {
  Shape shape{4, 3, 37};
  Vector x = randomVector(sizeOf(shape), 3);
  const std::pair<const char *, const char *> pairs[] = {{"ls-1", "given-1"},
                                                         {"ls-2", "given-2"},
                                                         {"ls-T", "given-T"},
                                                         {"gf-5", "given-5"}};
  for (auto [name, given] : pairs) {
    Grouping g = grouping(shape, {0});
    Quantized solved = quantized(x, g, name);
    Quantized again = quantized(x, g, given, 2, solved.parameters.scalars);
    EXPECT_EQ(solved.words, again.words);
    EXPECT_EQ(solved.fit.error, again.fit.error);
  }
}

// Stored parameters do for schemes that are not foldable, too.
TEST(Quantize, givenParametersReproduce) {
  Shape shape{4, 3, 37};
  Vector x = randomVector(sizeOf(shape), 5);
  for (const char *name :
       {"ls-3", "ls-4", "twn", "dorefa-2", "dorefa-w-3", "hwgq-1", "hwgq-3"})
    for (const Shape &axes : {Shape{}, Shape{0}, Shape{2}}) {
      Grouping g = grouping(shape, axes);
      Quantized solved = quantized(x, g, name);
      std::vector<uint32_t> words(solved.words.size());
      Fit fit;
      Outputs outputs;
      outputs.words = words.data();
      outputs.fit = &fit;
      auto failure = applyParameters(x.data(), g, solved.planes,
                                     solved.parameters, outputs, 2);
      ASSERT_FALSE(failure) << failure->message;
      EXPECT_EQ(solved.words, words) << name;
      EXPECT_EQ(solved.fit.error, fit.error) << name;
    }
}

/// What applyParameters gives, a value at a time by bquant/Quant/Cascade.h.
static void expectApplied(const Vector &x, const Grouping &g, const Planes &p,
                          const Parameters &parameters, unsigned threads) {
  int64_t groups = g.numGroups(), n = x.size(), k = p.count;
  std::vector<int64_t> groupOf(n);
  for (int64_t i = 0; i < n; ++i)
    groupOf[i] = g.getRun(i).group;
  std::vector<int8_t> signs(k * n), expectedSigns(k * n);
  Vector values(n), expectedValues(n);
  double xx = 0, ee = 0, rowXX = 0, rowEE = 0;
  for (int64_t i = 0; i < n; ++i) {
    auto column = [&](auto &rows) {
      std::decay_t<decltype(rows)> own;
      for (size_t j = groupOf[i]; j < rows.size(); j += groups)
        own.push_back(rows[j]);
      return own;
    };
    Vector scalars = column(parameters.scalars), factors = scalars;
    if (!p.ratios.empty())
      factors.assign(p.ratios.begin(), p.ratios.end());
    for (size_t j = 0; j < p.ratios.size(); ++j)
      factors[j] *= scalars[0];
    Vector thresholds = column(parameters.thresholds);
    unsigned code = cascadeCode(x[i], factors.data(), k);
    if (!thresholds.empty())
      code = planesOfCode(
          column(parameters.codes)[std::upper_bound(thresholds.begin(),
                                                    thresholds.end(), x[i]) -
                                   thresholds.begin()],
          k);
    for (int64_t j = 0; j < k; ++j)
      expectedSigns[j * n + i] = (code >> j) & 1 ? 1 : -1;
    Vector offset = column(parameters.offsets);
    float value = 0;
    if (!p.ratios.empty()) {
      value = decodeRatios(code, p.ratios, scalars[0]);
      value = offset.empty() ? value : offset[0] + value;
    } else {
      value = offset.empty()
                  ? decodeIndependent(code, factors.data(), k)
                  : decodeIndependent(code, factors.data(), k, offset[0]);
    }
    expectedValues[i] = value;
    rowXX += double(x[i]) * x[i];
    rowEE += (double(x[i]) - value) * (double(x[i]) - value);
    if ((i + 1) % g.rowLength() == 0) {
      xx += std::exchange(rowXX, 0);
      ee += std::exchange(rowEE, 0);
    }
  }
  Fit fit;
  std::vector<uint32_t> words(numWords(g, p));
  auto failure = applyParameters(
      x.data(), g, p, parameters,
      {words.data(), signs.data(), values.data(), &fit}, threads);
  ASSERT_FALSE(failure) << failure->message;
  EXPECT_EQ(signs, expectedSigns);
  EXPECT_EQ(values, expectedValues);
  EXPECT_EQ(fit.error, ee / xx);
  Quantized packed;
  packed.shape = g.shape();
  packed.words = words;
  EXPECT_EQ(packed.signs(), expectedSigns);
}

// Rows that are longer and shorter than what is worked on at once, of all
// numbers of planes, by cascades and by thresholds.
TEST(Quantize, appliesInPieces) {
  for (const Shape &shape : {Shape{1300}, Shape{2, 1030}, Shape{3, 300},
                             Shape{100, 2, 3}, Shape{40, 1, 33}})
    for (const Shape &axes :
         {Shape{}, Shape{0}, Shape{int64_t(shape.size()) - 1}})
      for (int k = 1; k <= 8; ++k) {
        SCOPED_TRACE(formatShape(shape) + formatShape(axes) +
                     std::to_string(k));
        Vector x = randomVector(sizeOf(shape), k);
        Grouping g = grouping(shape, axes);
        for (const char *name : {"gf-", "dorefa-w-", "hwgq-"}) {
          Scheme scheme = *Scheme::parse(name + std::to_string(k));
          Parameters parameters;
          ASSERT_TRUE(bool(solveParameters(x.data(), g, scheme, parameters)));
          expectApplied(x, g, scheme.planes, parameters, 1 + k % 2);
        }
        // Codes of any order, and an offset to independent planes.
        std::mt19937 random(k);
        Parameters parameters;
        int64_t groups = g.numGroups(), ranks = int64_t(1) << k;
        parameters.scalars = randomVector(k * groups, k);
        for (float &scalar : parameters.scalars)
          scalar = std::fabs(scalar);
        parameters.offsets = randomVector(groups, k + 1);
        parameters.thresholds = randomVector((ranks - 1) * groups, k + 2);
        for (int64_t i = 0; i < ranks * groups; ++i)
          parameters.codes.push_back(random() % ranks);
        for (int64_t group = 0; group < groups; ++group) {
          Vector own;
          for (int64_t i = 0; i < ranks - 1; ++i)
            own.push_back(parameters.thresholds[i * groups + group]);
          std::sort(own.begin(), own.end());
          for (int64_t i = 0; i < ranks - 1; ++i)
            parameters.thresholds[i * groups + group] = own[i];
        }
        expectApplied(x, g, Planes::independent(k), parameters, 2);
      }
}

// Without outputs values and parameters are checked.
TEST(Quantize, checks) {
  Grouping g = grouping({2}, {});
  auto message = [&](Vector x, Vector scalars) {
    auto failure = applyParameters(x.data(), g, Planes::independent(2),
                                   {scalars, {}, {}, {}}, {});
    return failure ? failure->message : "";
  };
  EXPECT_EQ(message({1, 2}, {1, 2}), "");
  EXPECT_EQ(message({1, NAN}, {1, 2}),
            "expected finite values, but got nan at [1]");
  EXPECT_EQ(message({1, 2}, {1}), "expected 2 scalars, but got 1");
  // The signs of 1 cancel what those of 3e38 would add up to.
  EXPECT_EQ(message({1, 1}, {3e38f, 3e38f}), "");
  EXPECT_EQ(message({1, 3.2e38f}, {3e38f, 3e38f}),
            "expected decoded values that f32 can hold, but the scalars of a "
            "group add up to inf");
}

// Two planes of one scalar and ternary are the same cascade.
TEST(Quantize, ternaryIsTwoEqualScalars) {
  Vector x = randomVector(1000, 4);
  Grouping g = grouping({1000}, {});
  Quantized ternary = quantized(x, g, "given-T", 1, {2.5f});
  Quantized equal = quantized(x, g, "given-2", 1, {2.5f, 2.5f});
  EXPECT_EQ(ternary.words, equal.words);
  EXPECT_EQ(ternary.fit.error, equal.fit.error);
}

static Vector decoded(const Vector &x, const Planes &planes,
                      const Parameters &parameters) {
  Vector decoded(x.size());
  Outputs outputs;
  outputs.decoded = decoded.data();
  auto failure = applyParameters(x.data(), grouping({int64_t(x.size())}, {}),
                                 planes, parameters, outputs);
  EXPECT_FALSE(failure) << failure->message;
  return decoded;
}

TEST(Quantize, decodedValues) {
  Vector x{-4, -1, -0.5f, -0.0f, 0, 0.5f, 1, 4};
  EXPECT_EQ(decoded(x, Planes::independent(2), {{2, 0.5f}, {}, {}, {}}),
            (Vector{-2.5f, -1.5f, -1.5f, 1.5f, 1.5f, 1.5f, 1.5f, 2.5f}));
  EXPECT_EQ(decoded(x, Planes::ternary(), {{1}, {}, {}, {}}),
            (Vector{-2, 0, 0, 0, 0, 0, 2, 2}));
}

// Ranks among thresholds, codes of any order, offsets.
TEST(Quantize, thresholds) {
  Vector x{-4, -1, -0.5f, -0.0f, 0, 0.5f, 1, 4};
  Parameters p{{3, 1}, {0.5f}, {-0.5f, 0, 1}, {2, 0, 3, 1}};
  // Codes 2 = +-, 0 = --, 3 = ++, 1 = -+.
  EXPECT_EQ(decoded(x, Planes::independent(2), p),
            (Vector{2.5f, 2.5f, -3.5f, 4.5f, 4.5f, 4.5f, -1.5f, -1.5f}));
  Parameters uniform{{0.5f}, {1.5f}, {-0.5f, 0, 1}, {0, 1, 2, 3}};
  EXPECT_EQ(decoded(x, Planes::uniform(2, true), uniform),
            (Vector{0, 0, 1, 2, 2, 2, 3, 3}));

  Grouping g = grouping({8}, {});
  auto message = [&](Parameters p, Planes planes = Planes::independent(2)) {
    auto failure = applyParameters(x.data(), g, planes, p, {});
    EXPECT_TRUE(failure);
    return failure ? failure->message : "";
  };
  EXPECT_EQ(message({{1, 1}, {}, {0, 1}, {0, 1, 2, 3}}),
            "expected 3 thresholds, but got 2");
  EXPECT_EQ(message({{1, 1}, {}, {0, 1, 2}, {0, 1, 2}}),
            "expected 4 codes, but got 3");
  EXPECT_EQ(message({{1, 1}, {}, {}, {0, 1, 2, 3}}),
            "expected 3 thresholds, but got 0");
  EXPECT_EQ(message({{1, 1}, {}, {0, 2, 1}, {0, 1, 2, 3}}),
            "expected thresholds that ascend, but got 1.000000 behind 2.000000 "
            "at [2, 0]");
  EXPECT_EQ(message({{1, 1}, {}, {0, NAN, 1}, {0, 1, 2, 3}}),
            "expected thresholds that ascend, but got nan behind 0.000000 at "
            "[1, 0]");
  EXPECT_EQ(message({{1}, {}, {NAN}, {0, 1}}, Planes::independent(1)),
            "expected thresholds that are no NaN, but got nan at [0, 0]");
  EXPECT_EQ(message({{1, 1}, {}, {0, 1, 2}, {0, 1, 2, 4}}),
            "expected codes of 2 bits, but got 4 at [3, 0]");
  EXPECT_EQ(message({{1, 1}, {1, 2}, {}, {}}), "expected 1 offsets, but got 2");
  EXPECT_EQ(message({{1, 1}, {INFINITY}, {}, {}}),
            "expected offsets that are finite, but got inf at [0]");
}

TEST(Quantize, errorAndAngle) {
  Grouping g = grouping({2}, {});
  // x = (3, 1), x^q = (2, 2): error 2/10, cosine 8 / sqrt(80).
  Quantized q = quantized({3, 1}, g, "ls-1");
  EXPECT_EQ(q.parameters.scalars, Vector{2});
  EXPECT_DOUBLE_EQ(q.fit.error, 0.2);
  EXPECT_NEAR(q.fit.angle, 26.565051177, 1e-8);
  q = quantized({3, -1}, g, "ls-2");
  EXPECT_EQ(q.fit.error, 0);
  EXPECT_NEAR(q.fit.angle, 0, 1e-5);
  q = quantized({3, -1}, g, "given-1", 1, {0});
  EXPECT_EQ(q.fit.error, 1);
  EXPECT_EQ(q.fit.angle, 90);
}

TEST(Quantize, zeros) {
  Vector x{0, -0.0f, 0, 0, 1, 2};
  Quantized q = quantized(x, grouping({3, 2}, {0}), "ls-2");
  EXPECT_EQ(q.zeroGroups, 2);
  EXPECT_EQ(q.parameters.scalars, (Vector{0, 0, 1.5f, 0, 0, 0.5f}));
  q = quantized({0, 0}, grouping({2}, {}), "ls-T");
  EXPECT_EQ(q.zeroGroups, 1);
  EXPECT_EQ(q.fit.error, 0);
  EXPECT_EQ(q.fit.angle, 0);
  EXPECT_EQ(q.words, (std::vector<uint32_t>{3, 3}));
}

TEST(Quantize, badShapesAndAxes) {
  auto message = [](Shape shape, Shape axes) {
    Result<Grouping> g = Grouping::get(shape, axes);
    EXPECT_FALSE(bool(g));
    return g.error();
  };
  EXPECT_EQ(message({}, {}),
            "expected an array of rank 1 or more, but got a scalar");
  EXPECT_EQ(message({3, 0}, {}),
            "expected an array that is not empty, but got shape [3, 0]");
  EXPECT_EQ(message({3, -1}, {}),
            "expected an array that is not empty, but got shape [3, -1]");
  EXPECT_EQ(message({3, 4}, {2}), "expected axes from 0 to 1, but got 2");
  EXPECT_EQ(message({3, 4}, {-1}), "expected axes from 0 to 1, but got -1");
  EXPECT_EQ(message({3, 4}, {1, 0}),
            "expected axes in ascending order, but got [1, 0]");
  EXPECT_EQ(message({3, 4}, {1, 1}),
            "expected axes in ascending order, but got [1, 1]");
  EXPECT_EQ(message({int64_t(1) << 40, int64_t(1) << 40}, {}),
            "expected at most 2^62 values, but got shape [1099511627776, "
            "1099511627776]");
}

// Of all values the first in the array, whichever group meets which first.
TEST(Quantize, firstBadValue) {
  Vector x(4 * 20000, 1);
  x[3 * 20000 + 5] = NAN;
  x[1 * 20000 + 70] = INFINITY;
  for (const std::vector<int64_t> &axes :
       std::vector<std::vector<int64_t>>{{}, {0}, {1}, {0, 1}})
    for (unsigned threads : {1, 3}) {
      Parameters parameters;
      Result<int64_t> zeros =
          solveParameters(x.data(), grouping({4, 20000}, axes),
                          *Scheme::parse("ls-2"), parameters, threads);
      ASSERT_FALSE(bool(zeros));
      EXPECT_EQ(zeros.error(),
                "expected finite values, but got inf at [1, 70]");
    }
}

TEST(Quantize, badData) {
  auto message = [](Vector x, const char *name, Vector scalars = {}) {
    Grouping g = grouping({2, int64_t(x.size()) / 2}, {});
    Parameters given;
    given.scalars = scalars;
    Result<Quantized> q = quantize(x.data(), g, *Scheme::parse(name), 1, given);
    EXPECT_FALSE(bool(q));
    return q.error();
  };
  EXPECT_EQ(message({1, 2, NAN, 4}, "ls-2"),
            "expected finite values, but got nan at [1, 0]");
  EXPECT_EQ(message({1, -INFINITY, 2, 4}, "gf-2"),
            "expected finite values, but got -inf at [0, 1]");
  EXPECT_EQ(message({1, INFINITY, 2, 4}, "given-1", {1}),
            "expected finite values, but got inf at [0, 1]");
  EXPECT_EQ(message({1, 2}, "given-2", {1}), "expected 2 scalars, but got 1");
  EXPECT_EQ(message({1, 2}, "ls-1", {1}),
            "expected no scalars for the scheme ls-1, but got 1");
  EXPECT_EQ(message({1, 2}, "given-1", {-1}),
            "expected scalars that are finite and not negative, but got "
            "-1.000000 at [0, 0]");
  EXPECT_EQ(message({1, 2}, "given-2", {1, NAN}),
            "expected scalars that are finite and not negative, but got nan at "
            "[1, 0]");
  Vector large(16, FLT_MAX);
  large[0] = 0;
  EXPECT_EQ(message(large, "gf-2"),
            "expected decoded values that f32 can hold, but the scalars of a "
            "group add up to inf");
}

// Quantizing at the ends of f32's range: nothing overflows or vanishes.
TEST(Quantize, extremes) {
  for (const test::Case &c : test::adversarialCases(50)) {
    Grouping g = grouping({int64_t(c.x.size())}, {});
    for (const char *name : {"ls-1", "ls-2", "ls-T"}) {
      Quantized q = quantized(c.x, g, name);
      EXPECT_GE(q.fit.error, 0) << c.name;
      EXPECT_LE(q.fit.error, 1) << c.name;
      EXPECT_GE(q.fit.angle, 0) << c.name;
      EXPECT_LE(q.fit.angle, 90) << c.name;
    }
  }
}

TEST(Scheme, names) {
  for (const char *name :
       {"ls-1", "ls-2", "ls-T", "ls-3", "ls-8", "gf-1", "gf-8", "twn",
        "dorefa-1", "dorefa-8", "dorefa-w-1", "dorefa-w-4", "hwgq-1", "hwgq-2",
        "given-1", "given-8", "given-T"}) {
    Result<Scheme> scheme = Scheme::parse(name);
    ASSERT_TRUE(bool(scheme)) << name;
    EXPECT_EQ(scheme->str(), name);
  }
  EXPECT_EQ(Scheme::parse("bwn")->str(), "ls-1");
  for (const char *name :
       {"",        "-",        "ls",         "ls-",       "ls-0",  "ls-9",
        "ls-t",    "ls-22",    "gf-0",       "gf-9",      "gf-T",  "LS-1",
        "xnor",    "fp",       "gf2",        "bwn-1",     "twn-T", "hwgq-T",
        "dorefa-", "dorefa-w", "dorefa-w-T", "dorefa-w-9"}) {
    Result<Scheme> scheme = Scheme::parse(name);
    ASSERT_FALSE(bool(scheme)) << name;
    EXPECT_EQ(scheme.error(),
              "expected a scheme of ls-k, ls-T, gf-k, bwn, twn, dorefa-k, "
              "dorefa-w-k, hwgq-k, given-k or given-T with k from 1 to 8, but "
              "got '" +
                  std::string(name) + "'");
  }
  EXPECT_EQ(Scheme::parse("ls-T")->planes.numScalars(), 1);
  EXPECT_EQ(Scheme::parse("ls-2")->planes.numScalars(), 2);
  EXPECT_EQ(Scheme::parse("hwgq-3")->planes,
            (Planes{3, {4, 2, 1}, /*hasOffset=*/true}));
  EXPECT_EQ(Scheme::parse("dorefa-1")->planes, (Planes{1, {}, true}));
  for (const char *name : {"ls-1", "ls-2", "ls-T", "gf-3", "given-3"})
    EXPECT_TRUE(Scheme::parse(name)->isFoldable()) << name;
  for (const char *name : {"ls-3", "twn", "dorefa-2", "dorefa-w-2", "hwgq-2"})
    EXPECT_FALSE(Scheme::parse(name)->isFoldable()) << name;
}
