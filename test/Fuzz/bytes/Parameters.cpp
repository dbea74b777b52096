//===- Parameters.cpp - Quantization by given parameters ------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any floats as values, scalars, thresholds and offsets: what is not refused is
// what bquant/Quant/Cascade.h says, value by value.
//
//===----------------------------------------------------------------------===//

#include "bquant/Quant/LevelPlanes.h"
#include "bquant/Quant/RankOne.h"
#include "bquant/Quant/Solve.h"
#include "bquant/Quant/StraightThrough.h"

#include "Arrays.h"

using namespace bquant::fuzz;
using namespace bquant::quant;

/// A number of planes and one value after the other, of which none is refused.
static void runCascade(Bytes &bytes) {
  int64_t planes = 1 + bytes.below(8);
  bool isTernary = planes == 2 && bytes.below(2);
  std::vector<float> scalars = takeFloats(bytes, isTernary ? 1 : planes);
  float clamp = std::fabs(takeFloats(bytes, 1)[0]);
  std::vector<float> x = takeFloats(bytes, 1 + bytes.below(40));
  std::vector<float> y(x.size()), gradient(x.size()), ones(x.size(), 1.0f);
  if (!(clamp > 0))
    clamp = INFINITY;
  int64_t n = x.size();
  if (isTernary)
    scalars.push_back(scalars[0]);
  CascadeArray array{x.data(), 1, n, scalars.data(), planes, isTernary, clamp};
  cascade(array, y.data());
  for (int64_t i = 0; i < n; ++i) {
    float value = x[i] < -clamp ? -clamp : x[i] > clamp ? clamp : x[i];
    checkSame(y[i], roundTrip(value, scalars.data(), planes), "a cascade");
  }
  for (Slope slope : {Slope::HardTanh, Slope::Identity, Slope::ApproxSign}) {
    cascadeGradient(array, slope, ones.data(), gradient.data());
    for (int64_t i = 0; i < n; ++i)
      if (!(std::fabs(x[i]) <= clamp))
        checkSame(gradient[i], 0, "no gradient outside of the clamp");
      else if (slope == Slope::Identity)
        checkSame(gradient[i], 1, "the gradient itself");
  }
}

/// Nearest levels: thresholds ascend, all codes are there, and no level is
/// nearer than that of the code.
static void runLevels(Bytes &bytes) {
  int64_t planes = 1 + bytes.below(8), count = int64_t(1) << planes;
  std::vector<float> scalars = takeFloats(bytes, planes);
  for (float &scalar : scalars)
    scalar = std::isfinite(scalar) ? std::fabs(scalar) : 0;
  std::vector<float> thresholds(count - 1), levels(count);
  std::vector<uint8_t> codes(count);
  nearestLevels(scalars.data(), planes, thresholds.data(), codes.data());
  uint8_t seen[256] = {};
  for (int64_t i = 0; i < count; ++i) {
    check(codes[i] < count && !seen[codes[i]]++, "each code once");
    levels[i] = decodeIndependent(planesOfCode(codes[i], planes),
                                  scalars.data(), planes);
  }
  // Levels of more than f32 holds have no order.
  for (float level : levels)
    if (!std::isfinite(level))
      return;
  check(std::is_sorted(levels.begin(), levels.end()), "levels that ascend");
  check(std::is_sorted(thresholds.begin(), thresholds.end()),
        "thresholds that ascend");
  for (float x : takeFloats(bytes, 8)) {
    if (!std::isfinite(x))
      continue;
    int64_t rank = std::upper_bound(thresholds.begin(), thresholds.end(), x) -
                   thresholds.begin();
    double error = std::fabs(double(x) - levels[rank]);
    for (float level : levels)
      check(error <= std::fabs(double(x) - level), "the nearest level");
  }
}

/// Planes whose sums are given levels.
static void runLevelPlanes(Bytes &bytes) {
  std::vector<float> levels = takeFloats(bytes, bytes.below(20));
  levels.erase(std::remove_if(levels.begin(), levels.end(),
                              [](float x) { return !std::isfinite(x); }),
               levels.end());
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  std::optional<LevelPlanes> found = planesOfLevels(levels);
  if (!found)
    return;
  check(found->codes.size() == levels.size() &&
            found->thresholds.size() + 1 == levels.size(),
        "a code for each level");
  double largest =
      std::max(std::fabs(levels.front()), std::fabs(levels.back()));
  for (size_t i = 0; i < levels.size(); ++i) {
    unsigned code = planesOfCode(found->codes[i], found->planes);
    double value = found->offset;
    for (int64_t p = 0; p < found->planes; ++p) {
      double scalar = found->ratios.empty()
                          ? found->scalars[p]
                          : double(found->ratios[p]) * found->scalars[0];
      value += (code >> p) & 1 ? scalar : -scalar;
    }
    check(std::fabs(value - levels[i]) <= 2e-6 * largest + 0x1p-140,
          "the level of a code", std::to_string(value));
  }
}

static void runRankOne(Bytes &bytes) {
  int64_t rows = 1 + bytes.below(6), columns = 1 + bytes.below(6);
  std::vector<float> x = takeFloats(bytes, rows * columns);
  Result<RankOne> best =
      solveRankOne(x.data(), rows, columns, RankOneRule::RankOne);
  Result<RankOne> xnor =
      solveRankOne(x.data(), rows, columns, RankOneRule::XNOR);
  bool isFinite =
      std::all_of(x.begin(), x.end(), [](float v) { return std::isfinite(v); });
  check(bool(best) == isFinite && bool(xnor) == isFinite,
        "finite values, or an error", best.error());
  if (!best)
    return checkMessage(best.error());
  for (const RankOne &result : {*best, *xnor}) {
    check(result.energy >= 0 && result.energy <= 1, "a share of the energy",
          std::to_string(result.energy));
    for (double value : result.rows)
      check(std::isfinite(value) && value >= 0, "finite scales of rows");
    for (double value : result.columns)
      check(std::isfinite(value) && value >= 0, "finite scales of columns");
  }
  check(best->energy >= xnor->energy - 1e-12, "no less energy than xnor's");
}

/// An array by any parameters.
static void runApply(Bytes &bytes) {
  Array array(bytes);
  if (!array.grouping)
    return;
  const Grouping &grouping = *array.grouping;
  int64_t groups = grouping.numGroups();
  Planes planes = Planes::independent(1 + bytes.below(8));
  switch (bytes.below(4)) {
  case 0:
    planes = Planes::ternary();
    break;
  case 1:
    planes = Planes::uniform(planes.count, bytes.below(2));
    break;
  }
  // The right sizes, mostly.
  auto rows = [&](int64_t count) {
    return (count + (bytes.below(32) == 31)) * groups;
  };
  Parameters parameters;
  parameters.scalars = takeFloats(bytes, rows(planes.numScalars()));
  if (bytes.below(2))
    parameters.offsets = takeFloats(bytes, rows(1));
  if (bytes.below(2)) {
    parameters.thresholds = takeFloats(bytes, rows(planes.numCodes() - 1));
    if (bytes.below(2) == 0) // in order
      for (int64_t i = groups; i < int64_t(parameters.thresholds.size()); ++i)
        parameters.thresholds[i] = std::fmax(parameters.thresholds[i],
                                             parameters.thresholds[i - groups]);
    uint8_t mask = bytes.below(2) ? 0xff : planes.numCodes() - 1;
    for (int64_t i = 0, n = rows(planes.numCodes()); i < n; ++i)
      parameters.codes.push_back(bytes.take<uint8_t>() & mask);
  }
  checkApplied(array, planes, parameters);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Bytes bytes(data, size);
  void (*const kinds[])(Bytes &) = {runApply, runCascade, runLevels,
                                    runLevelPlanes, runRankOne};
  bytes.pick(kinds)(bytes);
  return 0;
}
