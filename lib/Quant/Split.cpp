//===- Split.cpp - Where to split sorted magnitudes -----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values under each of a few thresholds are counted and summed. The splits
// at the thresholds are then known, and what lies between two has a bound. With
// k values of sum q in [l, h), behind n0 values of sum s0, the j least of them
// have a sum of at least j l, at least q - (k - j) h and at most j q / k: the
// points (n0 + j, s0 + sum) of all splits in this bucket lie in a triangle. The
// gain is convex, so it is greatest in a corner of that: at an end of the
// bucket, or where j l = q - (k - j) h. Buckets whose bound does not reach the
// best split at a threshold are out; the values of the others are divided by
// new thresholds, nearer to where the best split seems to be, until few are
// left to sort.
//
// Bounds are computed from rounded sums with an allowance for their rounding,
// so no best split is lost. The sums that decide between splits are carried
// ones, as if all values had been sorted; that makes the result the same.
//
//===----------------------------------------------------------------------===//

#include "Split.h"
#include "Lanes.h"
#include "Sort.h"

#include <algorithm>
#include <new>

using namespace bquant::quant;

/// Sorting so few values costs less than another round.
static constexpr int64_t fewValues = mostByRank;
/// Sorting more than so many values as integers costs more than by radix.
static constexpr int64_t manyValues = 1024;
static constexpr int maxRounds = 12;
/// Rows of up to so many values leave room in the cache for the next one.
static constexpr int64_t mostFetched = 1 << 14;

namespace {
/// Bounds of the gain of a split with n0 values of sum s0 below it, a sum that
/// may be wrong by up to `error`: the gain is square / (n0 n1) or square / n1.
struct Bounds {
  double n, total, error;
  bool twoLevels;

  double root(double n0, double s0) const {
    return twoLevels ? std::fabs(n0 * total - n * s0) : total - s0;
  }
  /// What the root may be wrong by.
  double allowance() const { return twoLevels ? 2 * n * error : 2 * error; }
  double divisor(double n0) const { return twoLevels ? n0 * (n - n0) : n - n0; }
  bool isSplit(double n0) const { return n0 < n && (!twoLevels || n0 > 0); }
  double lower(double n0, double s0) const {
    double least = std::fmax(0, root(n0, s0) - allowance());
    return isSplit(n0) ? least * least / divisor(n0) : 0;
  }
  /// Whether the gain may be as large as `gain`.
  bool mayReach(double n0, double s0, double gain) const {
    double most = root(n0, s0) + allowance();
    return isSplit(n0) && most * most >= gain * divisor(n0);
  }
  /// The threshold between the levels of a split: of the magnitude that is as
  /// far from one as from the other.
  double middle(double n0, double s0) const {
    double upper = (total - s0) / (n - n0);
    return (twoLevels && n0 > 0 ? upper + s0 / n0 : upper) / 2;
  }
};

/// The splits at the ends of buckets.
struct Edges {
  static constexpr int last = Thresholds::number + 1;
  int32_t bits[last + 1];
  double n0[last + 1], s0[last + 1];
};
} // namespace

/// What the steps of a search know of the values left.
struct SplitSearch::State {
  Range range;
  SplitWindow window;
  Thresholds thresholds;
  /// Near which magnitude the best split may be, and whether that can be
  /// trusted.
  float guess;
  bool isGood;
  /// Whether no value is left to divide.
  bool isOver;
  /// A lower bound of the best gain, and the value of window.sumBelow.
  double best, sumBelow;
  /// What to keep, as the bits of magnitudes.
  int32_t least, end;
};

/// What is found in a part. Threads write to parts at the same time.
struct alignas(64) SplitSearch::Part {
  SumsUnder under;
  int64_t kept;
  CarriedSum below;
};

static BQUANT_INLINE double addLanes(const Floats &values) {
  auto half = values.lo + values.hi;
  auto quarter = half.lo + half.hi;
  auto eighth = quarter.lo + quarter.hi;
  return eighth[0] + eighth[1];
}

/// Near which magnitude the best split may be, from some of the values: where
/// the threshold between the levels is what divides the values. Only the time
/// depends on it.
BQUANT_VECTOR_CLONES
static float guessThreshold(const float *x, int64_t n, bool twoLevels) {
  constexpr int64_t mostVectors = 256;
  constexpr int rounds = 4;
  int64_t vectors = n / lanes;
  int64_t numSamples = std::min(
      vectors, std::clamp<int64_t>(vectors / 16, mostVectors / 4, mostVectors));
  // An odd stride meets all channels.
  int64_t stride = (vectors / numSamples - 1) | 1;
  Ints sample[mostVectors];
  Floats sum = 0;
  for (int64_t i = 0; i < numSamples; ++i) {
    std::memcpy(sample + i, x + i * stride * lanes, sizeof(Ints));
    sample[i] &= 0x7fffffff;
    sum += __builtin_bit_cast(Floats, sample[i]);
  }
  Bounds split{double(numSamples * lanes), addLanes(sum), 0, twoLevels};
  // Of normal values: near to the best split.
  double threshold = split.total / split.n * (twoLevels ? 1.23 : 0.77);
  for (int round = 0; round < rounds; ++round) {
    Ints bits = bitsOfMagnitude(float(threshold)), counts = 0;
    Floats sums = 0;
    for (int64_t i = 0; i < numSamples; ++i) {
      counts -= sample[i] < bits;
      Ints under = sample[i] < bits ? sample[i] : Ints(0);
      sums += __builtin_bit_cast(Floats, under);
    }
    double count = __builtin_reduce_add(counts), before = threshold;
    if (!split.isSplit(count))
      break;
    threshold = split.middle(count, addLanes(sums));
    if (std::fabs(threshold - before) < 0.01 * before)
      break;
  }
  return float(threshold);
}

/// Thresholds around a guess, close to it where it can be trusted.
static Thresholds firstThresholds(float guess) {
  static constexpr float factors[Thresholds::number] = {
      0.6f, 0.85f, 0.93f, 0.97f, 1.03f, 1.1f, 1.4f, 2.5f};
  Thresholds thresholds;
  for (int i = 0; i < Thresholds::number; ++i)
    thresholds.bits[i] =
        std::clamp(bitsOfMagnitude(guess * factors[i]), 1,
                   bitsOfMagnitude(std::numeric_limits<float>::max()));
  return thresholds;
}

/// Thresholds inside of the range, around a guess if that is good.
static Thresholds nextThresholds(const Range &range, float guess, bool isGood) {
  static constexpr float parts[Thresholds::number / 2] = {0.5f, 0.2f, 0.06f,
                                                          0.02f};
  Thresholds thresholds;
  for (int i = 0; i < Thresholds::number; ++i) {
    float part = float(i + 1) / float(Thresholds::number + 1);
    float threshold = range.least + (range.most - range.least) * part;
    if (isGood && i < Thresholds::number / 2)
      threshold = guess - (guess - range.least) * parts[i];
    else if (isGood)
      threshold =
          guess + (range.most - guess) * parts[Thresholds::number - 1 - i];
    thresholds.bits[i] =
        std::max(bitsOfMagnitude(threshold), bitsOfMagnitude(range.least) + 1);
  }
  return thresholds;
}

/// The first and last bucket that may hold a best split; `best` becomes a lower
/// bound of its gain.
static std::pair<int, int> findBuckets(const Edges &edges, const Bounds &bounds,
                                       double &best) {
  for (int i = 0; i <= Edges::last; ++i)
    best = std::max(best, bounds.lower(edges.n0[i], edges.s0[i]));
  int first = Edges::last, last = -1;
  for (int i = 0; i < Edges::last; ++i) {
    double n0 = edges.n0[i], s0 = edges.s0[i];
    double k = edges.n0[i + 1] - n0, q = edges.s0[i + 1] - s0;
    double l = magnitudeOfBits(edges.bits[i]),
           h = magnitudeOfBits(edges.bits[i + 1]);
    if (k == 0)
      continue;
    // An error of both sums lowers both lines, which still meet at j.
    double j = std::clamp((k * h - q) / (h - l), 0.0, k);
    if (bounds.mayReach(n0, s0, best) ||
        bounds.mayReach(n0 + k, s0 + q, best) ||
        bounds.mayReach(n0 + j, s0 + j * l, best)) {
      first = std::min(first, i);
      last = i;
    }
  }
  return {first, last};
}

/// Where the middle of the levels is what divides the values, as far as a line
/// between two edges tells.
static float guessBetween(const Edges &edges, int first, int last,
                          const Bounds &bounds) {
  auto excess = [&](int i) {
    return bounds.middle(edges.n0[i], edges.s0[i]) -
           magnitudeOfBits(edges.bits[i]);
  };
  double least = magnitudeOfBits(edges.bits[first]),
         most = magnitudeOfBits(edges.bits[last]);
  double atLeast = excess(first), atMost = excess(last);
  double part = atLeast > 0 && atMost < 0 ? atLeast / (atLeast - atMost) : 0.5;
  return float(least + (most - least) * part);
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

/// Scratch memory starts with the state, of so many bytes.
static constexpr int64_t stateBytes = 448;

int64_t SplitSearch::scratchBytes(int64_t n) {
  // The parts start at a multiple of their alignment.
  return stateBytes + alignof(Part) + getNumParts(n) * sizeof(Part) +
         2 * n * sizeof(uint32_t);
}

SplitSearch::SplitSearch(const float *x, int64_t n, SplitGain gain,
                         void *scratch)
    : x(x), n(n), gain(gain), state(*static_cast<State *>(scratch)) {
  static_assert(sizeof(State) <= stateBytes);
  auto end = reinterpret_cast<uintptr_t>(scratch) + stateBytes;
  end += -end % alignof(Part);
  parts = reinterpret_cast<Part *>(end);
  words = reinterpret_cast<float *>(parts + getNumParts(n));
}

Range SplitSearch::getRange(int64_t part) const {
  int64_t first = part * partSize;
  Range range = state.range;
  range.values += first;
  range.size = std::min(partSize, n - first);
  if (range.next)
    range.next += first;
  return range;
}

void SplitSearch::begin() {
  new (&state) State();
  state.range = {x, n};
  // Rows mostly lie one behind the other. Nothing is read that is not there.
  if (n <= mostFetched)
    state.range.next = x + n;
  state.isGood = true;
  state.guess = guessThreshold(x, n, gain == SplitGain::TwoLevels);
  if (!(state.guess > 0 && std::isfinite(state.guess))) {
    findEnds(state.range);
    state.guess = state.range.most;
    state.range.least = 0;
  }
  state.thresholds = firstThresholds(state.guess);
  state.thresholds.setSteps(state.range.least);
}

void SplitSearch::count(int64_t part) {
  sumUnder(getRange(part), state.thresholds, parts[part].under);
}

void SplitSearch::choose() {
  SumsUnder under = parts[0].under;
  for (int64_t part = 1; part < getNumParts(n); ++part)
    under.add(parts[part].under);
  state.window.total = under.total;
  state.isOver = !std::isfinite(under.total.value()) || !chooseBuckets(under);
}

void SplitSearch::keep(int64_t part) {
  if (state.isOver)
    return;
  Part &own = parts[part];
  own.kept = keepBetween(getRange(part), state.least, state.end,
                         words + part * partSize, own.below);
}

/// Finds what to keep of the range; false where nothing is.
bool SplitSearch::chooseBuckets(const SumsUnder &under) {
  Range &range = state.range;
  range.most = magnitudeOfBits(under.most);
  range.isExact = under.isExact;
  const Thresholds &thresholds = state.thresholds;
  Bounds bounds{double(n), state.window.total.value(), 0,
                gain == SplitGain::TwoLevels};
  bounds.error = bounds.total * 0x1p-48 + thresholds.getError(range.size);

  Edges edges;
  edges.bits[0] = bitsOfMagnitude(range.least);
  edges.n0[0] = double(state.window.below);
  edges.s0[0] = state.sumBelow;
  for (int i = 0; i < Thresholds::number; ++i) {
    edges.bits[i + 1] = thresholds.bits[i];
    edges.n0[i + 1] = edges.n0[0] + double(under.counts[i]);
    edges.s0[i + 1] = edges.s0[0] + under.getSum(thresholds, i);
  }
  edges.bits[Edges::last] = bitsOfMagnitude(range.most) + 1;
  edges.n0[Edges::last] = edges.n0[0] + double(range.size);
  edges.s0[Edges::last] = edges.s0[0] + under.total.value();

  auto [first, last] = findBuckets(edges, bounds, state.best);
  if (first > last)
    return false;
  state.guess = guessBetween(edges, first, last + 1, bounds);
  state.least = edges.bits[first];
  state.end = edges.bits[last + 1];
  state.window.below = int64_t(edges.n0[first]);
  return true;
}

/// Goes on with the `kept` values. Returns whether they can be divided.
bool SplitSearch::narrow(int64_t kept, const CarriedSum &below,
                         const float *values) {
  Range &range = state.range;
  int64_t before = range.size;
  range.size = kept;
  range.values = values;
  range.next = nullptr;
  findEnds(range);
  state.window.sumBelow.add(below);
  state.sumBelow = state.window.sumBelow.value();
  state.isGood = (!state.isGood || kept * 2 <= before) &&
                 state.guess > range.least && state.guess < range.most;
  return range.least < range.most;
}

SplitWindow SplitSearch::finish() {
  SplitWindow &window = state.window;
  Range &range = state.range;
  // Bad values, or all are equal and no split is any good.
  if (state.isOver)
    return window;

  // What the parts have kept, side by side.
  float *to = words, *other = words + n;
  int64_t kept = 0;
  CarriedSum below;
  for (int64_t part = 0; part < getNumParts(n); ++part) {
    std::memmove(to + kept, words + part * partSize,
                 parts[part].kept * sizeof(float));
    kept += parts[part].kept;
    below.add(parts[part].below);
  }
  bool isDivisible = narrow(kept, below, to);
  int slow = kept * 4 > n * 3;
  for (int round = 1;
       isDivisible && range.size > fewValues && round < maxRounds && slow < 3;
       ++round) {
    std::swap(to, other);
    state.thresholds = nextThresholds(range, state.guess, state.isGood);
    state.thresholds.setSteps(range.least);
    SumsUnder under;
    sumUnder(range, state.thresholds, under);
    if (!chooseBuckets(under)) {
      std::swap(to, other);
      break;
    }
    int64_t before = range.size;
    CarriedSum below;
    int64_t kept = keepBetween(range, state.least, state.end, to, below);
    isDivisible = narrow(kept, below, to);
    slow = kept * 4 > before * 3 ? slow + 1 : 0;
  }

  // Rounds in vain: sort all, by radix.
  if (range.size > manyValues && range.least < range.most) {
    window.sorted = sortMagnitudes(x, n, reinterpret_cast<uint32_t *>(words));
    window.size = n;
    window.below = 0;
    window.sumBelow = {};
    return window;
  }
  // `to` has the values that are left.
  auto *left = reinterpret_cast<uint32_t *>(to);
  window.sorted = left;
  window.size = range.size;
  if (range.size <= mostByRank) {
    auto *sorted = reinterpret_cast<uint32_t *>(other);
    sortByRank(left, range.size, sorted);
    window.sorted = sorted;
  } else if (range.least < range.most) {
    std::sort(left, left + range.size);
  }
  return window;
}

SplitWindow SplitSearch::run() {
  if (n <= fewValues) {
    Ints magnitudes[steps];
    CarriedLanes total;
    total.addChunk(magnitudes, loadMagnitudes(x, n, 0, magnitudes));
    SplitWindow window{};
    window.total = total.sum();
    window.size = n;
    window.sorted = sortMagnitudes(x, n, reinterpret_cast<uint32_t *>(words));
    return window;
  }
  int64_t numParts = getNumParts(n);
  begin();
  for (int64_t part = 0; part < numParts; ++part)
    count(part);
  choose();
  for (int64_t part = 0; part < numParts; ++part)
    keep(part);
  return finish();
}
