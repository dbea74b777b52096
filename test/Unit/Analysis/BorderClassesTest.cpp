//===- BorderClassesTest.cpp - All small windows against a loop -----------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Images of up to 5, filters of up to 4 taps, strides and dilations of up to 3,
// and pads of up to one more than a window: two windows fit into the largest.
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/BorderClasses.h"
#include <cstdlib>
#include <gtest/gtest.h>

using namespace bquant;

namespace {
/// A window, its padding after the image, and the outputs that follow.
struct PaddedWindow : Window {
  int64_t high, outputs;

  bool sees(int64_t output, int64_t tap) const {
    int64_t at = output * stride + tap * dilation - low;
    return at >= 0 && at < size;
  }
  friend std::ostream &operator<<(std::ostream &os, const PaddedWindow &w) {
    return os << "size " << w.size << ", taps " << w.taps << ", stride "
              << w.stride << ", dilation " << w.dilation << ", pads " << w.low
              << " and " << w.high;
  }
};
} // namespace

static std::vector<PaddedWindow> makeWindows() {
  std::vector<PaddedWindow> windows;
  for (int64_t size = 1; size <= 5; ++size)
    for (int64_t taps = 1; taps <= 4; ++taps)
      for (int64_t stride = 1; stride <= 3; ++stride)
        for (int64_t dilation = 1; dilation <= 3; ++dilation) {
          int64_t span = (taps - 1) * dilation + 1;
          for (int64_t low = 0; low <= span + 1; ++low)
            for (int64_t high = 0; high <= span + 1; ++high)
              if (int64_t room = size + low + high - span; room >= 0)
                windows.push_back({{size, taps, stride, dilation, low},
                                   high,
                                   room / stride + 1});
        }
  return windows;
}

TEST(BorderClassesTest, ClassesAreThoseOfALoop) {
  std::vector<PaddedWindow> windows = makeWindows();
  EXPECT_GT(windows.size(), 6500u);
  for (const PaddedWindow &w : windows) {
    int64_t next = 0;
    const BorderClass *last = nullptr;
    auto classes = getBorderClasses(w, w.outputs);
    for (const BorderClass &one : classes) {
      ASSERT_EQ(one.begin, next) << w;
      ASSERT_LT(one.begin, one.end) << w;
      next = one.end;
      int64_t first = std::numeric_limits<int64_t>::max(), end = 0;
      for (int64_t output = one.begin; output < one.end; ++output)
        for (int64_t tap = 0; tap < w.taps; ++tap) {
          ASSERT_EQ(w.sees(output, tap),
                    one.tapBegin <= tap && tap < one.tapEnd)
              << w << ", output " << output << ", tap " << tap;
          if (!w.sees(output, tap))
            continue;
          int64_t at = output * w.stride + tap * w.dilation - w.low;
          first = std::min(first, at);
          end = std::max(end, at + 1);
          if (output == one.begin)
            ASSERT_EQ(one.getPosition(w, tap), at) << w;
        }
      if (one.getTaps() > 0) {
        ASSERT_EQ(one.getPosition(w, one.tapBegin), first) << w;
        ASSERT_EQ(one.getExtent(w), end - first) << w;
      } else {
        ASSERT_EQ(one.tapBegin, 0) << w;
      }
      // Neighbours that see the same taps are one class.
      if (last)
        ASSERT_FALSE(last->tapBegin == one.tapBegin &&
                     last->tapEnd == one.tapEnd)
            << w;
      last = &one;
    }
    ASSERT_EQ(next, w.outputs) << w;
  }
}

TEST(BorderClassesTest, PaddedImagesHaveFewClasses) {
  constexpr size_t kMost = 49; // Regions of an image.
  std::vector<PaddedWindow> windows = makeWindows();
  std::vector<size_t> classes;
  for (const PaddedWindow &w : windows)
    classes.push_back(getBorderClasses(w, w.outputs).size());
  // All pairs of rows and columns are nearly 50 million.
  const char *nightly = std::getenv("BQUANT_NIGHTLY");
  size_t step = nightly && *nightly ? 1 : 97;
  int padded[3] = {};
  for (size_t n = 0; n < windows.size() * windows.size(); n += step) {
    size_t i = n / windows.size(), j = n % windows.size();
    const PaddedWindow *both[] = {&windows[i], &windows[j]};
    std::array<Window, 2> after = {windows[i], windows[j]};
    std::array<int64_t, 4> chosen =
        choosePads(after, {both[0]->outputs, both[1]->outputs},
                   {both[0]->low, both[0]->high, both[1]->low, both[1]->high});
    // Columns first, and rows only if these do not suffice.
    bool pads[2] = {classes[i] > kMost, classes[i] * classes[j] > kMost};
    ++padded[pads[0] + pads[1]];
    for (int d = 0; d < 2; ++d) {
      const PaddedWindow &w = *both[d];
      ASSERT_EQ(chosen[2 * d], pads[d] ? w.low : 0) << w;
      ASSERT_EQ(chosen[2 * d + 1], pads[d] ? w.high : 0) << w;
      ASSERT_EQ(after[d].low, pads[d] ? 0 : w.low) << w;
      ASSERT_EQ(after[d].size, w.size + chosen[2 * d] + chosen[2 * d + 1]) << w;
      if (pads[d])
        ASSERT_EQ(getBorderClasses(after[d], w.outputs).size(), 1u) << w;
    }
  }
  EXPECT_GT(padded[0], 0);
  EXPECT_GT(padded[1], 0);
}
