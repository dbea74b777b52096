//===- TargetTest.cpp - What differs between machines ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Runtime/Runtime.h"
#include "bquant/Target/TargetDescription.h"
#include "bquant/Target/TargetMachine.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace bquant;

namespace {

TEST(TargetTest, Description) {
  TargetDescription plain = TargetDescription::get("");
  EXPECT_EQ(plain.vectorBits, 128);
  EXPECT_FALSE(plain.countsBitsOfLanes);
  TargetDescription wide =
      TargetDescription::get("+avx2,+avx512f,+avx512vpopcntdq");
  EXPECT_EQ(wide.vectorBits, 512);
  EXPECT_EQ(wide.vectorRegisters, 32);
  EXPECT_TRUE(wide.countsBitsOfLanes);
  // The last word on a feature counts.
  EXPECT_EQ(TargetDescription::get("+avx2,+avx512f,-avx512f").vectorBits, 256);
}

TEST(TargetTest, Strategy) {
  TargetDescription plain = TargetDescription::get("");
  TargetDescription wide = TargetDescription::get("+avx512vpopcntdq");
  EXPECT_EQ(llvm::cantFail(plain.chooseStrategy("auto")), "scalar");
  EXPECT_EQ(llvm::cantFail(wide.chooseStrategy("auto")), "vpopcnt");
  EXPECT_EQ(llvm::cantFail(wide.chooseStrategy("scalar")), "scalar");
  EXPECT_EQ(llvm::cantFail(plain.chooseStrategy("reference")), "reference");
  EXPECT_EQ(llvm::toString(plain.chooseStrategy("vpopcnt").takeError()),
            "expected a target with avx512vpopcntdq for strategy 'vpopcnt'");
  EXPECT_EQ(llvm::toString(plain.chooseStrategy("").takeError()),
            "expected strategy auto, vpopcnt, scalar or reference, but got ''");
}

// Whatever code may use is asked for before it runs: the check knows it all.
TEST(TargetTest, RequiredFeaturesAreKnown) {
  for (const char *cpu :
       {"x86-64", "haswell", "sapphirerapids", "znver5", "diamondrapids"}) {
    llvm::Expected<Target> target =
        resolveTarget({"x86_64-linux-gnu", cpu, ""});
    ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
    llvm::SmallVector<llvm::StringRef> names;
    llvm::StringRef(target->required).split(names, ',');
    EXPECT_GE(names.size(), 2u) << cpu;
    for (llvm::StringRef name : names)
      EXPECT_TRUE(bquant_rt_knows(name.drop_front().str().c_str()))
          << cpu << ": " << name.str();
  }
}

TEST(TargetTest, WhatCannotBeCheckedIsOff) {
  llvm::Expected<Target> target =
      resolveTarget({"x86_64-linux-gnu", "diamondrapids", ""});
  ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
  // Registers that the runtime library cannot ask for.
  EXPECT_NE(target->features.find("-egpr"), std::string::npos);
}

TEST(TargetTest, TheHostIsTheDefault) {
  llvm::Expected<Target> target = resolveTarget({});
  ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
  EXPECT_TRUE(target->isHost());
  int32_t state = 0;
  EXPECT_EQ(bquant_rt_supports(target->required.c_str(), &state), 1);
}

} // namespace
