//===- Scheme.cpp - Names of schemes --------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Quant/Scheme.h"

using namespace bquant::quant;

Planes Planes::uniform(int64_t count, bool hasOffset) {
  Planes planes{count, {}, hasOffset};
  for (int64_t i = count; count > 1 && i-- > 0;)
    planes.ratios.push_back(int64_t(1) << i);
  return planes;
}

bool Scheme::isFoldable() const {
  switch (rule) {
  case Rule::LeastSquares:
    return planes.count <= 2;
  case Rule::Greedy:
  case Rule::Given:
    return true;
  case Rule::TernaryWeights:
  case Rule::DoReFa:
  case Rule::DoReFaWeights:
  case Rule::HalfWaveGaussian:
    return false;
  }
  return false;
}

namespace {
/// A rule and how its names start; what follows is a number of planes or T.
struct Prefix {
  const char *text;
  Scheme::Rule rule;
};
} // namespace

static constexpr Prefix prefixes[] = {
    {"ls-", Scheme::Rule::LeastSquares},
    {"gf-", Scheme::Rule::Greedy},
    {"dorefa-w-", Scheme::Rule::DoReFaWeights},
    {"dorefa-", Scheme::Rule::DoReFa},
    {"hwgq-", Scheme::Rule::HalfWaveGaussian},
    {"given-", Scheme::Rule::Given},
};

/// The planes of a rule that has a number of them.
static Planes planesOf(Scheme::Rule rule, int64_t count) {
  switch (rule) {
  case Scheme::Rule::DoReFa:
  case Scheme::Rule::HalfWaveGaussian:
    return Planes::uniform(count, /*hasOffset=*/true);
  case Scheme::Rule::DoReFaWeights:
    return Planes::uniform(count, /*hasOffset=*/false);
  default:
    return Planes::independent(count);
  }
}

Result<Scheme> Scheme::parse(std::string_view name) {
  if (name == "bwn")
    return Scheme{Rule::LeastSquares, Planes::independent(1)};
  if (name == "twn")
    return Scheme{Rule::TernaryWeights, Planes::ternary()};
  for (const Prefix &prefix : prefixes) {
    std::string_view text = prefix.text;
    if (name.size() != text.size() + 1 || name.substr(0, text.size()) != text)
      continue;
    char planes = name.back();
    if (planes >= '1' && planes <= '0' + maxPlanes)
      return Scheme{prefix.rule, planesOf(prefix.rule, planes - '0')};
    if (planes == 'T' &&
        (prefix.rule == Rule::LeastSquares || prefix.rule == Rule::Given))
      return Scheme{prefix.rule, Planes::ternary()};
  }
  return Failure{"expected a scheme of ls-k, ls-T, gf-k, bwn, twn, dorefa-k, "
                 "dorefa-w-k, hwgq-k, given-k or given-T with k from 1 to 8, "
                 "but got '" +
                 std::string(name) + "'"};
}

std::string Scheme::str() const {
  for (const Prefix &prefix : prefixes)
    if (prefix.rule == rule)
      return prefix.text + (isTernary() ? "T" : std::to_string(planes.count));
  return "twn";
}
