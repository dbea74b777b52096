//===- NormalEquations.h - Scalars by least squares -------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_QUANT_NORMALEQUATIONS_H
#define BQUANT_LIB_QUANT_NORMALEQUATIONS_H

namespace bquant::quant {

/// The normal equations A v = b of a least-squares fit: A_ij sums s_i s_j over
/// all values, b_i sums s_i x. A set of scalars has sum x^2 - gain(v) for its
/// squared error. The number of planes is known when this is compiled, since
/// the loops over planes take most of the time.
template <int planes> struct NormalEquations {
  double a[planes][planes] = {};
  double b[planes] = {};

  /// `count` values whose sum is `sum`; the signs of planes of a 1 in
  /// `negative` are negative.
  void add(unsigned negative, double count, double sum) {
    double counts[2] = {count, -count}, sums[2] = {sum, -sum};
    for (int i = 0; i < planes; ++i) {
      for (int j = 0; j <= i; ++j)
        a[i][j] += counts[((negative >> i) ^ (negative >> j)) & 1];
      b[i] += sums[(negative >> i) & 1];
    }
  }

  double gain(const double *v) const {
    double gain = 0;
    for (int i = 0; i < planes; ++i) {
      double row = 2 * b[i] - a[i][i] * v[i];
      for (int j = 0; j < i; ++j)
        row -= 2 * a[i][j] * v[j];
      gain += v[i] * row;
    }
    return gain;
  }

  void solve(double *v) const;
};

/// Changes `v` to solve the equations, by elimination with the largest pivot.
/// Directions that no value depends on are left as they are.
template <int planes> void NormalEquations<planes>::solve(double *v) const {
  double m[planes][planes], r[planes];
  bool isDone[planes] = {};
  for (int i = 0; i < planes; ++i) {
    r[i] = b[i];
    for (int j = 0; j < planes; ++j) {
      m[i][j] = j <= i ? a[i][j] : a[j][i];
      r[i] -= m[i][j] * v[j];
    }
  }
  // The counts are integers, so a pivot that is not 0 is not small either.
  double least = a[0][0] * 1e-9;
  for (int step = 0; step < planes; ++step) {
    int p = -1;
    for (int i = 0; i < planes; ++i)
      if (!isDone[i] && (p < 0 || m[i][i] > m[p][p]))
        p = i;
    if (!(m[p][p] > least)) {
      for (int i = 0; i < planes; ++i)
        if (!isDone[i])
          r[i] = 0, m[i][i] = 1; // a step of 0
      break;
    }
    isDone[p] = true;
    // Which one is asked again, so that indices are constants.
    for (int pivot = 0; pivot < planes; ++pivot)
      for (int i = 0; i < planes && pivot == p; ++i) {
        if (i == pivot)
          continue;
        double factor = m[i][pivot] / m[pivot][pivot];
        for (int j = 0; j < planes; ++j)
          m[i][j] -= factor * m[pivot][j];
        m[i][pivot] = 0;
        r[i] -= factor * r[pivot];
      }
  }
  for (int i = 0; i < planes; ++i)
    v[i] += r[i] / m[i][i];
}

} // namespace bquant::quant

#endif // BQUANT_LIB_QUANT_NORMALEQUATIONS_H
