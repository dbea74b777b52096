//===- ClockRate.cpp - How fast this core runs ----------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Target/ClockRate.h"
#include <chrono>
#include <cstdint>

double bquant::measureClockRate() {
  constexpr int64_t count = 20000;
  uint64_t sum = 1, addend = 3;
  auto start = std::chrono::steady_clock::now();
  for (int64_t i = 0; i < count; i += 4) {
    // An addition of a constant may cost nothing.
    for (int j = 0; j < 4; ++j) {
      __asm__ volatile("" : "+r"(sum), "+r"(addend));
      sum += addend;
    }
  }
  __asm__ volatile("" : "+r"(sum));
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  return double(count) / time.count();
}
