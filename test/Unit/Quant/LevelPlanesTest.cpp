//===- LevelPlanesTest.cpp - Planes that have given values ----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Quant/LevelPlanes.h"
#include "bquant/Quant/Cascade.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace bquant::quant;

/// The planes of `levels`, checked by decoding every level.
static std::optional<LevelPlanes> find(const std::vector<float> &levels) {
  std::optional<LevelPlanes> found = planesOfLevels(levels);
  if (!found)
    return found;
  EXPECT_EQ(found->codes.size(), levels.size());
  float largest = std::max(std::fabs(levels.front()), std::fabs(levels.back()));
  for (size_t j = 0; j < levels.size(); ++j) {
    unsigned planes = planesOfCode(unsigned(found->codes[j]), found->planes);
    float value = found->ratios.empty()
                      ? decodeIndependent(planes, found->scalars.data(),
                                          found->planes, found->offset)
                      : found->offset + decodeRatios(planes, found->ratios,
                                                     found->scalars[0]);
    EXPECT_NEAR(value, levels[j], 2e-6 * largest);
  }
  EXPECT_EQ(found->thresholds.size() + 1, levels.size());
  for (size_t j = 1; j < levels.size(); ++j) {
    EXPECT_GT(found->thresholds[j - 1], levels[j - 1]);
    EXPECT_LE(found->thresholds[j - 1], levels[j]);
  }
  return found;
}

TEST(LevelPlanes, TwoLevelsAreOnePlaneAndAnOffset) {
  auto found = find({-0.4f, 1.0f});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->planes, 1);
  EXPECT_TRUE(found->ratios.empty());
  EXPECT_FLOAT_EQ(found->scalars[0], 0.7f);
  EXPECT_FLOAT_EQ(found->offset, 0.3f);
}

TEST(LevelPlanes, AroundZeroThreeAreTernary) {
  auto found = find({-0.5f, 0, 0.5f});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->ratios, (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(found->offset, 0);
  // Elsewhere they are digits.
  found = find({0, 0.5f, 1});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->ratios, (std::vector<int64_t>{2, 1}));
}

TEST(LevelPlanes, EvenSpacesAreDigits) {
  std::vector<float> levels;
  for (int i = 0; i < 256; ++i)
    levels.push_back(0.1f * float(i - 128));
  auto found = find(levels);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->planes, 8);
  levels.push_back(12.8f);
  EXPECT_FALSE(find(levels));
}

// All x at a threshold or above it are at the middle or above it.
TEST(LevelPlanes, MiddlesThatAreFloatsAreThresholds) {
  for (float last : {255.0f, 9.0284500f, 3.8250000f, 0x1.1eb852p+3f}) {
    std::vector<float> levels;
    for (int i = 0; i < 256; ++i)
      levels.push_back(float(double(last) * i / 255));
    auto found = find(levels);
    ASSERT_TRUE(found);
    for (int j = 0; j < 255; ++j) {
      // 510 middles and floats times 510 are exact.
      double middle = (2.0 * j + 1) * last, t = found->thresholds[j];
      EXPECT_GE(t * 510, middle) << last << ", " << j;
      double before = std::nextafter(found->thresholds[j], -INFINITY);
      EXPECT_LT(before * 510, middle) << last << ", " << j;
    }
  }
}

TEST(LevelPlanes, SumsOfABasis) {
  auto found = find({0, 0.4f, 0.9f, 1.3f});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->planes, 2);
  EXPECT_FLOAT_EQ(found->scalars[0], 0.45f);
  EXPECT_FLOAT_EQ(found->scalars[1], 0.2f);
  // All of three numbers, two of which add to nearly the third; no offset.
  found = find({-1.9f, -1.3f, -0.7f, -0.1f, 0.1f, 0.7f, 1.3f, 1.9f});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->planes, 3);
  EXPECT_EQ(found->offset, 0);
}

TEST(LevelPlanes, StepsAreNotFoundInTheirOrder) {
  auto found = find({0, 1, 1.4f, 3.4f, 4, 4.4f}); // by 1, 0.4 and 3
  ASSERT_TRUE(found);
  EXPECT_EQ(found->planes, 3);
  EXPECT_FLOAT_EQ(found->scalars[0], 1.5f);
  EXPECT_FLOAT_EQ(found->scalars[2], 0.2f);
}

TEST(LevelPlanes, AnyFewLevelsAreAPlaneAStep) {
  auto found = find({0, 0.4f, 0.9f, 2});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->planes, 3);
  found = find({0, 1, 3, 7.5f, 18, 40});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->planes, 5);
  EXPECT_FALSE(find({0, 1, 3, 7.5f, 18, 40, 93}));
}

TEST(LevelPlanes, NoNumberBeyondTheFloats) {
  // The first steps that are tried are 6.4e38, 6.6e38 and 6.8e38.
  EXPECT_EQ(find({-3.4e38f, 3.0e38f, 3.2e38f, 3.4e38f})->planes, 3);
}

TEST(LevelPlanes, WhatHasNone) {
  EXPECT_FALSE(find({}));
  EXPECT_FALSE(find({1}));
  EXPECT_FALSE(find({1, 1}));
  EXPECT_FALSE(find({1, 1.0000001f}));
  EXPECT_FALSE(find({0, INFINITY}));
  EXPECT_FALSE(find({0, NAN}));
  EXPECT_FALSE(find({-3e38f, 3e38f, INFINITY}));
}

TEST(LevelPlanes, LevelsThatOthersWouldSwallow) {
  EXPECT_TRUE(losesLevel({2e-5f, 1000}));
  EXPECT_TRUE(losesLevel({-1000, -2e-5f}));
  EXPECT_FALSE(losesLevel({0, 1000}));
  EXPECT_FALSE(losesLevel({1e-2f, 1000}));
  EXPECT_FALSE(find({2e-5f, 1000}));
  EXPECT_FALSE(find({2e-5f, 300, 1000}));
  // Of several in a line it is a 0 that was rounded.
  EXPECT_TRUE(find({-1, 1e-7f, 1}));
}
