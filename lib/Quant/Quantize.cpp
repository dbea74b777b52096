//===- Quantize.cpp - Quantize an array -----------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Quant/Quantize.h"

#include "Finite.h"
#include "Parallel.h"
#include "bquant/Quant/Solve.h"

#include <algorithm>
#include <cmath>
#include <memory>

using namespace bquant::quant;

/// The least work, in values, that is worth a thread.
static constexpr int64_t grainValues = 16384;

/// Whether solving finds NaN and Inf among the values by itself, and makes the
/// scalars NaN: see Solve.h.
static bool showsBadData(const Scheme &scheme) {
  switch (scheme.rule) {
  case Scheme::Rule::LeastSquares:
    return scheme.planes.count <= 2;
  case Scheme::Rule::Greedy:
  case Scheme::Rule::TernaryWeights:
    return true;
  default:
    return false;
  }
}

Result<int64_t> bquant::quant::solveParameters(const float *x,
                                               const Grouping &grouping,
                                               const Scheme &scheme,
                                               Parameters &parameters,
                                               unsigned threads, float *copy) {
  if (scheme.rule == Scheme::Rule::Given)
    return Failure{"expected scalars for the scheme " + scheme.str() +
                   ", but got none"};

  int64_t groups = grouping.numGroups(), n = grouping.groupSize();
  const Planes &planes = scheme.planes;
  int64_t rows = planes.numScalars();
  int64_t ranks = scheme.isFoldable() ? 0 : planes.numCodes();
  int64_t numThresholds = ranks ? ranks - 1 : 0;
  parameters.scalars.resize(rows * groups);
  parameters.offsets.resize(planes.hasOffset ? groups : 0);
  parameters.thresholds.resize(numThresholds * groups);
  parameters.codes.resize(ranks * groups);

  std::atomic<int64_t> zeroGroups{0};
  std::atomic<bool> isFinite{true};
  parallelFor(groups, grainValues / n, threads, [&](int64_t g, int64_t last) {
    std::vector<float> gathered(grouping.isContiguous() ? 0 : n);
    // Not initialized: often little of it is needed.
    std::unique_ptr<uint64_t[]> scratch(
        new uint64_t[(solveScratchBytes(scheme, n) + 7) / 8]);
    std::vector<float> scalars(rows), thresholds(numThresholds);
    std::vector<uint8_t> codes(ranks);
    float offset = 0;
    for (; g < last; ++g) {
      const float *values = x + g * n;
      if (!grouping.isContiguous()) {
        grouping.gather(x, g, gathered.data());
        values = gathered.data();
      }
      Solution solution{scalars.data(), &offset, nullptr, nullptr};
      if (ranks) {
        solution.thresholds = thresholds.data();
        solution.codes = codes.data();
      }
      solve(scheme, values, n, solution, scratch.get());
      if (copy)
        std::copy_n(x + g * n, n, copy + g * n);
      // NaN and Inf would spoil a whole group without a trace.
      if ((!showsBadData(scheme) || std::isnan(scalars[0])) &&
          !areFinite(values, n)) {
        isFinite = false;
        return;
      }
      bool allZero = true;
      for (int64_t i = 0; i < rows; ++i) {
        parameters.scalars[i * groups + g] = scalars[i];
        allZero &= scalars[i] == 0.0f;
      }
      if (planes.hasOffset)
        parameters.offsets[g] = offset;
      for (int64_t i = 0; i < numThresholds; ++i)
        parameters.thresholds[i * groups + g] = thresholds[i];
      for (int64_t i = 0; i < ranks; ++i)
        parameters.codes[i * groups + g] = codes[i];
      for (int64_t i = 0; i < n && allZero; ++i)
        allZero = values[i] == 0.0f;
      zeroGroups += allZero;
    }
  });
  if (!isFinite)
    return notFinite(x, grouping);
  return zeroGroups.load();
}

Result<Quantized> bquant::quant::quantize(const float *x,
                                          const Grouping &grouping,
                                          const Scheme &scheme,
                                          unsigned threads,
                                          const Parameters &given) {
  Quantized q;
  q.planes = scheme.planes;
  q.shape = grouping.shape();
  q.axes = grouping.axes();
  if (scheme.rule == Scheme::Rule::Given) {
    q.parameters = given;
  } else {
    if (!given.scalars.empty())
      return Failure{"expected no scalars for the scheme " + scheme.str() +
                     ", but got " + std::to_string(given.scalars.size())};
    Result<int64_t> zeroGroups =
        solveParameters(x, grouping, scheme, q.parameters, threads);
    if (!zeroGroups)
      return zeroGroups.failure();
    q.zeroGroups = *zeroGroups;
  }

  q.words.resize(numWords(grouping, scheme.planes));
  Outputs outputs;
  outputs.words = q.words.data();
  outputs.fit = &q.fit;
  if (auto failure = applyParameters(x, grouping, scheme.planes, q.parameters,
                                     outputs, threads))
    return *failure;
  return q;
}

std::vector<int8_t> Quantized::signs() const {
  int64_t rowLength = shape.back(), rowWords = (rowLength + 31) / 32;
  int64_t rows = int64_t(words.size()) / rowWords;
  std::vector<int8_t> signs(rows * rowLength);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t c = 0; c < rowLength; ++c)
      signs[row * rowLength + c] =
          (words[row * rowWords + c / 32] >> (c % 32)) & 1 ? 1 : -1;
  return signs;
}
