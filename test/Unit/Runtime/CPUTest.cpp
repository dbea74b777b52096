//===- CPUTest.cpp - Does this CPU have what code was compiled for? -------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Runtime/Runtime.h"
#include "bquant/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "gtest/gtest.h"
#include <string>

namespace {

int32_t supports(const std::string &features) {
  int32_t state = 0;
  return bquant_rt_supports(features.c_str(), &state);
}

// LLVM asks the CPU, too: an independent table of the same bits.
TEST(CPUTest, AgreesWithLLVM) {
  int compared = 0;
  llvm::ArrayRef<llvm::StringLiteral> checked =
      bquant::getCheckedFeatures(llvm::Triple(llvm::sys::getProcessTriple()));
  for (const auto &feature : llvm::sys::getHostCPUFeatures()) {
    std::string name = feature.first().str();
    if (!llvm::is_contained(checked, name))
      continue;
    ++compared;
    EXPECT_EQ(supports("+" + name), feature.second) << name;
  }
  EXPECT_GE(compared, 5);
}

TEST(CPUTest, Lists) {
  EXPECT_EQ(supports(""), 1);
#if defined(__x86_64__)
  EXPECT_EQ(supports("+sse2,+sse"), 1);
  // What is switched off is not needed.
  EXPECT_EQ(supports("+sse2,-sse4a,-nonsense"), 1);
#endif
  EXPECT_EQ(supports("+nonsense"), 0);
  EXPECT_EQ(supports("-nonsense,+nonsense"), 0);
  EXPECT_EQ(supports("+"), 0);
  // The whole name.
  EXPECT_EQ(supports("+ss"), 0);
  EXPECT_EQ(supports("+sse2x"), 0);
}

TEST(CPUTest, RemembersTheAnswer) {
  int32_t state = 0;
  EXPECT_EQ(bquant_rt_supports("+nonsense", &state), 0);
  EXPECT_EQ(bquant_rt_supports("", &state), 0);
  state = 0;
  EXPECT_EQ(bquant_rt_supports("", &state), 1);
  EXPECT_EQ(bquant_rt_supports("+nonsense", &state), 1);
}

} // namespace
