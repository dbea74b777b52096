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
//   extension   k > 3: the best for k - 1 planes, and gf-1 of what they leave
//
// The best of them, the greedy one, and the extension of the result for k - 1
// planes (ls-2 for k = 3), which the result is never worse than, are then
// improved on all values. Scalars that come out negative change their sign with
// their plane, and are sorted in descending order.
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
    if (!(bound > 0))
      return 0;
    // Without a branch that depends on values.
    auto nearest = float(bound);
    uint32_t least = bitsOfMagnitude(nearest) + (nearest < bound);
    const uint32_t *first = sorted;
    int64_t left = n;
    for (; left > 1; left -= left / 2)
      first +=
          __builtin_unpredictable(first[left / 2 - 1] < least) ? left / 2 : 0;
    return first - sorted + (*first < least);
  }
};

/// A non-negative level and which of its planes have negative signs.
struct Level {
  double value;
  unsigned negative;
};

/// One search for the scalars of `planes` planes.
template <int planes> class Search {
public:
  explicit Search(const Magnitudes &x) : x(x) {}

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
  NormalEquations<planes> assign(const double *v) const;
  const Magnitudes &x;
  double best[planes] = {};
  double bestGain = -INFINITY;
};
} // namespace

/// Levels from 0 up.
template <int planes> static constexpr int numLevels = 1 << (planes - 1);

/// Writes the levels from 0 up, ascending.
template <int planes> static void findLevels(const double *v, Level *levels) {
  constexpr int count = numLevels<planes>;
  for (unsigned code = 0; code < count; ++code) {
    double value = 0;
    for (int i = 0; i < planes; ++i)
      value += (code >> i) & 1 ? -v[i] : v[i];
    levels[code] = value < 0 ? Level{-value, ~code} : Level{value, code};
  }
  std::sort(levels, levels + count,
            [](const Level &a, const Level &b) { return a.value < b.value; });
}

/// Sends every value to its nearest level.
template <int planes>
NormalEquations<planes> Search<planes>::assign(const double *v) const {
  constexpr int count = numLevels<planes>;
  Level levels[count];
  findLevels<planes>(v, levels);
  NormalEquations<planes> equations;
  int64_t from = 0;
  for (int i = 0; i < count && from < x.n; ++i) {
    int64_t to = i + 1 < count
                     ? x.numBelow((levels[i].value + levels[i + 1].value) / 2)
                     : x.n;
    if (to > from)
      equations.add(levels[i].negative, double(to - from),
                    x.sums[to] - x.sums[from]);
    from = std::max(from, to);
  }
  return equations;
}

template <int planes> void Search<planes>::improve(const double *start) {
  double v[planes], last = -INFINITY;
  std::copy_n(start, planes, v);
  for (int step = 0; step < maxSteps; ++step) {
    for (int i = 0; i < planes; ++i)
      v[i] = std::fabs(v[i]);
    std::sort(v, v + planes, [](double a, double b) { return a > b; });
    NormalEquations<planes> equations = assign(v);
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

template <int planes> void Search<planes>::startFromQuantiles() {
  // The orthogonal fit of levels that are the means of equally many values.
  double v[planes] = {};
  constexpr int count = numLevels<planes>;
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

template <int planes> void Search<planes>::startFromUniform() {
  // The largest value at the largest level, and beyond it.
  for (double top : {1.0, 0.6}) {
    double v[planes];
    for (int i = 0; i < planes; ++i)
      v[i] = std::ldexp(x[x.n - 1] * top, -1 - i);
    improve(v);
  }
}

template <int planes> void Search<planes>::startFromChain() {
  double values[planes], v[planes];
  for (int i = 0; i < planes; ++i)
    values[i] = x[i * x.n / planes];
  v[0] = (values[0] + values[planes - 1]) / 2;
  for (int i = 1; i < planes; ++i)
    v[i] = (values[i] - values[i - 1]) / 2;
  improve(v);
}

template <int planes> void Search<planes>::startFromRandom() {
  // The same draws at each call: the low bits of an LCG are poor, its high ones
  // will do.
  uint64_t state = 1;
  double mean = x.sums[x.n] / double(x.n), v[planes];
  for (int start = 0; start < numRandomStarts; ++start) {
    for (int i = 0; i < planes; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      v[i] = 1.6 * mean * double(state >> 40) * 0x1p-24;
    }
    improve(v);
  }
}

template <int planes> void Search<planes>::startFromCuts() {
  // Levels of v1 >= v2 >= v3 in ascending order; which of v1 and v2 + v3 is the
  // greater decides about the lowest.
  static constexpr unsigned orders[2][4] = {{0b110, 0b010, 0b100, 0},
                                            {0b001, 0b010, 0b100, 0}};
  int64_t bins = std::min(x.n, numCutBins);
  double cutScalars[3] = {}, cutGain = -INFINITY;
  for (int64_t c1 = 0; c1 <= bins; ++c1)
    for (int64_t c2 = c1; c2 <= bins; ++c2)
      for (int64_t c3 = c2; c3 <= bins; ++c3) {
        int64_t cuts[5] = {0, c1, c2, c3, bins};
        double counts[4], sums[4], most = 0;
        for (int i = 0; i < 4; ++i) {
          int64_t from = cuts[i] * x.n / bins, to = cuts[i + 1] * x.n / bins;
          counts[i] = double(to - from);
          sums[i] = x.sums[to] - x.sums[from];
          most += to > from ? sums[i] * sums[i] / counts[i] : 0;
        }
        // Any four levels gain no more than the means. What rounding may add
        // is far less than this part.
        if (most * (1 + 1e-6) < cutGain)
          continue;
        for (const auto &negative : orders) {
          NormalEquations<3> equations;
          for (int i = 0; i < 4; ++i)
            equations.add(negative[i], counts[i], sums[i]);
          double v[3] = {};
          equations.solve(v);
          double gain = equations.gain(v);
          if (gain > cutGain) {
            cutGain = gain;
            std::copy_n(v, 3, cutScalars);
          }
        }
      }
  improve(cutScalars);
}

/// One more plane for the scalars of `planes` - 1.
template <int planes>
void Search<planes>::startFromExtension(const double *fewer) {
  double v[planes], rest = 0;
  constexpr int count = numLevels<planes - 1>;
  Level levels[count];
  findLevels<planes - 1>(fewer, levels);
  int64_t i = 0;
  for (int level = 0; level < count; ++level) {
    double bound = level + 1 < count
                       ? (levels[level].value + levels[level + 1].value) / 2
                       : INFINITY;
    for (; i < x.n && x[i] < bound; ++i)
      rest += std::fabs(x[i] - levels[level].value);
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

/// The best scalars that are found on `bins` and on all values. `onAll` has
/// those of ls-2 at first, `greedy` the scalars of gf-k in its order.
template <int planes>
static void findScalars(const Magnitudes &bins, const Magnitudes &x,
                        const float *greedy, double *onBins, double *onAll) {
  if constexpr (planes > 3)
    findScalars<planes - 1>(bins, x, greedy, onBins, onAll);
  Search<planes> search(bins);
  search.startFromQuantiles();
  search.startFromUniform();
  search.startFromChain();
  search.startFromRandom();
  if constexpr (planes == 3)
    search.startFromCuts();
  else
    search.startFromExtension(onBins);
  std::copy_n(search.scalars(), planes, onBins);

  Search<planes> last(x);
  last.improve(onBins);
  double v[planes];
  std::copy_n(greedy, planes, v);
  last.improve(v);
  last.startFromExtension(onAll);
  std::copy_n(last.scalars(), planes, onAll);
}

/// Calls findScalars for `planes` planes: `most` at most.
template <int most = maxPlanes>
static void findScalars(int64_t planes, const Magnitudes &x,
                        const float *greedy, float *found) {
  if (planes == most) {
    Histogram histogram(x);
    SplitWindow whole{x.sorted, x.n, 0, {}, {}};
    for (int64_t i = 0; i < x.n; ++i)
      whole.total.add(x[i]);
    float two[2];
    solveLS2(whole, x.n, two);
    double onBins[most] = {}, onAll[most] = {two[0], two[1]};
    findScalars<most>(histogram.magnitudes(), x, greedy, onBins, onAll);
    std::copy_n(onAll, most, found);
    return;
  }
  if constexpr (most > 3)
    findScalars<most - 1>(planes, x, greedy, found);
}

/// The squared error with scalars as f32 has them.
static double squaredError(const Magnitudes &x, const float *scalars,
                           int64_t planes) {
  float thresholds[1 << maxPlanes];
  uint8_t codes[1 << maxPlanes];
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
  std::copy_n(greedy, planes, scalars);
  std::sort(scalars, scalars + planes, [](float a, float b) { return a > b; });

  Magnitudes magnitudes{sortMagnitudes(x, n, words), sums, n};
  sums[0] = 0;
  for (int64_t i = 0; i < n; ++i)
    sums[i + 1] = sums[i] + magnitudes[i];
  if (!std::isfinite(sums[n])) // bad data
    return;

  float found[maxPlanes];
  findScalars(planes, magnitudes, greedy, found);
  if (squaredError(magnitudes, found, planes) <=
      squaredError(magnitudes, scalars, planes))
    std::copy_n(found, planes, scalars);
}
