//===- Split.cpp - Where to split sorted magnitudes -----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With S(k) the sum of the k least of n values, a split at k has a gain that is
// convex in (k, S(k)) and falls as S(k) grows. One pass over the values counts
// those under each of a few cuts, and keeps those of a narrow window between
// two of them, where the best split seems to be. The sums under the window and
// in it, so the splits at its ends, are known. Of the other cuts S has bounds:
// of values between two, each is at least the lower and at most the upper one.
// And as j of them add at least j times the lower one to S, a split between
// lies over a line from each of both, and its gain is no larger than where
// these lines meet, or at their ends. Mostly no split outside of the window can
// reach those at its ends; else what can is kept by another pass. Then come
// windows in the window, until few values are left to sort.
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

/// The splits at the ends of a range and at its cuts. The sums under the ends
/// and those of the window are known; the others are lower bounds.
struct Edges {
  static constexpr int last = Cuts::number + 1, window = Cuts::window + 1;
  double magnitudes[last + 1];
  double n0[last + 1], s0[last + 1];

  Edges(const Range &range, const Cuts &cuts, const Found &found, double below,
        double sumBelow);

  /// Between which edges splits may have a gain as large as `gain`.
  std::pair<int, int> findReach(const Bounds &bounds, double gain) const;
  /// The middle of the levels of the split at an edge less its magnitude.
  double getExcess(int edge, const Bounds &bounds) const {
    return bounds.middle(n0[edge], s0[edge]) - magnitudes[edge];
  }

private:
  void setBounds(int first, int end);
};
} // namespace

Edges::Edges(const Range &range, const Cuts &cuts, const Found &found,
             double below, double sumBelow) {
  int32_t least = bitsOfMagnitude(range.least), most = found.mostOfAll;
  magnitudes[0] = range.least;
  n0[0] = below;
  s0[0] = sumBelow;
  for (int i = 0; i < Cuts::number; ++i) {
    magnitudes[i + 1] =
        magnitudeOfBits(cuts.getBits(cuts.cells[i], least, most));
    n0[i + 1] = below + double(found.under[i]);
  }
  magnitudes[last] = magnitudeOfBits(most);
  n0[last] = below + double(range.size);
  s0[last] = sumBelow + found.total.value();
  s0[window] = sumBelow + found.below.value();
  s0[window + 1] = s0[window] + found.inside.value();
  setBounds(0, window);
  setBounds(window + 1, last);
}

/// Bounds of the sums under the edges between two whose sums are known.
void Edges::setBounds(int first, int end) {
  for (int i = first; i + 1 < end; ++i)
    s0[i + 1] = s0[i] + (n0[i + 1] - n0[i]) * magnitudes[i];
  double sum = s0[end];
  for (int i = end - 1; i > first; --i) {
    sum -= (n0[i + 1] - n0[i]) * magnitudes[i + 1];
    s0[i] = std::max(s0[i], sum);
  }
}

std::pair<int, int> Edges::findReach(const Bounds &bounds, double gain) const {
  int first = last, end = 0;
  auto reach = [&](int edge) {
    first = std::min(first, edge);
    end = std::max(end, edge + 1);
  };
  for (int i = 0; i <= last; ++i) {
    if (!bounds.mayReach(n0[i], s0[i], gain))
      continue;
    // The ends of the window count as in it.
    if (i > 0 && i != window)
      reach(i - 1);
    if (i < last && i != window + 1)
      reach(i);
  }
  for (int i = 0; i < last; ++i) {
    double number = n0[i + 1] - n0[i], sum = s0[i + 1] - s0[i];
    double low = magnitudes[i], high = magnitudes[i + 1];
    if (number == 0 || low == high || (i >= first && i < end))
      continue;
    // The lines meet where as many values have the lower magnitude.
    double at = std::clamp((number * high - sum) / (high - low), 0.0, number);
    double least = std::max(at * low, sum - (number - at) * high);
    if (bounds.mayReach(n0[i] + at, s0[i] + least, gain)) {
      first = std::min(first, i);
      end = std::max(end, i + 1);
    }
  }
  return {first, end};
}

/// What the steps of a search know of the values left.
struct SplitSearch::State {
  Range range;
  SplitWindow window;
  Cuts cuts;
  /// Near which magnitude the best split may be, and whether that can be
  /// trusted.
  float guess;
  bool isGood;
  /// Whether no split is any good, and whether the window has to be another.
  bool isOver, isMissed;
  /// A lower bound of the best gain.
  double best;
};

/// What is found in a part. Threads write to parts at the same time.
struct alignas(64) SplitSearch::Part {
  Found found;
};

static BQUANT_INLINE double addLanes(const Floats &values) {
  auto half = values.lo + values.hi;
  auto quarter = half.lo + half.hi;
  auto eighth = quarter.lo + quarter.hi;
  return eighth[0] + eighth[1];
}

namespace {
/// Looks for the threshold that lies in the middle of the levels of the split
/// that it makes, in some of the values.
struct Guess {
  const float *x;
  int64_t vectors;
  bool twoLevels;
  double threshold = 0;
  /// How fast the middle follows the threshold.
  double slope = 0.55;
  double thresholdBefore = 0, excessBefore = 0;

  BQUANT_INLINE float find();

private:
  /// The middle of the levels less the threshold.
  BQUANT_INLINE double getExcess(int64_t numSamples);
  BQUANT_INLINE bool improve(int64_t numSamples);
};
} // namespace

double Guess::getExcess(int64_t numSamples) {
  // An odd stride meets all channels.
  int64_t stride =
      numSamples < vectors ? (vectors / numSamples - 1) | 1 : int64_t(1);
  Ints bits = bitsOfMagnitude(float(threshold)), counts = 0;
  Floats sums = 0, totals = 0;
  for (int64_t i = 0; i < numSamples; ++i) {
    Ints magnitudes;
    std::memcpy(&magnitudes, x + i * stride * lanes, sizeof(Ints));
    magnitudes &= 0x7fffffff;
    totals += __builtin_bit_cast(Floats, magnitudes);
    Ints isUnder = magnitudes < bits;
    counts -= isUnder;
    magnitudes &= isUnder;
    sums += __builtin_bit_cast(Floats, magnitudes);
  }
  Bounds split{double(numSamples * lanes), addLanes(totals), 0, twoLevels};
  double count = __builtin_reduce_add(counts);
  if (threshold == 0) // Of normal values: near to the best split.
    return split.total / split.n * (twoLevels ? 1.23 : 0.77);
  return (split.isSplit(count) ? split.middle(count, addLanes(sums))
                               : split.total / split.n) -
         threshold;
}

/// Returns whether the threshold has moved far.
bool Guess::improve(int64_t numSamples) {
  double excess = getExcess(numSamples), before = thresholdBefore;
  // Of near ones chance has too large a part in the difference.
  if (before != 0 && std::fabs(threshold - before) > 0.1 * threshold)
    slope = std::clamp(1 + (excess - excessBefore) / (threshold - before), 0.0,
                       0.75);
  excessBefore = excess;
  thresholdBefore = threshold;
  double next = threshold + (threshold == 0 ? excess : excess / (1 - slope));
  threshold = next > 0 ? next : threshold + excess;
  return std::fabs(threshold - thresholdBefore) > 0.04 * threshold;
}

float Guess::find() {
  // All of few values; of many an eighth, and not more than 8192.
  constexpr int64_t few = 32, some = 256, most = 512;
  int64_t numSamples = std::min(vectors, few);
  for (int round = 0; round < 4 && improve(numSamples); ++round)
    ;
  numSamples = std::min({vectors, std::max(vectors / 8, some), most});
  for (int round = 0; round < 3 && improve(numSamples); ++round)
    ;
  return float(threshold);
}

/// Near which magnitude the best split may be. Only the time depends on it.
BQUANT_VECTOR_CLONES
static float guessThreshold(const float *x, int64_t n, bool twoLevels) {
  Guess guess{x, n / lanes, twoLevels};
  return guess.find();
}

/// Cuts around a guess: a window, and more at distances that grow by some
/// factor of two, which is what their bounds need to leave out what is between
/// them.
static Cuts firstCuts(float guess) {
  static constexpr float factors[Cuts::number] = {
      0.36f, 0.45f, 0.57f, 0.72f, 0.83f, 0.9f, 1.1f,
      1.17f, 1.3f,  1.5f,  1.8f,  2.5f,  3.5f, 5.3f};
  // 64 cells double the magnitude. There are more above: tails are longer.
  Cuts cuts{bitsOfMagnitude(guess * 1.4f), 17, {}};
  for (int i = 0; i < Cuts::number; ++i)
    cuts.cells[i] = cuts.getCell(bitsOfMagnitude(guess * factors[i]));
  return cuts;
}

/// The same inside of a range with values of several magnitudes, for a guess
/// that is better the more values there are; without one, around the middle.
static Cuts nextCuts(const Range &range, float guess, bool isGood) {
  static constexpr double distances[Cuts::number - Cuts::window - 1] = {
      1, 1.6, 2.5, 4, 6.5, 11, 18, 30};
  int32_t least = bitsOfMagnitude(range.least);
  int32_t width = bitsOfMagnitude(range.most) - least;
  Cuts cuts{least + width / 2, 0, {}};
  while (width >> cuts.shift > 250)
    ++cuts.shift;
  // Networks call no floor, ceil and sqrt of a library.
  double size = double(range.size);
  double part =
      isGood ? 0.03 + 1 / __builtin_elementwise_sqrt(size) : 1.0 / Cuts::number;
  double half = std::max(double(width >> cuts.shift) * part, 0.5);
  double middle = isGood ? cuts.getCell(bitsOfMagnitude(guess)) + 0.5 : 0;
  auto clamp = [](double cell) {
    return std::clamp<double>(cell, Cuts::firstCell, Cuts::lastCell);
  };
  for (int i = 0; i + Cuts::window + 1 < Cuts::number; ++i) {
    double distance = half * (isGood ? distances[i] : i + 1);
    double down = clamp(middle - distance), up = clamp(middle + distance);
    if (i <= Cuts::window)
      cuts.cells[Cuts::window - i] =
          int8_t(int(down - Cuts::firstCell) + Cuts::firstCell);
    cuts.cells[Cuts::window + 1 + i] =
        int8_t(Cuts::lastCell + 1 - int(Cuts::lastCell + 1 - up));
  }
  return cuts;
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
  char *end = static_cast<char *>(scratch) + stateBytes;
  end += -reinterpret_cast<uintptr_t>(end) % alignof(Part);
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
  Range &range = state.range;
  range = {x, n};
  // Rows mostly lie one behind the other. Nothing is read that is not there.
  if (n <= mostFetched)
    range.next = x + n;
  state.isGood = true;
  state.guess = guessThreshold(x, n, gain == SplitGain::TwoLevels);
  if (!(state.guess > 0 && std::isfinite(state.guess)))
    state.guess = findMost(x, n);
  state.cuts = firstCuts(state.guess);
}

void SplitSearch::count(int64_t part) {
  scan(getRange(part), state.cuts, words + part * partSize, parts[part].found);
}

void SplitSearch::choose() {
  Found found = addParts();
  state.window.total = found.total;
  state.isOver = !std::isfinite(found.total.value());
  if (!state.isOver)
    state.isMissed = !isInWindow(found);
}

void SplitSearch::keep(int64_t part) {
  if (!state.isOver && state.isMissed)
    count(part);
}

Found SplitSearch::addParts() const {
  Found found = parts[0].found;
  for (int64_t part = 1; part < getNumParts(n); ++part)
    found.add(parts[part].found);
  return found;
}

/// Whether the window has all best splits. If not, it becomes one that has.
bool SplitSearch::isInWindow(const Found &found) {
  Range &range = state.range;
  Cuts &cuts = state.cuts;
  constexpr int window = Edges::window;
  Bounds bounds{double(n), state.window.total.value(), 0,
                gain == SplitGain::TwoLevels};
  bounds.error = bounds.total * 0x1p-44;

  range.most = magnitudeOfBits(found.mostOfAll);
  Edges edges(range, cuts, found, double(state.window.below),
              state.window.sumBelow.value());
  for (int edge : {0, window, window + 1, Edges::last})
    state.best =
        std::max(state.best, bounds.lower(edges.n0[edge], edges.s0[edge]));
  auto [first, last] = edges.findReach(bounds, state.best);

  // Where the middle of the levels is what divides the values, as far as a line
  // between two splits tells.
  double atLeast = edges.getExcess(window, bounds),
         atEnd = edges.getExcess(window + 1, bounds);
  double least = edges.magnitudes[window], end = edges.magnitudes[window + 1];
  if (first >= window && last <= window + 1) {
    double part = atLeast > 0 && atEnd < 0 ? atLeast / (atLeast - atEnd) : 0.5;
    state.guess = float(least + (end - least) * part);
    return true;
  }
  state.guess = float(atLeast <= 0 ? least + atLeast : end + atEnd);
  if (atLeast > 0 && atEnd < 0)
    state.guess = float(least + (end - least) * atLeast / (atLeast - atEnd));
  int8_t firstCell = first == 0 ? Cuts::firstCell : cuts.cells[first - 1];
  int8_t lastCell =
      last == Edges::last ? Cuts::lastCell + 1 : cuts.cells[last - 1];
  cuts.cells[Cuts::window] = firstCell;
  cuts.cells[Cuts::window + 1] = lastCell;
  return false;
}

/// Goes on with the values that are kept. Returns whether they can be divided.
bool SplitSearch::narrow(const Found &found, const float *values) {
  Range &range = state.range;
  state.window.below += found.numBelow();
  state.window.sumBelow.add(found.below);
  state.isGood = !state.isGood || found.numKept() * 2 <= range.size;
  range = {values, found.numKept(), magnitudeOfBits(found.least),
           magnitudeOfBits(found.most)};
  state.isGood &= state.guess > range.least && state.guess < range.most;
  return range.least < range.most;
}

SplitWindow SplitSearch::finish() {
  SplitWindow &window = state.window;
  Range &range = state.range;
  // Bad values.
  if (state.isOver)
    return window;

  // What the parts have kept, side by side.
  float *to = words, *other = words + n;
  int64_t kept = 0;
  for (int64_t part = 0; part < getNumParts(n); ++part) {
    int64_t own = parts[part].found.numKept();
    std::memmove(to + kept, words + part * partSize, own * sizeof(float));
    kept += own;
  }
  bool isDivisible = narrow(addParts(), to);
  int slow = kept * 4 > n * 3;
  for (int round = 1;
       isDivisible && range.size > fewValues && round < maxRounds && slow < 3;
       ++round) {
    std::swap(to, other);
    state.cuts = nextCuts(range, state.guess, state.isGood);
    Found found;
    scan(range, state.cuts, to, found);
    if (!isInWindow(found))
      scan(range, state.cuts, to, found);
    slow = found.numKept() * 4 > range.size * 3 ? slow + 1 : 0;
    isDivisible = narrow(found, to);
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
    Extent extent;
    int64_t numSteps = loadMagnitudes(x, n, 0, magnitudes, extent);
    total.addChunk(magnitudes, numSteps, extent.isSumExact());
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
