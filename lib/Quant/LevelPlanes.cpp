//===- LevelPlanes.cpp - Planes that have given values --------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Quant/LevelPlanes.h"
#include "Levels.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace bquant::quant;

/// Floats that were computed from the same scalars differ by so much of the
/// largest level.
static constexpr double kRounding = 1e-6;

/// Without what rounding leaves of a sum that is 0.
static float toOffset(double offset, double rounding) {
  return std::fabs(offset) <= rounding ? 0.0f : float(offset);
}

/// Level j is c + v (2j - (2^k - 1)).
static std::optional<LevelPlanes>
findBinaryDigits(const std::vector<float> &levels, double rounding) {
  size_t count = levels.size();
  double first = levels.front(), last = levels.back();
  double step = (last - first) / double(count - 1);
  for (size_t j = 0; j < count; ++j)
    if (std::fabs(first + double(j) * step - levels[j]) > rounding)
      return std::nullopt;
  LevelPlanes found = {};
  // Of exact numbers, divided last: a middle that is a float stays that float.
  // By rounded steps it would be the float after it now and then, and then no
  // line goes through all thresholds.
  double halves = 2 * double(count - 1);
  for (size_t j = 0; j + 1 < count; ++j)
    found.thresholds.push_back(leastAtOrAbove(
        (first * halves + double(2 * j + 1) * (last - first)) / halves));
  if (count == 3 && levels[1] == 0) {
    found.planes = 2;
    found.ratios = {1, 1};
    found.scalars = {float(step / 2)};
    found.codes = {0, 2, 3};
    return found;
  }
  while (size_t(1) << found.planes < count)
    ++found.planes;
  for (int64_t plane = found.planes - 1; found.planes > 1 && plane >= 0;
       --plane)
    found.ratios.push_back(int64_t(1) << plane);
  found.scalars = {float(step / 2)};
  double most = double((int64_t(1) << found.planes) - 1);
  found.offset = toOffset(first + step / 2 * most, rounding);
  for (size_t j = 0; j < count; ++j)
    found.codes.push_back(int64_t(j));
  return found;
}

namespace {
/// Looks for numbers, the steps of planes from -1 to +1, whose subset sums
/// include all distances of levels from the least.
class SubsetSums {
public:
  SubsetSums(const std::vector<float> &levels, double rounding)
      : rounding(rounding), first(levels.front()) {
    for (float level : levels)
      distances.push_back(double(level) - levels.front());
  }

  /// With `count` steps at most. Each step that is added makes a sum for the
  /// least distance that is none yet.
  bool find(size_t count) {
    auto missing = std::find_if(distances.begin(), distances.end(),
                                [&](double d) { return !getCode(d); });
    if (missing == distances.end()) // What no level has may be beyond floats.
      return std::isfinite(float(first + sums.back()));
    if (steps.size() == count)
      return false;
    for (size_t code = 0, end = sums.size(); code < end; ++code) {
      double step = *missing - sums[code];
      if (step <= rounding)
        continue;
      steps.push_back(step);
      for (size_t i = 0; i < end; ++i)
        sums.push_back(sums[i] + step);
      if (find(count))
        return true;
      sums.resize(end);
      steps.pop_back();
    }
    return false;
  }

  /// The planes with steps that fall.
  LevelPlanes getPlanes(const std::vector<float> &levels) const {
    size_t count = steps.size();
    std::vector<size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return steps[a] != steps[b] ? steps[a] > steps[b] : a < b;
    });
    LevelPlanes found = {int64_t(count), {}, {}, 0, {}, {}};
    for (size_t j = 1; j < levels.size(); ++j)
      found.thresholds.push_back(
          leastAtOrAbove((double(levels[j - 1]) + levels[j]) / 2));
    double center = levels.front();
    for (size_t i : order) {
      found.scalars.push_back(float(steps[i] / 2));
      center += steps[i] / 2;
    }
    found.offset = toOffset(center, rounding);
    for (double distance : distances) {
      int64_t code = 0;
      for (size_t i : order)
        code = code << 1 | int64_t(*getCode(distance) >> i & 1);
      found.codes.push_back(code);
    }
    return found;
  }

private:
  /// The set of steps, bit i for step i, that a distance is the sum of.
  std::optional<size_t> getCode(double distance) const {
    for (size_t code = 0; code < sums.size(); ++code)
      if (std::fabs(sums[code] - distance) <= rounding)
        return code;
    return std::nullopt;
  }

  double rounding, first;
  std::vector<double> distances, steps, sums = {0.0};
};
} // namespace

bool bquant::quant::losesLevel(const std::vector<float> &levels) {
  double largest = 0;
  for (float level : levels)
    largest = std::max(largest, std::fabs(double(level)));
  return std::any_of(levels.begin(), levels.end(), [&](float level) {
    return level != 0 && std::fabs(double(level)) <= 2 * kRounding * largest;
  });
}

std::optional<LevelPlanes>
bquant::quant::planesOfLevels(const std::vector<float> &levels) {
  size_t count = levels.size();
  if (count < 2 || count > 256)
    return std::nullopt;
  double rounding = kRounding * std::max(std::fabs(double(levels.front())),
                                         std::fabs(double(levels.back())));
  // Written so that NaN and infinity fail, too.
  for (size_t j = 1; j < count; ++j)
    if (double gap = double(levels[j]) - levels[j - 1];
        !(gap > 2 * rounding && std::isfinite(gap)))
      return std::nullopt;
  // On a line of several levels such a one is a 0 that was rounded.
  bool loses = losesLevel(levels);
  if (loses && count == 2)
    return std::nullopt;
  if (std::optional<LevelPlanes> found = findBinaryDigits(levels, rounding))
    return found;
  if (loses)
    return std::nullopt;
  for (int64_t planes = 2; planes <= kMostLevelPlanes; ++planes) {
    SubsetSums sums(levels, rounding);
    if (size_t(1) << planes >= count && sums.find(size_t(planes)))
      return sums.getPlanes(levels);
  }
  return std::nullopt;
}
