//===- ThresholdTable.h - One code table for all channels -------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A quantize by thresholds has a table of codes that all channels share, while
// each channel has steps of its own: rising, falling (a negative slope), or
// none (a zero scale). The table is a common supersequence of the channels'
// codes; a channel skips an entry by two equal thresholds, begins later by
// thresholds that always hold and ends earlier by ones that never do. Where
// mirroring the source of some channels makes the table shorter, they are
// marked for that.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_ANALYSIS_THRESHOLDTABLE_H
#define BQUANT_LIB_ANALYSIS_THRESHOLDTABLE_H

#include "SwitchPoints.h"
#include <limits>

namespace bquant::chains {

/// A threshold that all values but NaN reach, and one that none does.
constexpr int64_t kAlways = std::numeric_limits<int64_t>::min();
constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

struct ThresholdTable {
  /// One more than thresholds in a row.
  std::vector<unsigned> codes;
  /// A row for each channel, ascending.
  std::vector<std::vector<int64_t>> rows;
  /// Channels whose source is mirrored first, x to -x; empty if none is.
  std::vector<bool> mirrored;
};

/// Which mirror image is -x: integers, or ordered floats.
enum class Mirror { None, Integers, OrderedFloats };

/// The table of all channels; the reason if there is none of up to `limit`
/// thresholds.
std::optional<Stop> makeThresholdTable(const std::vector<Steps> &channels,
                                       Mirror mirror, size_t limit,
                                       ThresholdTable &table);

/// The steps as a function of -x.
Steps mirrorSteps(const Steps &steps, Mirror mirror);

} // namespace bquant::chains

#endif // BQUANT_LIB_ANALYSIS_THRESHOLDTABLE_H
