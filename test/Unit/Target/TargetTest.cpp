//===- TargetTest.cpp - What differs between machines ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Target/ModuleTarget.h"
#include "bquant/Target/TargetMachine.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"

using namespace bquant;

namespace {

Target resolve(const char *triple, const char *cpu, const char *features = "") {
  return llvm::cantFail(resolveTarget({triple, cpu, features}));
}
TargetDescription describe(const char *cpu, const char *features = "") {
  return TargetDescription(resolve("x86_64-linux-gnu", cpu, features));
}

TEST(TargetTest, Description) {
  TargetDescription plain = describe("x86-64");
  EXPECT_EQ(plain.vectorBits, 128);
  EXPECT_FALSE(plain.countsBitsOfLanes);
  EXPECT_EQ(plain.family, nullptr);
  TargetDescription wide = describe("znver4");
  EXPECT_EQ(wide.vectorBits, 512);
  EXPECT_EQ(wide.vectorRegisters, 32);
  EXPECT_TRUE(wide.countsBitsOfLanes);
  EXPECT_TRUE(wide.countsBitsOfBytes);
  EXPECT_TRUE(wide.hasByteDotProducts);
  EXPECT_TRUE(wide.hasBF16DotProducts);
  EXPECT_FALSE(wide.hasByteTiles);
  EXPECT_TRUE(describe("sapphirerapids").hasByteTiles);
  EXPECT_EQ(describe("x86-64-v2").byteShuffleBits, 128);
  EXPECT_FALSE(describe("x86-64-v2").fusesMultiplyAdd);
  EXPECT_EQ(describe("haswell").byteShuffleBits, 256);
  // Tables fill registers of 512 bits only where that is known to gain.
  for (const char *cpu : {"skylake-avx512", "x86-64-v4", "znver4"}) {
    EXPECT_EQ(describe(cpu).byteShuffleBits, 512) << cpu;
    EXPECT_EQ(describe(cpu).tableBits, 256) << cpu;
  }
  EXPECT_EQ(describe("x86-64", "+avx512bw").tableBits, 256);
  for (const char *cpu : {"icelake-server", "sapphirerapids", "znver5"})
    EXPECT_EQ(describe(cpu).tableBits, 512) << cpu;
  EXPECT_EQ(describe("x86-64-v2").tableBits, 128);
  // The last word on a feature counts.
  EXPECT_EQ(describe("x86-64", "+avx2,+avx512f,-avx512f").vectorBits, 256);
  // What a virtual machine hides of a CPU is not there.
  TargetDescription hidden = describe("znver4", "-avx512f");
  EXPECT_EQ(hidden.vectorBits, 256);
  EXPECT_FALSE(hidden.countsBitsOfLanes);
  EXPECT_EQ(hidden.l2Bytes, wide.l2Bytes);
}

// Each row of the table, and each of its members, is a CPU of LLVM's, in one
// row only; what is not in it is known by its features.
TEST(TargetTest, Families) {
  llvm::StringSet<> seen;
  for (const CPUFamily &family : getCPUFamilies()) {
    bool x86 = family.arch == llvm::Triple::x86_64;
    llvm::SmallVector<llvm::StringLiteral> names{family.name};
    llvm::append_range(names, family.members);
    for (llvm::StringLiteral name : names) {
      EXPECT_TRUE(seen.insert((x86 ? "x86 " : "arm ") + name.str()).second)
          << name.str();
      llvm::Expected<Target> target = resolveTarget(
          {x86 ? "x86_64-linux-gnu" : "aarch64-linux-gnu", name.str(), ""});
      ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
      EXPECT_EQ(TargetDescription(*target).family, &family) << name.str();
    }
  }
  EXPECT_EQ(describe("bonnell").family, nullptr);
  EXPECT_EQ(describe("bonnell").byteShuffleBits, 128);
  TargetDescription arm(resolve("aarch64-linux-gnu", "neoverse-n1"));
  EXPECT_EQ(arm.vectorBits, 128);
  EXPECT_EQ(arm.vectorRegisters, 32);
  EXPECT_TRUE(arm.countsBitsOfBytes && arm.hasByteDotProducts &&
              arm.fusesMultiplyAdd);
  EXPECT_FALSE(TargetDescription(resolve("aarch64-linux-gnu", "cortex-a72"))
                   .hasByteDotProducts);
}

// Dot products by the feature; all else Arm CPUs of 64 bits have in common.
TEST(TargetTest, ArmDescriptions) {
  struct {
    const char *cpu;
    bool dotProducts;
    int64_t l1KiB;
  } cases[] = {{"generic", false, 32},    {"cortex-a53", false, 32},
               {"cortex-a72", false, 32}, {"neoverse-n1", true, 64},
               {"neoverse-v1", true, 64}, {"apple-m1", true, 128}};
  for (const auto &one : cases) {
    TargetDescription arm(resolve("aarch64-linux-gnu", one.cpu));
    ASSERT_NE(arm.family, nullptr) << one.cpu;
    EXPECT_EQ(arm.vectorBits, 128) << one.cpu;
    EXPECT_EQ(arm.vectorRegisters, 32) << one.cpu;
    EXPECT_EQ(arm.byteShuffleBits, 128) << one.cpu;
    EXPECT_TRUE(arm.fusesMultiplyAdd && arm.countsBitsOfBytes) << one.cpu;
    EXPECT_FALSE(arm.countsBitsOfLanes || arm.hasByteTiles) << one.cpu;
    EXPECT_EQ(arm.hasByteDotProducts, one.dotProducts) << one.cpu;
    EXPECT_EQ(arm.l1Bytes, one.l1KiB << 10) << one.cpu;
  }
}

// No cost is 0, in the table or estimated; what was measured in other registers
// is not taken.
TEST(TargetTest, CostsArePositive) {
  auto check = [](const TargetDescription &target, llvm::StringRef name) {
    const KernelCosts &costs = target.costs;
    EXPECT_EQ(costs.bits, target.vectorBits) << name.str();
    for (const StepCosts &step :
         {costs.popcountLanes, costs.popcountBytes, costs.table, costs.byteDots,
          costs.bytePairs, costs.widePairs, costs.fma, costs.scalar,
          costs.sumTable})
      EXPECT_TRUE(step.step > 0 && step.perRow > 0 && step.perRegister > 0)
          << name.str();
  };
  for (const CPUFamily &family : getCPUFamilies()) {
    bool x86 = family.arch == llvm::Triple::x86_64;
    TargetDescription target(resolve(
        x86 ? "x86_64-linux-gnu" : "aarch64-linux-gnu", family.name.data()));
    check(target, family.name);
    if (family.costs) {
      EXPECT_EQ(family.costs->bits, target.vectorBits) << family.name.str();
      EXPECT_EQ(family.costs->table.step, target.costs.table.step);
    }
  }
  check(TargetDescription(), "unknown");
  check(describe("x86-64"), "x86-64");
  check(describe("znver4", "-avx512f"), "znver4 without AVX-512");
  // What the features say orders the estimates.
  auto estimate = [](const char *cpu, const char *features = "") {
    return estimateKernelCosts(describe(cpu, features));
  };
  EXPECT_LT(estimate("znver4").popcountLanes.step,
            estimate("znver4", "-avx512vpopcntdq").popcountLanes.step);
  EXPECT_LT(estimate("haswell").popcountBytes.step,
            estimate("x86-64").popcountBytes.step);
  EXPECT_LT(estimate("haswell").fma.step, estimate("haswell", "-fma").fma.step);
  EXPECT_LT(estimate("haswell").scalar.step, estimate("x86-64").scalar.step);
  EXPECT_LT(estimate("haswell").table.step,
            estimate("x86-64").popcountBytes.step);
}

TEST(TargetTest, CyclesOfAStep) {
  constexpr StepCosts costs{1, 10, 100};
  EXPECT_EQ(costs.getCycles(/*rows=*/2, /*registers=*/3), 6 + 20 + 300);
}

// The MAC a cycle that a bare loop reached, of which the costs are made.
TEST(TargetTest, CostsGiveTheLimits) {
  auto expect = [](const char *cpu, const StepCosts &costs, int64_t rows,
                   int64_t registers, double macs, double limit) {
    double share = double(rows * registers) * macs /
                   costs.getCycles(rows, registers) / limit;
    EXPECT_TRUE(share > 0.9 && share < 1.1) << cpu << ": " << share;
  };
  auto costs = [](const char *cpu) { return describe(cpu).costs; };
  expect("x86-64-v2", costs("x86-64-v2").table, 6, 2, 64, 94.5);
  expect("haswell", costs("haswell").table, 6, 2, 128, 209);
  expect("haswell", costs("haswell").popcountBytes, 4, 2, 256, 120);
  expect("haswell", costs("haswell").fma, 6, 2, 8, 15.7);
  expect("haswell", costs("haswell").scalar, 2, 2, 64, 62.4);
  expect("sapphirerapids", costs("sapphirerapids").popcountLanes, 6, 4, 512,
         341);
  expect("znver4", costs("znver4").popcountLanes, 6, 4, 512, 339);
  expect("znver4", costs("znver4").table, 4, 2, 128, 195);
  expect("znver4", costs("znver4").fma, 6, 4, 16, 16);
  expect("znver4", costs("znver4").scalar, 2, 4, 64, 67);
  expect("znver5", costs("znver5").popcountLanes, 6, 4, 512, 674);
  expect("znver5", costs("znver5").fma, 6, 4, 16, 31.8);
  expect("znver5", costs("znver5").scalar, 2, 4, 64, 56);
}

TEST(TargetTest, CPUsOfAnotherTriple) {
  auto message = [](const char *triple, const char *cpu) {
    return llvm::toString(resolveTarget({triple, cpu, ""}).takeError());
  };
  EXPECT_EQ(message("x86_64-linux-gnu", "neoverse-n1"),
            "expected a CPU of target 'x86_64-unknown-linux-gnu', but got "
            "'neoverse-n1', which needs the target triple aarch64-linux-gnu");
  EXPECT_EQ(message("aarch64-linux-gnu", "haswell"),
            "expected a CPU of target 'aarch64-unknown-linux-gnu', but got "
            "'haswell', which needs the target triple x86_64-linux-gnu");
  EXPECT_EQ(message("x86_64-linux-gnu", "abacus"),
            "expected a CPU of target 'x86_64-unknown-linux-gnu', but got "
            "'abacus'");
}

// LLVM takes the names of 32-bit CPUs and of modes for x86-64, and ends the
// process when it is to make code for them.
TEST(TargetTest, WhatThereIsNoCodeFor) {
  auto message = [](const char *triple, const char *cpu, const char *features) {
    llvm::Expected<Target> target = resolveTarget({triple, cpu, features});
    return target ? "" : llvm::toString(target.takeError());
  };
  for (const char *cpu : {"i386", "i686", "pentium4", "lakemont"})
    EXPECT_EQ(message("x86_64-linux-gnu", cpu, ""),
              "expected a CPU and features of x86-64 with SSE2, but got '" +
                  std::string(cpu) + "'");
  for (const char *features :
       {"-64bit", "-64bit-mode", "-sse", "-sse2", "+16bit-mode", "+32bit-mode",
        "+soft-float", "+avx2,-sse2"})
    EXPECT_EQ(message("x86_64-linux-gnu", "haswell", features),
              "expected a CPU and features of x86-64 with SSE2, but got "
              "'haswell' with '" +
                  std::string(features) + "'");
  for (const char *triple : {"aarch64-linux-gnu", "aarch64-linux-android"})
    for (const char *features : {"-neon", "-fp-armv8", "+reserve-x1"})
      EXPECT_EQ(message(triple, "cortex-a72", features),
                "expected a CPU and features of AArch64 with NEON, but got "
                "'cortex-a72' with '" +
                    std::string(features) + "'");
  for (const char *cpu : {"x86-64", "k8", "bonnell"})
    EXPECT_EQ(message("x86_64-linux-gnu", cpu, "-sse3"), "");
}

// CONTEXTIDREL2, which comes with it, has no name that LLVM would find.
TEST(TargetTest, FeaturesWithCapitals) {
  Target arm = resolve("aarch64-linux-gnu", "generic", "+v8.1a");
  EXPECT_TRUE(arm.has("lse"));
  EXPECT_EQ(arm.features.find("contextidrel2"), std::string::npos);
  Target again = resolve("aarch64-linux-gnu", "generic", arm.features.c_str());
  EXPECT_EQ(again.enabled, arm.enabled);
  EXPECT_EQ(llvm::toString(resolveTarget({"aarch64-linux-gnu", "generic",
                                          "+CONTEXTIDREL2"})
                               .takeError()),
            "expected a feature of target 'aarch64-unknown-linux-gnu', but got "
            "'+CONTEXTIDREL2'");
}

TEST(TargetTest, Includes) {
  Target haswell = resolve("x86_64-linux-gnu", "haswell");
  EXPECT_EQ(haswell.getName(), "x86_64-unknown-linux-gnu haswell");
  EXPECT_EQ(resolve("x86_64-linux-gnu", "haswell", "-fma").getName(),
            "x86_64-unknown-linux-gnu haswell -fma");
  EXPECT_TRUE(haswell.includes(haswell));
  EXPECT_TRUE(haswell.includes(resolve("x86_64-linux-gnu", "x86-64-v2")));
  EXPECT_TRUE(resolve("x86_64-linux-gnu", "znver4").includes(haswell));
  EXPECT_FALSE(resolve("x86_64-linux-gnu", "x86-64-v2").includes(haswell));
  EXPECT_FALSE(
      resolve("x86_64-linux-gnu", "haswell", "-fma").includes(haswell));
  Target arm = resolve("aarch64-linux-gnu", "generic");
  EXPECT_FALSE(arm.includes(haswell) || haswell.includes(arm));
  EXPECT_FALSE(arm.isLike(resolve("aarch64-linux-android", "generic")));
  EXPECT_TRUE(arm.isLike(resolve("aarch64-linux-gnu", "neoverse-n1")));
}

// Of those that a machine runs the last one is taken: each has to be that
// somewhere.
TEST(TargetTest, Lists) {
  auto list = [](const char *cpu, const char *triple = "x86_64-linux-gnu") {
    auto targets = resolveTargets({triple, cpu, ""});
    if (!targets)
      return llvm::toString(targets.takeError());
    return llvm::join(
        llvm::map_range(*targets,
                        [](const Target &target) { return target.cpu; }),
        ",");
  };
  EXPECT_EQ(list("haswell"), "haswell");
  EXPECT_EQ(list("portable"), "x86-64-v2,haswell,icelake-server");
  EXPECT_EQ(list("sapphirerapids,znver4"), "sapphirerapids,znver4");
  EXPECT_EQ(list("cortex-a53,neoverse-n1", "aarch64-linux-gnu"),
            "cortex-a53,neoverse-n1");
  EXPECT_EQ(list("haswell,x86-64-v2"),
            "expected the CPUs that have less first, since the last one that "
            "runs is taken, but got 'haswell' before 'x86-64-v2'");
  EXPECT_EQ(list("haswell,broadwell,haswell"),
            "expected different CPUs, but got 'haswell' twice");
  for (const char *none : {",", "haswell,", ",haswell", "haswell,,znver4"})
    EXPECT_EQ(list(none), "expected CPUs with commas between them, but got '" +
                              std::string(none) + "'");
  // Where there is one version alone.
  EXPECT_EQ(
      llvm::toString(resolveTarget({"", "haswell,znver4", ""}).takeError()),
      "expected one CPU, since only libraries, objects and programs have "
      "a version for each of several, but got 'haswell,znver4'");
}

TEST(TargetTest, TriplesWithoutATable) {
  for (const char *triple :
       {"riscv64-linux-gnu", "aarch64_be-linux-gnu", "x86_64-w64-windows-gnu",
        "x86_64-pc-windows-msvc", "arm64-apple-macosx", "x86_64-apple-macosx",
        "arm64-apple-ios", "aarch64-linux-musl", "armv7-linux-gnueabihf",
        "armv7-linux-androideabi", "x86_64-linux-android",
        "aarch64_be-linux-android", "aarch64-linux-ohos", "aarch64-freebsd",
        "x86_64-linux-gnux32", "aarch64-linux-gnu_ilp32",
        // The right machine, and another format of objects or another ABI.
        "x86_64-linux-gnu-macho", "aarch64-linux-gnu-coff", "arm64ec-linux-gnu",
        "arm64e-linux-gnu"})
    EXPECT_EQ(
        llvm::toString(resolveTarget({triple, "", ""}).takeError()),
        "expected the target triple x86_64-linux-gnu, aarch64-linux-gnu or "
        "aarch64-linux-android, but got '" +
            llvm::Triple::normalize(triple) + "'");
}

TEST(TargetTest, Android) {
  // With the version of its interface or without.
  for (const char *triple :
       {"aarch64-linux-android", "aarch64-linux-android24",
        "aarch64-none-linux-android35", "arm64-linux-android"}) {
    Target target = resolve(triple, "cortex-a76");
    EXPECT_TRUE(target.triple.isAndroid());
    EXPECT_FALSE(target.isHost());
    EXPECT_EQ(target.enabled,
              resolve("aarch64-linux-gnu", "cortex-a76").enabled);
    EXPECT_EQ(resolve(triple, "").cpu, "generic");
  }
}

// What the IR says is what was asked for.
TEST(TargetTest, FeaturesAreTheDifference) {
  EXPECT_EQ(resolve("x86_64-linux-gnu", "znver4").features, "");
  EXPECT_EQ(resolve("x86_64-linux-gnu", "haswell", "+avx2,-fma").features,
            "-fma");
  Target host = llvm::cantFail(resolveTarget({}));
  Target again = llvm::cantFail(
      resolveTarget({host.triple.str(), host.cpu, host.features}));
  EXPECT_EQ(host.enabled, again.enabled);
  EXPECT_EQ(host.features, again.features);
}

TEST(TargetTest, ModuleTarget) {
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  EXPECT_FALSE(getModuleTarget(*module)->has_value());
  EXPECT_EQ(getModuleDescription(*module)->vectorBits, 128);
  setModuleTarget(*module,
                  resolve("x86_64-linux-gnu", "znver4", "-avx512bitalg"));
  EXPECT_FALSE(getModuleDescription(*module)->countsBitsOfBytes);
  EXPECT_TRUE(getModuleDescription(*module)->countsBitsOfLanes);
}

TEST(TargetTest, Strategies) {
  using Strategies = llvm::SmallVector<Strategy>;
  EXPECT_EQ(TargetDescription().getStrategies(), Strategies{Strategy::Scalar});
  EXPECT_EQ(describe("znver4").getStrategies(),
            (Strategies{Strategy::Popcount, Strategy::Table, Strategy::Bytes,
                        Strategy::Scalar}));
  EXPECT_EQ(describe("haswell").getStrategies(),
            (Strategies{Strategy::Table, Strategy::Bytes, Strategy::Scalar}));
  EXPECT_EQ(describe("x86-64").getStrategies(), Strategies{Strategy::Scalar});
  // Both multiply bytes, one of them by dot products.
  for (const char *cpu : {"cortex-a53", "neoverse-n1"})
    EXPECT_EQ(
        TargetDescription(resolve("aarch64-linux-gnu", cpu)).getStrategies(),
        (Strategies{Strategy::Popcount, Strategy::Table, Strategy::Bytes,
                    Strategy::Scalar}))
        << cpu;
}

// Whatever code may use is asked for before it runs.
TEST(TargetTest, RequiredFeatures) {
  auto required = [](const char *triple, const char *cpu) {
    return resolve(triple, cpu).getRequired();
  };
  EXPECT_EQ(required("x86_64-linux-gnu", "x86-64"), "+sse,+sse2");
  EXPECT_NE(required("x86_64-linux-gnu", "znver5").find(",+avx512vnni,"),
            std::string::npos);
  // Of the target, not of this machine.
  EXPECT_EQ(required("aarch64-linux-gnu", "generic"), "+fp-armv8,+neon");
  EXPECT_EQ(required("aarch64-linux-gnu", "cortex-a72"),
            "+crc,+fp-armv8,+neon");
  EXPECT_EQ(required("aarch64-linux-gnu", "neoverse-n1"),
            "+crc,+dotprod,+fp-armv8,+fullfp16,+lse,+neon,+rcpc,+rdm");
}

// What code for Arm may use is asked for, or switched off: a list of all that
// their CPUs have in LLVM's tables, to be looked at when that grows.
TEST(TargetTest, EveryArmFeatureIsKnown) {
  for (const CPUFamily &family : getCPUFamilies()) {
    if (family.arch != llvm::Triple::aarch64)
      continue;
    llvm::SmallVector<llvm::StringLiteral> names{family.name};
    llvm::append_range(names, family.members);
    for (llvm::StringLiteral name : names) {
      Target target = resolve("aarch64-linux-gnu", name.data());
      for (const char *off : {"aes", "sha2", "sve", "sve2", "sme", "mops"})
        EXPECT_FALSE(target.has(off)) << name.str() << " " << off;
      EXPECT_TRUE(target.has("neon")) << name.str();
    }
  }
}

TEST(TargetTest, WhatCannotBeCheckedIsOff) {
  llvm::Expected<Target> target =
      resolveTarget({"x86_64-linux-gnu", "diamondrapids", ""});
  ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
  // Registers that the runtime cannot ask for.
  EXPECT_FALSE(target->has("egpr"));
  EXPECT_NE(target->features.find("-egpr"), std::string::npos);
}

TEST(TargetTest, TheHostIsTheDefault) {
  llvm::Expected<Target> target = resolveTarget({});
  ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
  EXPECT_TRUE(target->isHost());
  EXPECT_TRUE(target->runsHere());
  EXPECT_FALSE(resolve("aarch64-linux-gnu", "generic").runsHere() &&
               resolve("x86_64-linux-gnu", "x86-64").runsHere());
}

} // namespace
