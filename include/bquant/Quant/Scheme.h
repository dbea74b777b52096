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

/// The form of a scaled-binary value, x^q = c + sum_i v_i s_i with s_i = +-1:
/// the number of planes and, for ratio planes, the integers m_i with
/// v_i = m_i v. Independent planes have k scalars, ratio planes have one, v.
struct Planes {
  int64_t count = 0;
  /// Empty for independent planes, else one entry for each plane.
  std::vector<int64_t> ratios;
  /// Whether there is an offset c.
  bool hasOffset = false;

  static Planes independent(int64_t count) { return {count, {}, false}; }
  /// Values -2v, 0, 2v.
  static Planes ternary() { return {2, {1, 1}, false}; }
  /// Ratios [.., 4, 2, 1]: 2^k values, 2v from one to the next. One plane has
  /// no ratio.
  static Planes uniform(int64_t count, bool hasOffset);

  int64_t numScalars() const { return ratios.empty() ? count : 1; }
  int64_t numCodes() const { return int64_t(1) << count; }
  bool operator==(const Planes &other) const {
    return count == other.count && ratios == other.ratios &&
           hasOffset == other.hasOffset;
  }
};

/// A scheme, written (k from 1 to 8)
///   `ls-k`, `ls-T`, `gf-k`, `twn`, `dorefa-k`, `dorefa-w-k`, `hwgq-k`,
///   `given-k`, `given-T`; `bwn` is another name of `ls-1`.
struct Scheme {
  enum class Rule {
    /// Least squares: the scalars and signs that minimize ||x - x^q||.
    LeastSquares,
    /// Greedy foldable: v_i = mean |r|, s_i = sign r, r -= v_i s_i.
    Greedy,
    /// Ternary weight networks: 0 where |x| is at most 0.7 mean |x|.
    TernaryWeights,
    /// DoReFa-Net's activations: uniform levels in [0, 1].
    DoReFa,
    /// DoReFa-Net's weights: uniform levels of tanh x / max |tanh x|.
    DoReFaWeights,
    /// Half-wave Gaussian quantization: 0, and uniform levels for x > 0.
    HalfWaveGaussian,
    /// The scalars come from elsewhere, e.g. from training.
    Given,
  };

  /// The planes that one code can have; a limit of the number of levels (2^k).
  static constexpr int64_t maxPlanes = 8;

  Rule rule = Rule::LeastSquares;
  Planes planes = Planes::independent(1);

  /// Reads the name of a scheme; fails with the names that exist.
  static Result<Scheme> parse(std::string_view name);
  /// All names that exist.
  static std::vector<std::string> getNames();
  /// The name, such that parse(str()) is this scheme.
  std::string str() const;

  bool isTernary() const { return planes == Planes::ternary(); }
  /// Whether the planes follow from the scalars by the sign cascade,
  /// s_i = sign(x - sum_{j<i} v_j s_j). Otherwise they follow from the rank of
  /// x among thresholds.
  bool isFoldable() const;
  bool operator==(const Scheme &other) const {
    return rule == other.rule && planes == other.planes;
  }
};

} // namespace bquant::quant

#endif // BQUANT_QUANT_SCHEME_H
