//===- LSK.cpp - ls-k: three and more planes, least squares ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// There is no closed form. Two steps, each of which cannot raise the error, are
// taken in turn until it no longer falls:
//
//   codes     every value goes to the nearest of the levels +-v_1 +- v_2 ..
//   scalars   for these codes the best ones, by linear least squares
//
// The levels are symmetric, so only magnitudes and the levels from 0 up matter.
// The magnitudes of one level are a run of the sorted ones, so with prefix sums
// a step costs a few binary searches. That pays for many starts, which are
// followed on a coarse histogram where there are many values:
//
//   greedy      the scalars of gf-k, which the result is never worse than
//   chain       levels through k quantiles: v_1 = (q_1 + q_k) / 2 and
//               v_i = (q_i - q_{i-1}) / 2, exact for n <= k
//   quantiles   2^(k-1) parts of equally many values, in the order of the codes
//   uniform     levels of equal distance up to the largest value
//   random      scalars drawn from [0, 1.6 mean |x|]
//   cuts        k = 3: all ways to cut a few bins of equally many values into
//               the four levels, in both orders these can have; exact for as
//               many values as bins
//   extension   k > 3: the result for k - 1 planes, and gf-1 of what it leaves
//
// The best of them and the greedy one are then improved on all values. Scalars
// that come out negative change their sign with their plane, and are
// sorted in descending order.
//
//===----------------------------------------------------------------------===//

#include "NormalEquations.h"
#include "Solvers.h"
#include "Sort.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace bquant::quant;

static constexpr int maxPlanes = Scheme::maxPlanes;
/// Levels from 0 up.
static constexpr int maxLevels = 1 << (maxPlanes - 1);
/// Bins of the histogram on which starts are followed, each with one value,
/// the mean of its values.
static constexpr int64_t numBins = 512;
/// Bins that are cut into the levels of three planes.
static constexpr int64_t numCutBins = 16;
static constexpr int numRandomStarts = 64;
/// Steps converge long before; the limit is for values that go in circles
/// between equal errors.
static constexpr int maxSteps = 200;

namespace {
/// Sorted magnitudes with their prefix sums: sums[i] is that of the first i.
struct Magnitudes {
  const uint32_t *sorted;
  const double *sums;
  int64_t n;

  double operator[](int64_t i) const { return magnitudeOfBits(sorted[i]); }
  /// The number of values below `bound`.
  int64_t numBelow(double bound) const {
    return std::partition_point(sorted, sorted + n,
                                [bound](uint32_t bits) {
                                  return magnitudeOfBits(bits) < bound;
                                }) -
           sorted;
  }
};

/// A non-negative level and the signs of its planes.
struct Level {
  double value;
  int8_t signs[maxPlanes];
};

/// One search for the scalars of `planes` planes.
class Search {
public:
  Search(const Magnitudes &x, int planes) : x(x), planes(planes) {}

  /// Improves a start and keeps it if it is the best.
  void improve(const double *start);
  void startFromQuantiles();
  void startFromUniform();
  void startFromChain();
  void startFromRandom();
  void startFromCuts();
  void startFromExtension(const double *fewer);

  const double *scalars() const { return best; }

private:
  int levels(const double *v, Level *levels) const;
  NormalEquations assign(const double *v) const;
  const Magnitudes &x;
  int planes;
  double best[maxPlanes] = {};
  double bestGain = -INFINITY;
};
} // namespace

/// The levels from 0 up, ascending; returns how many.
int Search::levels(const double *v, Level *levels) const {
  int count = 1 << (planes - 1);
  for (int code = 0; code < count; ++code) {
    Level &level = levels[code];
    level.value = 0;
    for (int i = 0; i < planes; ++i) {
      level.signs[i] = (code >> i) & 1 ? -1 : 1;
      level.value += level.signs[i] * v[i];
    }
    if (level.value < 0) {
      level.value = -level.value;
      for (int i = 0; i < planes; ++i)
        level.signs[i] = int8_t(-level.signs[i]);
    }
  }
  std::sort(levels, levels + count,
            [](const Level &a, const Level &b) { return a.value < b.value; });
  return count;
}

/// Sends every value to its nearest level.
NormalEquations Search::assign(const double *v) const {
  Level all[maxLevels];
  int count = levels(v, all);
  NormalEquations equations(planes);
  int64_t from = 0;
  for (int i = 0; i < count && from < x.n; ++i) {
    int64_t to =
        i + 1 < count ? x.numBelow((all[i].value + all[i + 1].value) / 2) : x.n;
    if (to > from)
      equations.add(all[i].signs, double(to - from), x.sums[to] - x.sums[from]);
    from = std::max(from, to);
  }
  return equations;
}

void Search::improve(const double *start) {
  double v[maxPlanes], last = -INFINITY;
  std::copy_n(start, planes, v);
  for (int step = 0; step < maxSteps; ++step) {
    for (int i = 0; i < planes; ++i)
      v[i] = std::fabs(v[i]);
    std::sort(v, v + planes, [](double a, double b) { return a > b; });
    NormalEquations equations = assign(v);
    double gain = equations.gain(v);
    if (gain > bestGain) {
      bestGain = gain;
      std::copy_n(v, planes, best);
    }
    if (!(gain > last))
      return;
    last = gain;
    equations.solve(v);
  }
}

void Search::startFromQuantiles() {
  // The orthogonal fit of levels that are the means of equally many values.
  double v[maxPlanes] = {};
  int count = 1 << (planes - 1);
  for (int level = 0; level < count; ++level) {
    int64_t from = level * x.n / count, to = (level + 1) * x.n / count;
    double mean = to > from ? (x.sums[to] - x.sums[from]) / double(to - from)
                            : x[std::min(from, x.n - 1)];
    for (int i = 0; i < planes; ++i) {
      bool isUpper = i == 0 || (level >> (planes - 1 - i)) & 1;
      v[i] += (isUpper ? mean : -mean) / count;
    }
  }
  improve(v);
}

void Search::startFromUniform() {
  // The largest value at the largest level, and beyond it.
  for (double top : {1.0, 0.6}) {
    double v[maxPlanes];
    for (int i = 0; i < planes; ++i)
      v[i] = std::ldexp(x[x.n - 1] * top, -1 - i);
    improve(v);
  }
}

void Search::startFromChain() {
  double values[maxPlanes], v[maxPlanes];
  for (int i = 0; i < planes; ++i)
    values[i] = x[i * x.n / planes];
  v[0] = (values[0] + values[planes - 1]) / 2;
  for (int i = 1; i < planes; ++i)
    v[i] = (values[i] - values[i - 1]) / 2;
  improve(v);
}

void Search::startFromRandom() {
  // The same draws at each call: the low bits of an LCG are poor, its high ones
  // will do.
  uint64_t state = 1;
  double mean = x.sums[x.n] / double(x.n), v[maxPlanes];
  for (int start = 0; start < numRandomStarts; ++start) {
    for (int i = 0; i < planes; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      v[i] = 1.6 * mean * double(state >> 40) * 0x1p-24;
    }
    improve(v);
  }
}

void Search::startFromCuts() {
  // Levels of v1 >= v2 >= v3 in ascending order; which of v1 and v2 + v3 is the
  // greater decides about the lowest.
  static constexpr int8_t orders[2][4][3] = {
      {{1, -1, -1}, {1, -1, 1}, {1, 1, -1}, {1, 1, 1}},
      {{-1, 1, 1}, {1, -1, 1}, {1, 1, -1}, {1, 1, 1}}};
  int64_t bins = std::min(x.n, numCutBins);
  double cutScalars[3] = {}, cutGain = -INFINITY;
  for (int64_t c1 = 0; c1 <= bins; ++c1)
    for (int64_t c2 = c1; c2 <= bins; ++c2)
      for (int64_t c3 = c2; c3 <= bins; ++c3)
        for (const auto &signs : orders) {
          int64_t cuts[5] = {0, c1, c2, c3, bins};
          NormalEquations equations(3);
          for (int i = 0; i < 4; ++i) {
            int64_t from = cuts[i] * x.n / bins, to = cuts[i + 1] * x.n / bins;
            if (to > from)
              equations.add(signs[i], double(to - from),
                            x.sums[to] - x.sums[from]);
          }
          double v[3] = {};
          equations.solve(v);
          double gain = equations.gain(v);
          if (gain > cutGain) {
            cutGain = gain;
            std::copy_n(v, 3, cutScalars);
          }
        }
  improve(cutScalars);
}

/// One more plane for the scalars of `planes` - 1.
void Search::startFromExtension(const double *fewer) {
  double v[maxPlanes], rest = 0;
  Level all[maxLevels];
  int count = Search(x, planes - 1).levels(fewer, all);
  int64_t i = 0;
  for (int level = 0; level < count; ++level) {
    double bound = level + 1 < count
                       ? (all[level].value + all[level + 1].value) / 2
                       : INFINITY;
    for (; i < x.n && x[i] < bound; ++i)
      rest += std::fabs(x[i] - all[level].value);
  }
  std::copy_n(fewer, planes - 1, v);
  v[planes - 1] = rest / double(x.n);
  improve(v);
}

namespace {
/// Bins of equally many values, or all values if these are few.
class Histogram {
public:
  explicit Histogram(const Magnitudes &x) : histogram(x) {
    if (x.n <= numBins)
      return;
    sums[0] = 0;
    for (int64_t i = 0; i < numBins; ++i) {
      int64_t from = i * x.n / numBins, to = (i + 1) * x.n / numBins;
      float mean = float((x.sums[to] - x.sums[from]) / double(to - from));
      std::memcpy(&sorted[i], &mean, sizeof(mean));
      sums[i + 1] = sums[i] + mean;
    }
    histogram = {sorted, sums, numBins};
  }
  Histogram(const Histogram &) = delete;

  const Magnitudes &magnitudes() const { return histogram; }

private:
  uint32_t sorted[numBins];
  double sums[numBins + 1];
  Magnitudes histogram;
};
} // namespace

/// The best scalars that are found from all starts.
static void searchStarts(const Magnitudes &x, int planes, double *scalars) {
  for (int k = 3; k <= planes; ++k) {
    Search search(x, k);
    search.startFromQuantiles();
    search.startFromUniform();
    search.startFromChain();
    search.startFromRandom();
    if (k == 3)
      search.startFromCuts();
    else
      search.startFromExtension(scalars);
    std::copy_n(search.scalars(), k, scalars);
  }
}

/// The squared error with scalars as f32 has them.
static double squaredError(const Magnitudes &x, const float *scalars,
                           int64_t planes) {
  float thresholds[2 * maxLevels];
  uint8_t codes[2 * maxLevels];
  nearestLevels(scalars, planes, thresholds, codes);
  double error = 0;
  int64_t half = int64_t(1) << (planes - 1), i = 0;
  for (int64_t level = half; level < 2 * half; ++level) {
    double value = 0;
    for (int64_t p = 0; p < planes; ++p)
      value += (codes[level] >> (planes - 1 - p)) & 1 ? scalars[p]
                                                      : -double(scalars[p]);
    double bound = level + 1 < 2 * half ? thresholds[level] : INFINITY;
    for (; i < x.n && x[i] < bound; ++i)
      error += (x[i] - value) * (x[i] - value);
  }
  return error;
}

size_t bquant::quant::scratchBytesLSK(int64_t n) {
  return (size_t(n) + 1) * sizeof(double) + 2 * size_t(n) * sizeof(uint32_t);
}

void bquant::quant::solveLSK(const float *x, int64_t n, int64_t planes,
                             float *scalars, void *scratch) {
  auto *sums = static_cast<double *>(scratch);
  auto *words = reinterpret_cast<uint32_t *>(sums + n + 1);

  float greedy[maxPlanes];
  solveGF(x, n, planes, greedy, reinterpret_cast<float *>(words));
  std::sort(greedy, greedy + planes, [](float a, float b) { return a > b; });

  Magnitudes magnitudes{sortMagnitudes(x, n, words), sums, n};
  sums[0] = 0;
  for (int64_t i = 0; i < n; ++i)
    sums[i + 1] = sums[i] + magnitudes[i];
  std::copy_n(greedy, planes, scalars);
  if (!std::isfinite(sums[n])) // bad data
    return;

  Histogram histogram(magnitudes);
  double v[maxPlanes];
  searchStarts(histogram.magnitudes(), planes, v);
  Search search(magnitudes, planes);
  search.improve(v);
  std::copy_n(greedy, planes, v);
  search.improve(v);

  float found[maxPlanes];
  std::copy_n(search.scalars(), planes, found);
  if (squaredError(magnitudes, found, planes) <=
      squaredError(magnitudes, greedy, planes))
    std::copy_n(found, planes, scalars);
}
