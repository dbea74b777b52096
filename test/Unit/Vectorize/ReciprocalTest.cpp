//===- ReciprocalTest.cpp - Reciprocals against divisions -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Packed/Transforms/Vectorize/Reciprocal.h"
#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <random>

using namespace bquant;

namespace {

float multiply(float x, Reciprocal reciprocal) {
  if (reciprocal.low == 0)
    return x * reciprocal.high;
  float rest = x * reciprocal.low;
  return std::fma(x, reciprocal.high, rest);
}

/// How many of `step`'s multiples of 24 bits are divided wrong.
int64_t countWrong(float divisor, Reciprocal reciprocal, int64_t step = 1) {
  int64_t wrong = 0;
  for (int64_t x = 1 << 23; x < 1 << 24; x += step)
    wrong += multiply(x, reciprocal) != float(x) / divisor;
  return wrong;
}

void expectSameBits(float x, float divisor, Reciprocal reciprocal) {
  float given = std::nearbyint(multiply(x, reciprocal));
  float wanted = std::nearbyint(x / divisor);
  if (std::isnan(wanted))
    EXPECT_TRUE(std::isnan(given)) << x << " / " << divisor;
  else
    EXPECT_EQ(llvm::bit_cast<uint32_t>(given), llvm::bit_cast<uint32_t>(wanted))
        << x << " / " << divisor;
}

TEST(ReciprocalTest, EveryNumber) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> draw(1, 2);
  int found = 0;
  for (int i = 0; i < 12; ++i) {
    float divisor = std::ldexp(draw(random), int(random() % 40) - 20);
    if (std::optional<Reciprocal> reciprocal = findReciprocal(divisor)) {
      ++found;
      EXPECT_EQ(countWrong(divisor, *reciprocal), 0) << divisor;
    }
  }
  EXPECT_GE(found, 9);
}

/// Of 2,000 divisors some are refused, and for a reason: a number that they
/// divide wrong.
TEST(ReciprocalTest, Refused) {
  std::mt19937 random(2);
  std::uniform_real_distribution<float> draw(1, 2);
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    float divisor = draw(random);
    if (findReciprocal(divisor))
      continue;
    if (++refused > 3)
      continue;
    float high = 1 / divisor;
    if (double(high) * divisor > 1)
      high = std::nextafter(high, 0.0f);
    Reciprocal reciprocal{high, float((1 - double(high) * divisor) / divisor)};
    EXPECT_GT(countWrong(divisor, reciprocal), 0) << divisor;
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, 200);
}

TEST(ReciprocalTest, SpecialNumbers) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kMost = std::numeric_limits<float>::max();
  constexpr float kNormal = std::numeric_limits<float>::min();
  constexpr float kLeast = std::numeric_limits<float>::denorm_min();
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  for (float divisor : {0.1f, -0.1f, 3.0f, 0.0173f, 1e-15f, 1e15f, 0.5f, -4.0f,
                        1.0f, 0.0235294122f}) {
    std::optional<Reciprocal> reciprocal = findReciprocal(divisor);
    if (!reciprocal)
      continue;
    for (float x : {0.0f, kInfinity, kMost, kMost / 2, kNormal, kNormal / 3,
                    kLeast, 1e-30f, kNaN, 0.5f * divisor, 2.5f * divisor})
      for (float signedX : {x, -x})
        expectSameBits(signedX, divisor, *reciprocal);
  }
}

/// The numbers around each half of a code.
TEST(ReciprocalTest, SwitchPoints) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> draw(1, 2);
  for (int i = 0; i < 200; ++i) {
    float divisor = std::ldexp(draw(random), int(random() % 100) - 50);
    std::optional<Reciprocal> reciprocal = findReciprocal(divisor);
    if (!reciprocal)
      continue;
    for (int half = -513; half <= 513; half += 2) {
      float x = half * 0.5f * divisor;
      for (int step = 0; step < 4; ++step)
        x = std::nextafter(x, -std::numeric_limits<float>::infinity());
      for (int step = 0; step < 8; ++step) {
        expectSameBits(x, divisor, *reciprocal);
        x = std::nextafter(x, std::numeric_limits<float>::infinity());
      }
    }
  }
}

TEST(ReciprocalTest, PowersOfTwo) {
  for (int exponent : {-60, -7, -1, 0, 1, 5, 60}) {
    std::optional<Reciprocal> reciprocal =
        findReciprocal(std::ldexp(1.0f, exponent));
    ASSERT_TRUE(reciprocal);
    EXPECT_EQ(reciprocal->high, std::ldexp(1.0f, -exponent));
    EXPECT_EQ(reciprocal->low, 0);
  }
}

TEST(ReciprocalTest, TooFar) {
  for (float divisor :
       {0.0f, 1e-30f, 1e30f, 1e-40f, std::numeric_limits<float>::infinity(),
        std::numeric_limits<float>::quiet_NaN()})
    EXPECT_FALSE(findReciprocal(divisor)) << divisor;
}

} // namespace
