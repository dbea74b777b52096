//===- ThresholdTable.cpp - One code table for all channels ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThresholdTable.h"
#include <algorithm>
#include <set>

using namespace bquant::chains;

using Codes = std::vector<unsigned>;

Steps bquant::chains::mirrorSteps(const Steps &steps, Mirror mirror) {
  // With x >= p the mirrored source m(x) is at most m(p); the old code begins
  // one past that. m(i) = -i for integers, -1 - i for ordered floats.
  int64_t shift = mirror == Mirror::Integers ? 1 : 0;
  Steps result;
  result.nan = steps.nan;
  result.first = steps.steps.empty() ? steps.first : steps.steps.back().code;
  for (size_t i = steps.steps.size(); i-- > 0;)
    result.steps.push_back({shift - steps.steps[i].at,
                            i == 0 ? steps.first : steps.steps[i - 1].code});
  return result;
}

/// All codes in the order in which they come, that of NaN first. A value that
/// is no NaN passes by the code of NaN.
static Codes getCodes(const Steps &steps) {
  Codes codes;
  if (steps.nan && *steps.nan != steps.first)
    codes.push_back(*steps.nan);
  codes.push_back(steps.first);
  for (const Step &step : steps.steps)
    codes.push_back(step.code);
  return codes;
}

/// A shortest common supersequence.
static Codes merge(const Codes &a, const Codes &b) {
  size_t n = a.size(), m = b.size();
  // length[i][j]: of the suffixes from i and j.
  std::vector<std::vector<size_t>> length(n + 1, std::vector<size_t>(m + 1));
  for (size_t i = n + 1; i-- > 0;)
    for (size_t j = m + 1; j-- > 0;)
      length[i][j] = i == n   ? m - j
                     : j == m ? n - i
                     : a[i] == b[j]
                         ? 1 + length[i + 1][j + 1]
                         : 1 + std::min(length[i + 1][j], length[i][j + 1]);
  Codes merged;
  for (size_t i = 0, j = 0; i < n || j < m;) {
    if (i < n && j < m && a[i] == b[j]) {
      merged.push_back(a[i++]);
      ++j;
    } else if (j == m || (i < n && length[i + 1][j] <= length[i][j + 1])) {
      merged.push_back(a[i++]);
    } else {
      merged.push_back(b[j++]);
    }
  }
  return merged;
}

static Codes mergeAll(const std::vector<Steps> &channels) {
  std::set<Codes> unique;
  for (const Steps &steps : channels)
    unique.insert(getCodes(steps));
  std::vector<Codes> sorted(unique.begin(), unique.end());
  // The longest first; the set has them in an order already.
  std::sort(sorted.begin(), sorted.end(), [](const Codes &a, const Codes &b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  });
  Codes merged = sorted.front();
  for (const Codes &codes : sorted)
    merged = merge(merged, codes);
  return merged;
}

/// The thresholds that lead a channel's steps through the table.
static std::vector<int64_t> makeRow(const Steps &steps, const Codes &table) {
  std::vector<int64_t> row(table.size() - 1, kNever);
  size_t rank = 0;
  auto advance = [&](unsigned code, int64_t at) {
    for (; table[rank] != code; ++rank)
      row[rank] = at;
  };
  // Rank 0 is that of NaN.
  advance(steps.first, kAlways);
  for (const Step &step : steps.steps) {
    row[rank++] = step.at;
    advance(step.code, step.at);
  }
  return row;
}

std::optional<Stop>
bquant::chains::makeThresholdTable(const std::vector<Steps> &channels,
                                   Mirror mirror, size_t limit,
                                   ThresholdTable &table) {
  // No threshold holds for NaN: all channels agree on its code.
  for (const Steps &steps : channels)
    if (steps.nan != channels.front().nan)
      return Stop{-1, "NaN has different codes in different channels"};

  std::vector<Steps> chosen = channels;
  table = {};
  table.codes = mergeAll(chosen);
  if (mirror != Mirror::None) {
    std::vector<Steps> rising = channels;
    std::vector<bool> mirrored(channels.size());
    for (size_t c = 0; c < channels.size(); ++c) {
      mirrored[c] = !channels[c].steps.empty() &&
                    channels[c].steps.back().code < channels[c].first;
      if (mirrored[c])
        rising[c] = mirrorSteps(channels[c], mirror);
    }
    Codes codes = mergeAll(rising);
    if (codes.size() < table.codes.size()) {
      table.codes = codes;
      table.mirrored = mirrored;
      chosen = rising;
    }
  }
  if (table.codes.size() - 1 > limit)
    return Stop{-1, "all channels together need more than " +
                        std::to_string(limit) + " thresholds"};
  for (const Steps &steps : chosen)
    table.rows.push_back(makeRow(steps, table.codes));
  return std::nullopt;
}
