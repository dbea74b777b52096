//===- MonotoneIntervals.h - Where a chain is monotone ----------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// IEEE addition, multiplication, division, square root and their like round
// correctly, so they are monotone in each operand where the real operation is.
// A chain of them over all floats or integers is cut into intervals on which
// every step is monotone: at comparisons (clamp, ReLU, PReLU, abs), at sign
// changes and where a step begins to give NaN. The intervals' ends are found by
// bisection on the chain itself.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_ANALYSIS_MONOTONEINTERVALS_H
#define BQUANT_LIB_ANALYSIS_MONOTONEINTERVALS_H

#include "ChainEvaluator.h"
#include <optional>
#include <string>

namespace bquant::chains {

/// Why a chain cannot be read off: the node that stopped it (-1: none in
/// particular) and the reason.
struct Stop {
  int node = -1;
  std::string reason;
};

/// The positions first..last (ordered floats, or integers), on which the result
/// of a chain is monotone, or everywhere NaN.
struct Interval {
  int32_t first, last;
};

/// Cuts first..last into intervals from left to right; the reason if a step is
/// not known to be monotone.
std::optional<Stop> findMonotoneIntervals(const Chain &chain,
                                          ChainEvaluator &evaluator,
                                          Interval whole,
                                          std::vector<Interval> &intervals);

} // namespace bquant::chains

#endif // BQUANT_LIB_ANALYSIS_MONOTONEINTERVALS_H
