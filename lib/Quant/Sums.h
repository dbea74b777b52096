//===- Sums.h - Sums of magnitudes ------------------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_QUANT_SUMS_H
#define BQUANT_LIB_QUANT_SUMS_H

#include "Namespace.h"
#include "bquant/Quant/Solve.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace bquant::quant {
inline namespace BQUANT_SOLVERS {

/// The sum of summand(x[i]) in double, in the order that meanPartials
/// describes.
template <typename Summand>
double sumInPartials(const float *x, int64_t n, Summand summand) {
  int64_t parts = numMeanParts(n), partials = parts * meanPartials;
  int64_t length = n / partials * meanPartials;
  double partial[maxMeanParts * meanPartials] = {};
  for (int64_t part = 0; part < parts; ++part, x += length) {
    double *own = partial + part * meanPartials;
    for (int64_t i = 0; i < length; i += meanPartials)
      for (int64_t p = 0; p < meanPartials; ++p)
        own[p] += summand(x[i + p]);
  }
  for (int64_t i = 0; i < n - parts * length; ++i)
    partial[i] += summand(x[i]);
  double sum = 0;
  for (int64_t p = 0; p < partials; ++p)
    sum += partial[p];
  return sum;
}

/// Mean |x| in double; NaN for values with NaN or Inf among them.
inline double meanMagnitude(const float *x, int64_t n) {
  double sum =
      sumInPartials(x, n, [](float value) { return std::fabs(double(value)); });
  return sum < HUGE_VAL ? sum / double(n) : NAN;
}

/// What bad data give: one NaN on all machines for all scalars.
inline void spreadNaN(float *scalars, int64_t count) {
  bool isFinite = true;
  for (int64_t i = 0; i < count; ++i)
    isFinite &= std::isfinite(scalars[i]);
  for (int64_t i = 0; !isFinite && i < count; ++i)
    scalars[i] = std::numeric_limits<float>::quiet_NaN();
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
  void add(const CarriedSum &other) {
    add(other.high);
    add(other.low);
  }
  double value() const { return high + low; }
  /// *this - other
  double minus(const CarriedSum &other) const {
    return (high - other.high) + (low - other.low);
  }
};

} // namespace BQUANT_SOLVERS
} // namespace bquant::quant

#endif // BQUANT_LIB_QUANT_SUMS_H
