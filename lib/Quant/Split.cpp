//===- Split.cpp - Where to split sorted magnitudes -----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values are counted and summed in buckets of equal width. The splits
// between two buckets are then known, and what lies inside of a bucket has a
// bound. With k values of sum q in [l, h), behind n0 values of sum s0, the j
// least of them have a sum of at least j l, at least q - (k - j) h and at most
// j q / k: the points (n0 + j, s0 + sum) of all splits in the bucket lie in a
// triangle. The gain is convex, so it is greatest in a corner of that: at an
// end of the bucket, or where j l = q - (k - j) h. Buckets whose bound does not
// reach the best split between buckets are out; the values of the others are
// divided into buckets again, until few are left to sort.
//
// Bounds are computed from sums in double with an allowance for their rounding,
// so no best split is lost. The sums that decide between splits are carried
// ones, as if all values had been sorted; that makes the result the same.
//
//===----------------------------------------------------------------------===//

#include "Split.h"
#include "Sort.h"

#include <algorithm>
#include <cstring>

using namespace bquant::quant;

// The loops over all values are compiled for wider vectors, too, and chosen
// when the program is loaded. All give the same bits: sums are in fixed lanes
// and nothing is contracted to fma.
#if !defined(BQUANT_VECTOR_CLONES) && defined(__x86_64__) &&                   \
    defined(__ELF__) && !defined(__SANITIZE_ADDRESS__)
#if __has_attribute(target_clones)
#define BQUANT_VECTOR_CLONES                                                   \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
#endif
#ifndef BQUANT_VECTOR_CLONES
#define BQUANT_VECTOR_CLONES
#endif

/// Sorting so few values costs less than another round.
static constexpr int64_t fewValues = 96;
static constexpr int maxRounds = 4;
static constexpr int64_t maxBuckets = 1024;
/// Values worked on at a time, in loops that become vector code.
static constexpr int64_t lanes = 16;

namespace {
/// Count and sum are one vector.
struct alignas(16) Bucket {
  double sum, count;

  void add(float value) {
    sum += value;
    count += 1;
  }
};

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
};

/// Sums that are independent of each other, so that the loop over values
/// becomes vector code; always as many, so that machines agree.
struct CarriedLanes {
  double high[lanes], low[lanes];

  /// Knuth's two-sum, as in CarriedSum.
  void add(int64_t lane, double x) {
    double sum = high[lane] + x;
    double part = sum - high[lane];
    low[lane] += (high[lane] - (sum - part)) + (x - part);
    high[lane] = sum;
  }
  CarriedSum sum() const {
    CarriedSum all;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      all.add(high[lane]);
      all.low += low[lane];
    }
    return all;
  }
};

/// The values that are still looked at, the least and the most of them.
struct Range {
  float *values;
  int64_t size;
  float least, most;
};

/// Which bucket a value belongs to; rises with the value.
struct BucketIndex {
  float least, scale;
  int32_t last;

  int32_t operator()(float value) const {
    int32_t index = int32_t((value - least) * scale);
    return index < last ? index : last;
  }
};
} // namespace

BQUANT_VECTOR_CLONES
static void findEnds(Range &range) {
  float least[lanes], most[lanes];
  for (int64_t lane = 0; lane < lanes; ++lane)
    least[lane] = most[lane] = range.values[0];
  auto add = [&](int64_t lane, float value) {
    least[lane] = value < least[lane] ? value : least[lane];
    most[lane] = value > most[lane] ? value : most[lane];
  };
  int64_t i = 0;
  for (; i + lanes <= range.size; i += lanes)
    for (int64_t lane = 0; lane < lanes; ++lane)
      add(lane, range.values[i + lane]);
  for (; i < range.size; ++i)
    add(0, range.values[i]);
  range.least = *std::min_element(least, least + lanes);
  range.most = *std::max_element(most, most + lanes);
}

/// Copies the magnitudes of `x` and sums them.
BQUANT_VECTOR_CLONES
static CarriedLanes copyMagnitudes(const float *x, int64_t n, float *values) {
  CarriedLanes sums = {};
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (int64_t lane = 0; lane < lanes; ++lane) {
      float value = std::fabs(x[i + lane]);
      values[i + lane] = value;
      sums.add(lane, value);
    }
  for (int64_t lane = 0; i < n; ++i, ++lane) {
    values[i] = std::fabs(x[i]);
    sums.add(lane, values[i]);
  }
  return sums;
}

BQUANT_VECTOR_CLONES
static void fillBuckets(const Range &range, const BucketIndex &index,
                        Bucket *buckets) {
  int64_t i = 0;
  for (; i + lanes <= range.size; i += lanes) {
    const float *values = range.values + i;
    int32_t indices[lanes];
    for (int64_t lane = 0; lane < lanes; ++lane)
      indices[lane] = index(values[lane]);
    for (int64_t lane = 0; lane < lanes; ++lane)
      buckets[indices[lane]].add(values[lane]);
  }
  for (; i < range.size; ++i)
    buckets[index(range.values[i])].add(range.values[i]);
}

/// Moves the values of the buckets `first` to `last` to `to` and returns the
/// carried sum of the values in buckets before these.
BQUANT_VECTOR_CLONES
static CarriedLanes keepBuckets(Range &range, const BucketIndex &index,
                                int32_t first, int32_t last, float *to) {
  CarriedLanes below = {};
  int64_t kept = 0;
  auto keep = [&](float value) {
    int32_t bucket = index(value);
    to[kept] = value;
    kept += bucket >= first && bucket <= last;
  };
  int64_t i = 0;
  for (; i + lanes <= range.size; i += lanes) {
    const float *values = range.values + i;
    int32_t numKept = 0;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      int32_t bucket = index(values[lane]);
      numKept += (bucket >= first) & (bucket <= last);
      below.add(lane, bucket < first ? values[lane] : 0.0f);
    }
    for (int64_t lane = 0; numKept > 0 && lane < lanes; ++lane)
      keep(values[lane]);
  }
  for (int64_t lane = 0; i < range.size; ++i, ++lane) {
    below.add(lane, index(range.values[i]) < first ? range.values[i] : 0.0f);
    keep(range.values[i]);
  }
  range.values = to;
  range.size = kept;
  return below;
}

static int64_t numBucketsFor(int64_t size) {
  int64_t buckets = 32;
  while (buckets < maxBuckets && buckets * 32 < size)
    buckets *= 2;
  return buckets;
}

SplitWindow bquant::quant::findSplitWindow(const float *x, int64_t n,
                                           SplitGain gain, uint32_t *scratch) {
  SplitWindow window{};
  Range range{reinterpret_cast<float *>(scratch), n, 0, 0};
  auto *to = reinterpret_cast<float *>(scratch + n);
  window.total = copyMagnitudes(x, n, range.values).sum();
  double total = window.total.value();

  // Sums of n values and of buckets, each addition wrong by 2^-53 of the sum.
  Bounds bounds{double(n), total, total * double(n + 2 * maxBuckets) * 0x1p-53,
                gain == SplitGain::TwoLevels};
  double best = 0, sumBelow = 0;
  findEnds(range);
  for (int round = 0; round < maxRounds && range.size > fewValues &&
                      std::isfinite(total) && range.least < range.most;
       ++round) {
    int64_t numBuckets = numBucketsFor(range.size);
    float scale = float(numBuckets) / (range.most - range.least);
    if (!(scale < 0x1p100f)) // subnormal values, perhaps
      break;
    BucketIndex index{range.least, scale, int32_t(numBuckets - 1)};
    Bucket buckets[maxBuckets] = {};
    fillBuckets(range, index, buckets);

    // What lies below each bucket, and the best split between two.
    double n0[maxBuckets + 1], s0[maxBuckets + 1];
    n0[0] = double(window.below);
    s0[0] = sumBelow;
    for (int64_t i = 0; i < numBuckets; ++i) {
      n0[i + 1] = n0[i] + buckets[i].count;
      s0[i + 1] = s0[i] + buckets[i].sum;
    }
    for (int64_t i = 0; i <= numBuckets; ++i)
      best = std::max(best, bounds.lower(n0[i], s0[i]));

    // The first and last bucket that may hold a split as good. An index is
    // wrong by three roundings of f32, which widen all buckets a little.
    double width = (double(range.most) - double(range.least)) / numBuckets;
    double slack = width * numBuckets * 0x1p-20, reach = width + 2 * slack;
    int64_t first = numBuckets, last = -1;
    for (int64_t i = 0; i < numBuckets; ++i) {
      double k = buckets[i].count, q = buckets[i].sum;
      double l = double(range.least) + width * double(i) - slack;
      double j = (k * (l + reach) - q) / reach;
      j = j < 0 ? 0 : j > k ? k : j;
      bool mayHoldBest =
          k > 0 && (bounds.mayReach(n0[i], s0[i], best) ||
                    bounds.mayReach(n0[i + 1], s0[i + 1], best) ||
                    bounds.mayReach(n0[i] + j, s0[i] + j * l, best));
      if (mayHoldBest) {
        first = std::min(first, i);
        last = i;
      }
    }
    if (first > last) // cannot be: the best split is an end of two buckets
      break;

    int64_t before = range.size;
    CarriedSum below =
        keepBuckets(range, index, int32_t(first), int32_t(last), to).sum();
    to = range.values + range.size; // what is kept lies before it
    window.below = int64_t(n0[first]);
    window.sumBelow.add(below.high);
    window.sumBelow.add(below.low);
    sumBelow = window.sumBelow.value();
    findEnds(range);
    if (range.size * 2 > before)
      break;
  }

  // Rounds in vain: sort all, by radix.
  if (range.size > maxBuckets && range.least < range.most) {
    window.sorted = sortMagnitudes(x, n, scratch);
    window.size = n;
    window.below = 0;
    window.sumBelow = {};
    return window;
  }
  auto *sorted = reinterpret_cast<uint32_t *>(range.values);
  if (range.least < range.most)
    std::sort(sorted, sorted + range.size);
  window.sorted = sorted;
  window.size = range.size;
  return window;
}
