//===- Arrays.h - Arrays of any floats, and what quantizes them -*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TEST_FUZZ_ARRAYS_H
#define BQUANT_TEST_FUZZ_ARRAYS_H

#include "Fuzz.h"
#include "bquant/Quant/Cascade.h"
#include "bquant/Quant/Quantize.h"

#include <cmath>

namespace bquant::fuzz {

/// Floats of any bits, or, which have ties, small multiples of an eighth.
inline std::vector<float> takeFloats(Bytes &bytes, int64_t count) {
  bool isAny = bytes.below(2);
  std::vector<float> values(count);
  for (float &value : values)
    value = isAny ? bytes.take<float>() : 0.125f * bytes.take<int8_t>();
  return values;
}

/// Equal in every bit, but that NaN is NaN.
inline void checkSame(float got, float expected, std::string_view what) {
  check(std::memcmp(&got, &expected, sizeof(float)) == 0 ||
            (std::isnan(got) && std::isnan(expected)),
        what, std::to_string(got) + " for " + std::to_string(expected));
}

/// An array of rank 1 to 4 and the axes that keep scalars of their own.
struct Array {
  explicit Array(Bytes &bytes);

  bool isFinite() const { return firstBad == values.size(); }
  /// The values of a group.
  std::vector<float> getGroup(int64_t group) const;
  /// What a refusal of the values says.
  std::string getMessage() const;

  /// None for one that would be too large here.
  std::optional<quant::Grouping> grouping;
  std::vector<float> values;
  std::vector<int64_t> groupOf;
  size_t firstBad = 0;
};

/// The rows of one group.
template <typename T>
std::vector<T> getColumn(const std::vector<T> &rows, int64_t group,
                         int64_t groups) {
  std::vector<T> column;
  for (size_t i = group; i < rows.size(); i += groups)
    column.push_back(rows[i]);
  return column;
}

/// Whether parameters are what Quantize.h asks for.
bool areValid(const quant::Parameters &parameters, const quant::Planes &planes,
              int64_t groups);

/// Applies parameters on one and on three threads, and holds planes and values
/// against Cascade.h. Returns the values; none after a refusal, which there is
/// for values that are not finite, given or decoded, and for parameters that
/// are not valid.
std::vector<float> checkApplied(const Array &array, const quant::Planes &planes,
                                const quant::Parameters &parameters);

} // namespace bquant::fuzz

#endif // BQUANT_TEST_FUZZ_ARRAYS_H
