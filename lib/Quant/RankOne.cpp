//===- RankOne.cpp - Signs times a matrix of rank one ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Power iteration as alternating least squares: a is the best for b, then b the
// best for a. It starts from b = 1, whose a is that of xnor, and no step lowers
// the energy, so rank-1 is never below xnor. |X| has no negative entries, so
// its first singular vectors have none either, and b = 1 is not orthogonal to
// them.
//
//===----------------------------------------------------------------------===//

#include "bquant/Quant/RankOne.h"

#include <cmath>

using namespace bquant::quant;

/// Random matrices take about ten steps; where the first two singular values
/// are close, so is the energy at any step.
static constexpr int maxSteps = 1000;

static double squaredNorm(const std::vector<double> &v) {
  double sum = 0;
  for (double value : v)
    sum += value * value;
  return sum;
}

Result<RankOne> bquant::quant::solveRankOne(const float *x, int64_t numRows,
                                            int64_t numColumns,
                                            RankOneRule rule) {
  if (numRows < 1 || numColumns < 1)
    return Failure{"expected a matrix that is not empty, but got " +
                   std::to_string(numRows) + " x " +
                   std::to_string(numColumns)};
  double norm = 0;
  for (int64_t i = 0; i < numRows * numColumns; ++i) {
    if (!std::isfinite(x[i]))
      return Failure{"expected finite values, but got " +
                     std::string(std::isnan(x[i]) ? "nan"
                                 : x[i] > 0       ? "inf"
                                                  : "-inf") +
                     " at [" + std::to_string(i / numColumns) + ", " +
                     std::to_string(i % numColumns) + "]"};
    norm += double(x[i]) * double(x[i]);
  }

  RankOne result;
  result.rows.assign(numRows, 0);
  result.columns.assign(numColumns, 1);
  if (norm == 0)
    return result;

  std::vector<double> rows(numRows), columns(numColumns, 1);
  double last = 0;
  for (int step = 0; step < maxSteps; ++step) {
    for (int64_t i = 0; i < numRows; ++i) {
      double sum = 0;
      for (int64_t j = 0; j < numColumns; ++j)
        sum += std::fabs(double(x[i * numColumns + j])) * columns[j];
      rows[i] = sum / double(numColumns);
    }
    double captured = squaredNorm(rows) * double(numColumns);
    if (!(captured > last))
      break;
    result.rows = rows;
    result.columns = columns;
    result.energy = std::fmin(1, captured / norm);
    if (rule == RankOneRule::XNOR || captured <= last * (1 + 1e-14))
      break;
    last = captured;

    columns.assign(numColumns, 0);
    for (int64_t i = 0; i < numRows; ++i)
      for (int64_t j = 0; j < numColumns; ++j)
        columns[j] += std::fabs(double(x[i * numColumns + j])) * rows[i];
    double unit = std::sqrt(double(numColumns) / squaredNorm(columns));
    for (double &value : columns)
      value *= unit;
  }
  return result;
}
