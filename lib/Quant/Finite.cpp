//===- Finite.cpp - Data without NaN and Inf ------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Finite.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace bquant::quant;

BQUANT_VECTOR_CLONES
bool bquant::quant::areFinite(const float *x, int64_t n) {
  uint32_t most = 0;
  for (int64_t i = 0; i < n; ++i) {
    uint32_t bits;
    std::memcpy(&bits, x + i, sizeof(bits));
    most = std::max(most, bits & 0x7fffffffu);
  }
  return most < 0x7f800000u;
}

std::string bquant::quant::formatValue(float value) {
  if (std::isfinite(value))
    return std::to_string(value);
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

/// "[1, 2]": the index of a value by its position.
static std::string formatIndex(const Grouping &grouping, int64_t position) {
  std::vector<int64_t> index(grouping.shape().size());
  for (size_t d = index.size(); d-- > 0; position /= grouping.shape()[d])
    index[d] = position % grouping.shape()[d];
  return formatShape(index);
}

Failure bquant::quant::notFinite(const float *x, const Grouping &grouping) {
  int64_t i = 0;
  while (std::isfinite(x[i]))
    ++i;
  return {"expected finite values, but got " + formatValue(x[i]) + " at " +
          formatIndex(grouping, i)};
}
