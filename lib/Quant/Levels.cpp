//===- Levels.cpp - Thresholds between levels -----------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The nearest of 2^k levels: level j is nearest between the midpoints to its
// neighbours. In sorted order the codes of the levels are not sorted, unless
// each scalar is at least the sum of those after it.
//
//===----------------------------------------------------------------------===//

#include "Levels.h"
#include "bquant/Quant/Cascade.h"

#include <algorithm>

using namespace bquant::quant;

void bquant::quant::nearestLevels(const float *scalars, int64_t planes,
                                  float *thresholds, uint8_t *codes) {
  struct Level {
    float value;
    unsigned code;
  };
  constexpr int64_t most = int64_t(1) << Scheme::maxPlanes;
  Level levels[most];
  int64_t count = int64_t(1) << planes;
  bool isOrdered = true;
  for (unsigned code = 0; code < count; ++code) {
    float value =
        decodeIndependent(planesOfCode(code, planes), scalars, planes);
    levels[code] = {value, code};
    isOrdered &= !std::isnan(value);
  }
  // Scalars of NaN, of bad data, have no order.
  if (isOrdered)
    std::sort(levels, levels + count, [](const Level &a, const Level &b) {
      return a.value != b.value ? a.value < b.value : a.code < b.code;
    });
  for (int64_t i = 0; i < count; ++i)
    codes[i] = uint8_t(levels[i].code);
  for (int64_t i = 0; i + 1 < count; ++i)
    thresholds[i] = leastAtOrAbove(
        (double(levels[i].value) + double(levels[i + 1].value)) / 2);
}
