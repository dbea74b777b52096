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
struct NamedScheme {
  std::string name;
  Scheme scheme;
};
} // namespace

static std::vector<NamedScheme> createSchemes() {
  using Rule = Scheme::Rule;
  std::vector<NamedScheme> all;
  auto add = [&](const char *prefix, Rule rule, Planes (*planes)(int64_t)) {
    for (int64_t k = 1; k <= Scheme::maxPlanes; ++k)
      all.push_back({prefix + std::to_string(k), {rule, planes(k)}});
  };
  auto uniform = [](int64_t k) {
    return Planes::uniform(k, /*hasOffset=*/true);
  };
  auto centered = [](int64_t k) {
    return Planes::uniform(k, /*hasOffset=*/false);
  };
  add("ls-", Rule::LeastSquares, Planes::independent);
  all.push_back({"ls-T", {Rule::LeastSquares, Planes::ternary()}});
  add("gf-", Rule::Greedy, Planes::independent);
  all.push_back({"bwn", {Rule::LeastSquares, Planes::independent(1)}});
  all.push_back({"twn", {Rule::TernaryWeights, Planes::ternary()}});
  add("dorefa-", Rule::DoReFa, uniform);
  add("dorefa-w-", Rule::DoReFaWeights, centered);
  add("hwgq-", Rule::HalfWaveGaussian, uniform);
  add("given-", Rule::Given, Planes::independent);
  all.push_back({"given-T", {Rule::Given, Planes::ternary()}});
  return all;
}

static const std::vector<NamedScheme> &getSchemes() {
  static const std::vector<NamedScheme> schemes = createSchemes();
  return schemes;
}

Result<Scheme> Scheme::parse(std::string_view name) {
  for (const NamedScheme &one : getSchemes())
    if (one.name == name)
      return one.scheme;
  return Failure{"expected a scheme of ls-k, ls-T, gf-k, bwn, twn, dorefa-k, "
                 "dorefa-w-k, hwgq-k, given-k or given-T with k from 1 to 8, "
                 "but got '" +
                 std::string(name) + "'"};
}

std::vector<std::string> Scheme::getNames() {
  std::vector<std::string> names;
  for (const NamedScheme &one : getSchemes())
    names.push_back(one.name);
  return names;
}

std::string Scheme::str() const {
  for (const NamedScheme &one : getSchemes())
    if (one.scheme == *this)
      return one.name;
  return {};
}
