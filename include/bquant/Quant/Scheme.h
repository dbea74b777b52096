//===- Scheme.h - How the scalars of a quantization are found ---*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_QUANT_SCHEME_H
#define BQUANT_QUANT_SCHEME_H

#include "bquant/Quant/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bquant::quant {

/// The form of a scaled-binary value, x^q = sum_i v_i s_i with s_i = +-1:
/// the number of planes and, for ratio planes, the integers m_i with
/// v_i = m_i v. Independent planes have k scalars, ratio planes have one, v.
struct Planes {
  int64_t count = 0;
  /// Empty for independent planes, else one entry for each plane.
  std::vector<int64_t> ratios;

  static Planes independent(int64_t count) { return {count, {}}; }
  /// Values -2v, 0, 2v.
  static Planes ternary() { return {2, {1, 1}}; }

  int64_t numScalars() const { return ratios.empty() ? count : 1; }
  bool operator==(const Planes &other) const {
    return count == other.count && ratios == other.ratios;
  }
};

/// A scheme, written `ls-1`, `ls-2`, `ls-T`, `gf-1` to `gf-8`, `given-1` to
/// `given-8`, `given-T`. All of them are foldable: with the scalars known, the
/// planes are s_i = sign(x - sum_{j<i} v_j s_j), the sign cascade.
struct Scheme {
  enum class Rule {
    /// Least squares: the scalars and signs that minimize ||x - x^q||.
    LeastSquares,
    /// Greedy foldable: v_i = mean |r|, s_i = sign r, r -= v_i s_i.
    Greedy,
    /// The scalars come from elsewhere, e.g. from training.
    Given,
  };

  /// The planes that one code can have; a limit of the number of levels (2^k).
  static constexpr int64_t maxPlanes = 8;

  Rule rule = Rule::LeastSquares;
  Planes planes = Planes::independent(1);

  /// Reads the name of a scheme; fails with the names that exist.
  static Result<Scheme> parse(std::string_view name);
  /// The name, such that parse(str()) is this scheme.
  std::string str() const;

  bool isTernary() const { return planes == Planes::ternary(); }
  bool operator==(const Scheme &other) const {
    return rule == other.rule && planes == other.planes;
  }
};

} // namespace bquant::quant

#endif // BQUANT_QUANT_SCHEME_H
