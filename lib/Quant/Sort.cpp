//===- Sort.cpp - Sort magnitudes -----------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sort.h"
#include "Lanes.h"

#include <algorithm>
#include <cstring>

using namespace bquant::quant;

BQUANT_VECTOR_CLONES
void bquant::quant::sortByRank(const uint32_t *words, int64_t n, uint32_t *to) {
  Ints ranks[mostByRank / lanes];
  for (int64_t from = 0; from < n; from += lanes) {
    Ints values = 0, rank = 0;
    std::memcpy(&values, words + from,
                std::min(lanes, n - from) * sizeof(uint32_t));
    for (int64_t i = 0; i < n; ++i)
      rank -= Ints(int32_t(words[i])) < values;
    ranks[from / lanes] = rank;
  }
  // Equal ones have one rank: the places behind it are theirs, too.
  uint8_t numEqual[mostByRank] = {};
  for (int64_t i = 0; i < n; ++i) {
    int32_t rank = ranks[i / lanes][i % lanes];
    to[rank + numEqual[rank]++] = words[i];
  }
}

const uint32_t *bquant::quant::sortMagnitudes(const float *x, int64_t n,
                                              uint32_t *scratch) {
  uint32_t *from = scratch, *to = scratch + n;
  std::memcpy(from, x, n * sizeof(float));
  for (int64_t i = 0; i < n; ++i)
    from[i] &= 0x7fffffffu;

  if (n <= mostByRank) {
    sortByRank(from, n, to);
    return to;
  }
  // Below this the three tables cost more than the comparisons.
  if (n < 1024) {
    std::sort(from, from + n);
    return from;
  }

  // Radix sort, least significant digit first: 31 bits in digits of 11, 10 and
  // 10. Calibration and training sort a whole feature map at each step.
  constexpr int numDigits = 3, maxBuckets = 1 << 11;
  constexpr int shifts[numDigits] = {0, 11, 21};
  constexpr uint32_t masks[numDigits] = {0x7ff, 0x3ff, 0x3ff};
  int64_t starts[numDigits][maxBuckets] = {};
  for (int64_t i = 0; i < n; ++i)
    for (int d = 0; d < numDigits; ++d)
      ++starts[d][(from[i] >> shifts[d]) & masks[d]];
  for (auto &digit : starts) {
    int64_t next = 0;
    for (int64_t &start : digit) {
      int64_t count = start;
      start = next;
      next += count;
    }
  }
  for (int d = 0; d < numDigits; ++d) {
    for (int64_t i = 0; i < n; ++i)
      to[starts[d][(from[i] >> shifts[d]) & masks[d]]++] = from[i];
    std::swap(from, to);
  }
  return from;
}
