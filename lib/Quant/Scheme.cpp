//===- Scheme.cpp - Names of schemes --------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Quant/Scheme.h"

using namespace bquant::quant;

Result<Scheme> Scheme::parse(std::string_view name) {
  Failure failure{
      "expected a scheme of ls-1, ls-2, ls-T, gf-1 to gf-8, given-1 "
      "to given-8 or given-T, but got '" +
      std::string(name) + "'"};
  size_t dash = name.find('-');
  if (dash == std::string_view::npos || name.size() != dash + 2)
    return failure;
  std::string_view rule = name.substr(0, dash);
  char planes = name[dash + 1];

  Scheme scheme;
  int64_t most = maxPlanes;
  bool hasTernary = true;
  if (rule == "ls") {
    scheme.rule = Rule::LeastSquares;
    most = 2;
  } else if (rule == "gf") {
    scheme.rule = Rule::Greedy;
    hasTernary = false;
  } else if (rule == "given") {
    scheme.rule = Rule::Given;
  } else {
    return failure;
  }

  if (planes == 'T' && hasTernary)
    scheme.planes = Planes::ternary();
  else if (planes >= '1' && planes <= '9' && planes - '0' <= most)
    scheme.planes = Planes::independent(planes - '0');
  else
    return failure;
  return scheme;
}

std::string Scheme::str() const {
  const char *name = rule == Rule::LeastSquares ? "ls-"
                     : rule == Rule::Greedy     ? "gf-"
                                                : "given-";
  return name + (isTernary() ? "T" : std::to_string(planes.count));
}
