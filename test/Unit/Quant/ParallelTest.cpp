//===- ParallelTest.cpp - Exceptions of threads ---------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Quant/Parallel.h"
#include "gtest/gtest.h"
#include <new>

using namespace bquant::quant;

namespace {
/// Whether it throws where iteration `bad` has no memory.
bool throws(int64_t bad) {
  std::atomic<int64_t> running{0};
  bool thrown = false;
  try {
    parallelFor(64, 1, 4, [&](int64_t first, int64_t last) {
      ++running;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      --running;
      if (first <= bad && bad < last)
        throw std::bad_alloc();
    });
  } catch (const std::bad_alloc &) {
    thrown = true;
  }
  // Of the threads none is at work any more.
  EXPECT_EQ(running, 0);
  return thrown;
}

TEST(Parallel, throwsWhenAllThreadsAreDone) {
  for (int64_t bad = 0; bad < 64; ++bad)
    EXPECT_TRUE(throws(bad)) << bad;
  EXPECT_FALSE(throws(64));
}
} // namespace
