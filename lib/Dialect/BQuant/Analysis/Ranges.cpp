//===- Ranges.cpp - What a value of a chain can be ------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ranges.h"
#include <algorithm>

using namespace bquant::chains;

/// The least range that holds the candidates; everything if one is NaN.
static FloatRange hull(std::initializer_list<float> candidates, bool nan) {
  FloatRange range{INFINITY, -INFINITY, nan};
  for (float x : candidates) {
    if (std::isnan(x))
      return {};
    range.low = std::min(range.low, x);
    range.high = std::max(range.high, x);
  }
  return range;
}

static bool holdsInfinity(const FloatRange &r) {
  return r.low == -INFINITY || r.high == INFINITY;
}

static bool holdsZero(const FloatRange &r) { return r.low <= 0 && r.high >= 0; }

static FloatRange add(const FloatRange &a, const FloatRange &b) {
  bool nan = a.nan || b.nan || (a.high == INFINITY && b.low == -INFINITY) ||
             (a.low == -INFINITY && b.high == INFINITY);
  return hull({a.low + b.low, a.high + b.high}, nan);
}

static FloatRange negate(const FloatRange &a) {
  return {-a.high, -a.low, a.nan};
}

static FloatRange multiply(const FloatRange &a, const FloatRange &b) {
  bool nan = a.nan || b.nan || (holdsZero(a) && holdsInfinity(b)) ||
             (holdsZero(b) && holdsInfinity(a));
  return hull({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high},
              nan);
}

static FloatRange divide(const FloatRange &a, const FloatRange &b) {
  if (holdsZero(b))
    return {};
  bool nan = a.nan || b.nan || (holdsInfinity(a) && holdsInfinity(b));
  return hull({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high},
              nan);
}

static FloatRange maximum(const FloatRange &a, const FloatRange &b, bool nan) {
  return {std::max(a.low, b.low), std::max(a.high, b.high), nan};
}

FloatRange bquant::chains::findRange(const ChainNode &node, const FloatRange *a,
                                     const FloatRange *b, const FloatRange *c) {
  switch (node.op) {
  case ChainOp::Add:
    return add(*a, *b);
  case ChainOp::Sub:
    return add(*a, negate(*b));
  case ChainOp::Mul:
    return multiply(*a, *b);
  case ChainOp::Div:
    return divide(*a, *b);
  case ChainOp::Neg:
    return negate(*a);
  case ChainOp::Abs:
    return {holdsZero(*a) ? 0.0f
                          : std::min(std::fabs(a->low), std::fabs(a->high)),
            std::max(std::fabs(a->low), std::fabs(a->high)), a->nan};
  case ChainOp::Sqrt:
    if (a->low < 0)
      return {};
    return {std::sqrt(a->low), std::sqrt(a->high), a->nan};
  case ChainOp::Rsqrt:
    if (a->low <= 0)
      return {};
    return {1.0f / std::sqrt(a->high), 1.0f / std::sqrt(a->low), a->nan};
  case ChainOp::Floor:
    return {std::floor(a->low), std::floor(a->high), a->nan};
  case ChainOp::Ceil:
    return {std::ceil(a->low), std::ceil(a->high), a->nan};
  case ChainOp::RoundEven:
    return {std::nearbyint(a->low), std::nearbyint(a->high), a->nan};
  case ChainOp::Round:
    return {std::round(a->low), std::round(a->high), a->nan};
  case ChainOp::Trunc:
    return {std::trunc(a->low), std::trunc(a->high), a->nan};
  case ChainOp::Sign:
    return {-1.0f, 1.0f, false};
  case ChainOp::Maximum:
    return maximum(*a, *b, a->nan || b->nan);
  case ChainOp::Minimum:
    return negate(maximum(negate(*a), negate(*b), a->nan || b->nan));
  case ChainOp::MaxNum:
  case ChainOp::MinNum:
    // One NaN leaves the other operand.
    return {std::min(a->low, b->low), std::max(a->high, b->high),
            a->nan && b->nan};
  case ChainOp::Select:
    return {std::min(b->low, c->low), std::max(b->high, c->high),
            b->nan || c->nan};
  case ChainOp::ToFloat:
    return {a->low, a->high, false};
  case ChainOp::Compare:
  case ChainOp::And:
  case ChainOp::Or:
  case ChainOp::Xor:
    return {0.0f, 1.0f, false};
  case ChainOp::Input:
  case ChainOp::Constant:
  case ChainOp::Fma:
    break;
  }
  return {};
}
