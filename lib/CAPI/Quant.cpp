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

#include <thread>

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

int bquantSchemeGet(const char *name, BQuantScheme *scheme, char **error) {
  Result<Scheme> parsed = Scheme::parse(name);
  if (!parsed)
    return fail(error, parsed.error());
  scheme->numPlanes = parsed->planes.count;
  scheme->numScalars = parsed->planes.numScalars();
  return 0;
}

int bquantSolve(BQuantArray array, const char *scheme, int32_t threads,
                float *scalars, int64_t *zeroGroups, char **error) {
  Result<Scheme> parsed = Scheme::parse(scheme);
  if (!parsed)
    return fail(error, parsed.error());
  Result<Grouping> grouping = groupingOf(array);
  if (!grouping)
    return fail(error, grouping.error());
  Result<int64_t> zeros = solveScalars(array.values, *grouping, *parsed,
                                       scalars, threadsOf(threads));
  if (!zeros)
    return fail(error, zeros.error());
  if (zeroGroups)
    *zeroGroups = *zeros;
  return 0;
}

int bquantApply(BQuantArray array, const char *scheme, const float *scalars,
                int32_t threads, BQuantOutputs outputs, char **error) {
  Result<Scheme> parsed = Scheme::parse(scheme);
  if (!parsed)
    return fail(error, parsed.error());
  Result<Grouping> grouping = groupingOf(array);
  if (!grouping)
    return fail(error, grouping.error());
  Outputs planes;
  planes.words = outputs.words;
  planes.signs = outputs.signs;
  planes.decoded = outputs.decoded;
  Result<Fit> fit = applyScalars(array.values, *grouping, parsed->planes,
                                 scalars, planes, threadsOf(threads));
  if (!fit)
    return fail(error, fit.error());
  if (outputs.error)
    *outputs.error = fit->error;
  if (outputs.angle)
    *outputs.angle = fit->angle;
  return 0;
}
