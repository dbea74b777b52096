//===- LevelPlanes.h - Planes that have given values ------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_QUANT_LEVELPLANES_H
#define BQUANT_QUANT_LEVELPLANES_H

#include <cstdint>
#include <optional>
#include <vector>

namespace bquant::quant {

/// Planes and an offset c whose values c + v_1 s_1 + v_2 s_2 + ... include
/// certain levels.
struct LevelPlanes {
  int64_t planes;
  /// Of ratio planes; empty if the scalars are independent.
  std::vector<int64_t> ratios;
  /// One for each plane, of ratio planes the v they share.
  std::vector<float> scalars;
  float offset;
  /// Of each level, plane 1 as the highest bit.
  std::vector<int64_t> codes;
  /// The least float that is nearer to level j + 1 than to level j; of evenly
  /// spaced levels the least at or above a point of one line.
  std::vector<float> thresholds;
};

/// More independent planes are not looked for.
inline constexpr int64_t kMostLevelPlanes = 5;

/// The fewest planes that have `levels`, which rise strictly, among their
/// values: ternary ones for -a, 0, a; binary digits for up to 256 levels that
/// are evenly spaced; else independent ones, where every sum of their steps
/// is begun by a level (subset sums, so two planes have 0, a, b, a + b). Values
/// are equal to the levels up to 1e-6 of the largest magnitude. None if there
/// are no such planes, less than two levels, levels nearer than that, or, where
/// they are not evenly spaced, `losesLevel`.
std::optional<LevelPlanes> planesOfLevels(const std::vector<float> &levels);

/// Whether a level that is not 0 is, beside the largest, what rounding may make
/// of 0: within 2e-6 of its magnitude.
bool losesLevel(const std::vector<float> &levels);

} // namespace bquant::quant

#endif // BQUANT_QUANT_LEVELPLANES_H
