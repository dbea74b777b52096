//===- Quant.cpp - The C API of the solvers -------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant-c/Quant.h"

#include "Support.h"
#include "bquant/Quant/Quantize.h"
#include "bquant/Quant/RankOne.h"
#include "bquant/Quant/Solve.h"
#include "bquant/Quant/StraightThrough.h"

#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

using namespace bquant;
using namespace bquant::quant;

static Result<Grouping> groupingOf(const BQuantArray &array) {
  if (array.rank < 0 || array.numAxes < 0)
    return Failure{"expected ranks of 0 or more, but got a negative one"};
  Result<Grouping> grouping =
      Grouping::get({array.shape, array.shape + array.rank},
                    {array.axes, array.axes + array.numAxes});
  if (grouping && !array.values)
    return Failure{"expected values, but got null"};
  return grouping;
}

static unsigned threadsOf(int32_t threads) {
  return threads > 0 ? threads : std::thread::hardware_concurrency();
}

static void copyOut(const std::vector<float> &from, float *to) {
  if (to)
    std::copy(from.begin(), from.end(), to);
}

/// The first `rows` rows over groups of `from`; none if it is null.
template <typename T>
static std::vector<T> copyIn(const T *from, int64_t rows, int64_t groups) {
  return from ? std::vector<T>(from, from + rows * groups) : std::vector<T>();
}

int bquantSchemeGet(const char *name, BQuantScheme *scheme, char **error) {
  Result<Scheme> parsed = Scheme::parse(name);
  if (!parsed)
    return fail(error, parsed.error());
  const Planes &planes = parsed->planes;
  *scheme = {};
  scheme->numPlanes = planes.count;
  scheme->numScalars = planes.numScalars();
  scheme->numOffsets = planes.hasOffset;
  if (!parsed->isFoldable()) {
    scheme->numThresholds = planes.numCodes() - 1;
    scheme->numCodes = planes.numCodes();
  }
  std::copy(planes.ratios.begin(), planes.ratios.end(), scheme->ratios);
  return 0;
}

int bquantSolve(BQuantArray array, const char *scheme, int32_t threads,
                BQuantParameters parameters, float *copy, int64_t *zeroGroups,
                char **error) {
  Result<Scheme> parsed = Scheme::parse(scheme);
  if (!parsed)
    return fail(error, parsed.error());
  Result<Grouping> grouping = groupingOf(array);
  if (!grouping)
    return fail(error, grouping.error());
  Parameters solved;
  Result<int64_t> zeros = solveParameters(array.values, *grouping, *parsed,
                                          solved, threadsOf(threads), copy);
  if (!zeros)
    return fail(error, zeros.error());
  copyOut(solved.scalars, parameters.scalars);
  copyOut(solved.offsets, parameters.offsets);
  copyOut(solved.thresholds, parameters.thresholds);
  if (parameters.codes)
    std::copy(solved.codes.begin(), solved.codes.end(), parameters.codes);
  if (zeroGroups)
    *zeroGroups = *zeros;
  return 0;
}

int bquantApply(BQuantArray array, const char *scheme,
                BQuantParameters parameters, int32_t threads,
                BQuantOutputs outputs, char **error) {
  Result<Scheme> parsed = Scheme::parse(scheme);
  if (!parsed)
    return fail(error, parsed.error());
  Result<Grouping> grouping = groupingOf(array);
  if (!grouping)
    return fail(error, grouping.error());
  const Planes &form = parsed->planes;
  int64_t groups = grouping->numGroups(), ranks = form.numCodes();
  Parameters given;
  given.scalars = copyIn(parameters.scalars, form.numScalars(), groups);
  given.offsets = copyIn(parameters.offsets, 1, groups);
  given.thresholds = copyIn(parameters.thresholds, ranks - 1, groups);
  given.codes = copyIn(parameters.codes, ranks, groups);
  if (!parsed->isFoldable() && given.thresholds.empty())
    return fail(error, "expected thresholds for the scheme " + parsed->str() +
                           ", but got none");
  Fit fit;
  Outputs wanted;
  wanted.words = outputs.words;
  wanted.signs = outputs.signs;
  wanted.decoded = outputs.decoded;
  if (outputs.error || outputs.angle)
    wanted.fit = &fit;
  if (auto failure = applyParameters(array.values, *grouping, form, given,
                                     wanted, threadsOf(threads)))
    return fail(error, failure->message);
  if (outputs.error)
    *outputs.error = fit.error;
  if (outputs.angle)
    *outputs.angle = fit.angle;
  return 0;
}

static Result<CascadeArray> cascadeOf(const BQuantCascade &x) {
  bool isTernary = x.numPlanes == 2 && x.numScalars == 1;
  if (x.numPlanes < 1 || x.numPlanes > Scheme::maxPlanes)
    return Failure{"expected 1 to 8 planes, but got " +
                   std::to_string(x.numPlanes)};
  if (x.numScalars != x.numPlanes && !isTernary)
    return Failure{"expected " + std::to_string(x.numPlanes) +
                   " scalars of a group, but got " +
                   std::to_string(x.numScalars)};
  if (!(x.clamp > 0))
    return Failure{"expected a clamp above 0, but got " +
                   std::to_string(x.clamp)};
  return CascadeArray{x.values,    x.groups,  x.size, x.scalars,
                      x.numPlanes, isTernary, x.clamp};
}

int bquantCascade(BQuantCascade x, float *out, char **error) {
  Result<CascadeArray> array = cascadeOf(x);
  if (!array)
    return fail(error, array.error());
  cascade(*array, out);
  return 0;
}

int bquantCascadeGradient(BQuantCascade x, BQuantSlope slope,
                          const float *gradient, float *out, char **error) {
  Result<CascadeArray> array = cascadeOf(x);
  if (!array)
    return fail(error, array.error());
  if (slope < BQuantSlopeHardTanh || slope > BQuantSlopeApproxSign)
    return fail(error, "expected a slope from 0 to 2, but got " +
                           std::to_string(slope));
  cascadeGradient(*array, Slope(slope), gradient, out);
  return 0;
}

int bquantNearestLevels(const float *scalars, int64_t numPlanes,
                        float *thresholds, uint8_t *codes, char **error) {
  if (numPlanes < 1 || numPlanes > Scheme::maxPlanes)
    return fail(error,
                "expected 1 to 8 planes, but got " + std::to_string(numPlanes));
  for (int64_t i = 0; i < numPlanes; ++i)
    if (!(scalars[i] >= 0 && std::isfinite(scalars[i])))
      return fail(error, "expected finite scalars >= 0, but got " +
                             std::to_string(scalars[i]));
  nearestLevels(scalars, numPlanes, thresholds, codes);
  return 0;
}

int bquantRankOne(const float *values, int64_t numRows, int64_t numColumns,
                  int32_t xnor, double *rows, double *columns, double *energy,
                  char **error) {
  Result<RankOne> result =
      solveRankOne(values, numRows, numColumns,
                   xnor ? RankOneRule::XNOR : RankOneRule::RankOne);
  if (!result)
    return fail(error, result.error());
  std::copy(result->rows.begin(), result->rows.end(), rows);
  std::copy(result->columns.begin(), result->columns.end(), columns);
  *energy = result->energy;
  return 0;
}
