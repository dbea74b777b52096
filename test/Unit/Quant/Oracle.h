//===- Oracle.h - What the solvers are tested against -----------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Slow and obviously right: nothing here shares code or formulas with the
// solvers. Errors are sums of squares, counted value by value.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TEST_UNIT_QUANT_ORACLE_H
#define BQUANT_TEST_UNIT_QUANT_ORACLE_H

#include <string>
#include <vector>

namespace bquant::quant::test {

struct Case {
  std::string name;
  std::vector<float> x;
};

/// More than 100 vectors that are hard on a solver: ties, one outlier, two
/// bunches, all equal, zeros, -0.0, one value, heavy tails, huge, tiny and
/// subnormal values, of up to `most` values each. The same at each call.
std::vector<Case> adversarialCases(int most);

/// ||x||^2.
long double squaredNorm(const std::vector<float> &x);

/// The least squared error over all assignments of signs (4^N of them for two
/// planes), with least-squares scalars for each. N <= 8.
long double exhaustiveLS1(const std::vector<float> &x);
long double exhaustiveLS2(const std::vector<float> &x);
long double exhaustiveLST(const std::vector<float> &x);

/// The same for three planes. Of the 8 codes of a value only 5 are tried: signs
/// of planes and their order are free, so v1 >= v2 >= v3 >= 0 may be assumed,
/// and then the others are levels below 0, never the best for a magnitude.
long double exhaustiveLS3(const std::vector<float> &x);
/// With all 8 codes. N <= 4.
long double exhaustiveLS3AllCodes(const std::vector<float> &x);

/// The least squared error over all splits of the sorted magnitudes into two
/// parts, with the means of the parts for levels (ls-2), or 0 and the mean of
/// the upper part (ls-T).
long double scanSplitsLS2(const std::vector<float> &x);
long double scanSplitsLST(const std::vector<float> &x);

/// The scalars of the best split by sorting all magnitudes, with prefix sums in
/// long double; O(N log N).
std::vector<float> sortedLS2(const std::vector<float> &x);
std::vector<float> sortedLST(const std::vector<float> &x);

/// What the rounding of scalars to f32 may add to a least squared error: where
/// levels are the means of their parts, each deviates by at most 2^-22 of the
/// largest magnitude, or by two steps of subnormals.
long double roundingAllowance(const std::vector<float> &x);

} // namespace bquant::quant::test

#endif // BQUANT_TEST_UNIT_QUANT_ORACLE_H
