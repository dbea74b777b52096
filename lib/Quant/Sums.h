//===- Sums.h - Sums of magnitudes ------------------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_QUANT_SUMS_H
#define BQUANT_LIB_QUANT_SUMS_H

#include <cmath>
#include <cstdint>

namespace bquant::quant {

/// Mean |x| in double. Eight partial sums in a fixed order keep the additions
/// independent of each other.
inline double meanMagnitude(const float *x, int64_t n) {
  double partial[8] = {};
  int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (int64_t j = 0; j < 8; ++j)
      partial[j] += std::fabs(double(x[i + j]));
  for (int64_t j = 0; i < n; ++i, ++j)
    partial[j] += std::fabs(double(x[i]));
  double sum = ((partial[0] + partial[1]) + (partial[2] + partial[3])) +
               ((partial[4] + partial[5]) + (partial[6] + partial[7]));
  return sum / double(n);
}

/// A sum that carries its rounding error along, so that the difference of two
/// prefix sums is good to full double precision, however small the part.
struct CarriedSum {
  double high = 0, low = 0;

  void add(double x) {
    // Knuth's two-sum.
    double sum = high + x;
    double part = sum - high;
    low += (high - (sum - part)) + (x - part);
    high = sum;
  }
  double value() const { return high + low; }
  /// *this - other
  double minus(const CarriedSum &other) const {
    return (high - other.high) + (low - other.low);
  }
};

} // namespace bquant::quant

#endif // BQUANT_LIB_QUANT_SUMS_H
