//===- Oracle.h - The meaning of the ops, on plain arrays -------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written from the descriptions of the ops, with no code of the compiler: what
// both lowerings are compared with.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TEST_PROPERTY_ORACLE_H
#define BQUANT_TEST_PROPERTY_ORACLE_H

#include <cstdint>
#include <vector>

namespace bquant::test {

using Shape = std::vector<int64_t>;

int64_t count(const Shape &shape);

/// Numbers: `floats` or `ints`.
struct Array {
  Shape shape;
  bool isInt = false;
  std::vector<float> floats;
  std::vector<int32_t> ints;
};

/// The first element that differs, or -1. All NaN are alike.
int64_t findDifference(const Array &expected, const Array &got);

/// Arrays of these shapes, with a value that no result has by chance.
std::vector<Array> paint(std::vector<Array> outputs);

/// A scaled-binary value: codes, the bit of plane 1 the highest.
struct Codes {
  Shape shape;
  int64_t planes = 1;
  std::vector<int64_t> ratios; // Empty for independent scalars.
  std::vector<int64_t> axes;
  std::vector<uint8_t> codes;
  std::vector<float> scalars; // k x axes, or 1 x axes.
  std::vector<float> offset;  // Empty without.

  int sign(int64_t index, int64_t plane) const {
    return codes[index] >> (planes - 1 - plane) & 1 ? 1 : -1;
  }
  int64_t numScalars() const { return ratios.empty() ? planes : 1; }
  /// The number of places along the axes.
  int64_t axisSize() const;
  /// The scalar of a row at a place along the axes.
  float scalar(int64_t row, int64_t at) const {
    return scalars[row * axisSize() + at];
  }
  /// The place of element `index` along the axes.
  int64_t alongAxes(int64_t index) const;
};

struct Geometry {
  int64_t strides[2] = {1, 1}, dilations[2] = {1, 1}, pads[4] = {0, 0, 0, 0};
  int64_t groups = 1, padValue = 0;
};

/// `type` gives all but the codes.
Codes quantizeByScalars(const Array &x, Codes type);
/// `thresholds` of shape N, or C x N.
Codes quantizeByThresholds(const Array &x, const Array &thresholds,
                           const std::vector<int64_t> &table, Codes type);
/// Scalars from the data. `type` gives planes, ratios and axes.
enum class OnlineRule { LeastSquares, Greedy, TernaryWeights };
Codes quantizeOnline(const Array &x, OnlineRule rule, Codes type);
Array dequantize(const Codes &q);
/// How products of floats are added: `fused`, rounded once together with the
/// sum that they are added to; or `terms` of them, side by side, to each other
/// first.
struct SumOrder {
  bool fused;
  int64_t terms = 1;
};
/// The input is `codes`, or `floats` where `codes` is null.
Array conv2d(const Codes *codes, const Array *floats, const Codes &filter,
             const Geometry &g, bool isInt, SumOrder order);
Array matmul(const Codes *codes, const Array *floats, const Codes &rhs,
             bool isInt, SumOrder order);
/// linalg's matmul: M x K by K x N, added to zeros in the order of k.
Array matmul(const Array &x, const Array &w, bool fused);
Codes maxPool2d(const Codes &q, const int64_t window[2], const Geometry &g);
/// NaN if an element is; +0.0 is above -0.0.
Array maxPool2d(const Array &x, const int64_t window[2], const Geometry &g);
/// The sum of each window, from 0 in the order of its rows and columns.
Array sumPool2d(const Array &x, const int64_t window[2], const Geometry &g);

/// The output size of a window along dimension d (0, 1); 0 if it does not fit.
int64_t outputSize(const Geometry &g, int d, int64_t size, int64_t taps);

} // namespace bquant::test

#endif // BQUANT_TEST_PROPERTY_ORACLE_H
