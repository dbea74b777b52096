//===- Reciprocal.cpp - Division by a multiplication and an fma -----------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After Brisebarre, Muller and Raina, Accelerating correctly rounded
// floating-point division when the divisor is known in advance (IEEE
// Transactions on Computers, 2004).
//
// Let x = X 2^i and c = C 2^j with whole X and C of 24 bits. What fma rounds is
// off x / c by at most 2^-46 of it: `low` is less than 2^-23 of the reciprocal,
// and is rounded, and so is x * low. The result is that of the division unless
// a number M 2^-25 (M 2^-24 where X >= C), M odd, in the middle of two floats
// is as near to X / C, which makes |X 2^25 - M C| at most 8. The few X for
// which this is so are tried.
//
// Only a quotient that is much smaller than 1 may underflow and differ; rounded
// to a whole number it is a zero of the same sign. `high` is rounded towards
// zero, so that `low` has its sign, and infinities and zeros keep theirs.
//
//===----------------------------------------------------------------------===//

#include "Reciprocal.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <cstdint>

using namespace bquant;

/// Twice what the comment above needs.
static constexpr int64_t kNearest = 16;

/// What compiled code computes.
static float multiply(float x, Reciprocal reciprocal) {
  float rest = x * reciprocal.low;
  return std::fma(x, reciprocal.high, rest);
}

/// Whether all X of 24 bits are divided right by a number of 1 to 2.
static bool isExact(float divisor, Reciprocal reciprocal) {
  constexpr int64_t kFirst = 1 << 23, kEnd = 1 << 24;
  int64_t c = std::ldexp(divisor, 23);
  int zeros = llvm::countr_zero(uint64_t(c));
  int64_t odd = c >> zeros, half = (odd + 1) / 2;
  for (int shift : {24, 25}) {
    int64_t inverse = 1; // Of 2^(shift - zeros), modulo odd.
    for (int i = zeros; i < shift; ++i)
      inverse = inverse * half % odd;
    // X 2^shift is near a multiple of c.
    for (int64_t near = -kNearest; near <= kNearest; ++near) {
      if (near == 0 || near % (int64_t(1) << zeros) != 0)
        continue;
      int64_t rest = ((near >> zeros) % odd + odd) % odd;
      for (int64_t x = rest * inverse % odd; x < kEnd; x += odd)
        if (x >= kFirst && multiply(x, reciprocal) != float(x) / divisor)
          return false;
    }
  }
  return true;
}

std::optional<Reciprocal> bquant::findReciprocal(float divisor) {
  // Far from where a reciprocal or its parts underflow.
  constexpr int kMostExponent = 60;
  if (!std::isnormal(divisor) || std::abs(std::ilogb(divisor)) > kMostExponent)
    return std::nullopt;
  int exponent = std::ilogb(divisor);
  float c = std::fabs(std::ldexp(divisor, -exponent));
  float high = 1 / c;
  // Products of two floats are exact.
  if (double(high) * c > 1)
    high = std::nextafter(high, 0.0f);
  Reciprocal found{high, float((1 - double(high) * c) / c)};
  if (!isExact(c, found))
    return std::nullopt;
  auto scale = [&](float part) {
    return std::copysign(std::ldexp(part, -exponent), divisor);
  };
  return Reciprocal{scale(found.high), scale(found.low)};
}
