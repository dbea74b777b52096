//===- CPUFamilies.cpp - The table of CPU families ------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cache sizes are those of the vendors' manuals; where members differ, of the
// smallest, since a tile that fits it fits the others. What instructions a CPU
// has is LLVM's to know (TargetDescription.cpp reads it off the features).
//
//===----------------------------------------------------------------------===//

#include "bquant/Target/TargetDescription.h"

using namespace bquant;
using llvm::StringLiteral;

static constexpr int64_t kKiB = 1 << 10, kMiB = 1 << 20;
static constexpr llvm::Triple::ArchType x86 = llvm::Triple::x86_64;
static constexpr llvm::Triple::ArchType arm = llvm::Triple::aarch64;

// SSSE3's byte shuffle, popcnt of general registers, no fma.
static constexpr StringLiteral v2[] = {"nehalem",   "westmere",   "sandybridge",
                                       "ivybridge", "silvermont", "goldmont"};
// AVX2 and fma, 16 registers of 256 bits.
static constexpr StringLiteral v3[] = {
    "x86-64-v3", "broadwell",   "skylake",   "znver1",     "znver2",
    "znver3",    "alderlake",   "gracemont", "raptorlake", "meteorlake",
    "arrowlake", "arrowlake-s", "lunarlake"};
// AVX-512 without VPOPCNTDQ: what code for any AVX-512 is compiled for.
static constexpr StringLiteral skx[] = {"x86-64-v4", "skx", "cascadelake",
                                        "cooperlake", "cannonlake"};
// AVX-512 with VPOPCNTDQ on one of two vector ports.
static constexpr StringLiteral icx[] = {"icelake-client", "tigerlake",
                                        "rocketlake"};
// The same, and a unit for tiles of bytes.
static constexpr StringLiteral spr[] = {"emeraldrapids", "graniterapids",
                                        "graniterapids-d"};
// NEON in order, one 64-bit half at a time.
static constexpr StringLiteral a53[] = {"cortex-a35", "cortex-a55"};
static constexpr StringLiteral a72[] = {"cortex-a57", "cortex-a73"};
static constexpr StringLiteral a76[] = {"cortex-a77", "cortex-a78",
                                        "cortex-x1"};
static constexpr StringLiteral n1[] = {"ampere1", "ampere1a"};
static constexpr StringLiteral v1[] = {"neoverse-n2"};
static constexpr StringLiteral v2arm[] = {"neoverse-v3", "grace"};
static constexpr StringLiteral m1[] = {"apple-a14", "apple-m2", "apple-m3",
                                       "apple-m4"};

// Costs of kernels; docs/benchmarking.md says how to measure a row. A figure in
// MAC a cycle is that of a bare loop of 6 x 4 registers (tables 4 x 2), in
// which loads are all but hidden.
//
// On Zen 3, without AVX and with AVX2: the popcounts are two shuffles each, the
// lanes' with sums of four bytes. Dot products of bytes, which it has none of,
// are on two ports of the cores that have them (AVX-VNNI), with loads as of
// pairs.
static constexpr KernelCosts v2Costs = {
    /*bits=*/128,
    /*popcountLanes=*/{4.03, 0.43, 0.01},
    /*popcountBytes=*/{2.37, 1.09, 0.01},
    /*table=*/{0.46, 0.45, 0.25},
    /*byteDots=*/{1.00, 0.10, 0.10},
    /*bytePairs=*/{0.60, 0.24, 0.14},
    /*widePairs=*/{0.99, 0.92, 1.10},
    /*fma=*/{0.41, 0.64, 0.35},
    /*bf16Dots=*/{1.00, 0.10, 0.10},
    /*scalar=*/{0.82, 0.18, 0.22}};
static constexpr KernelCosts v3Costs = {
    /*bits=*/256,
    /*popcountLanes=*/{3.66, 0.17, 0.03},
    /*popcountBytes=*/{2.11, 0.07, 0.02},
    /*table=*/{0.32, 0.57, 0.29},
    /*byteDots=*/{0.50, 0.14, 0.13},
    /*bytePairs=*/{0.55, 0.14, 0.13},
    /*widePairs=*/{1.02, 0.75, 1.21},
    /*fma=*/{0.50, 0.01, 0.02},
    /*bf16Dots=*/{1.00, 0.10, 0.10},
    /*scalar=*/{0.91, 0.03, 0.14},
    /*sumTable=*/{13.20, 0.80, 1.25}};
// Popcount 341; floats 16 for each of two pipes. Shuffles, products of bytes
// and scalars as estimated, popcount in bytes on the same pipe as in lanes.
static constexpr KernelCosts sprCosts = {
    /*bits=*/512,
    /*popcountLanes=*/{1.50, 0.02, 0.02},
    /*popcountBytes=*/{1.50, 0.02, 0.02},
    /*table=*/{1.00, 0.20, 0.10},
    /*byteDots=*/{0.50, 0.05, 0.05},
    /*bytePairs=*/{1.00, 0.10, 0.10},
    /*widePairs=*/{2.00, 1.00, 1.50},
    /*fma=*/{0.50, 0.02, 0.02},
    /*bf16Dots=*/{1.00, 0.05, 0.05},
    /*scalar=*/{1.00, 0.10, 0.10},
    /*sumTable=*/{9.00, 0.60, 0.10}};
// Registers by halves: popcount 339, tables 195 (of 256 bits: code with those
// of 512 took 1.49 of its time for the layers of ResNet-18), floats 16, scalars
// 67; bytes as lanes. Products of bytes here and in the next row as estimated.
static constexpr KernelCosts zen4Costs = {
    /*bits=*/512,
    /*popcountLanes=*/{1.50, 0.02, 0.02},
    /*popcountBytes=*/{1.50, 0.02, 0.02},
    /*table=*/{0.52, 0.21, 0.10},
    /*byteDots=*/{1.00, 0.10, 0.10},
    /*bytePairs=*/{1.50, 0.20, 0.10},
    /*widePairs=*/{3.00, 1.00, 1.50},
    /*fma=*/{1.00, 0.02, 0.02},
    /*bf16Dots=*/{1.00, 0.02, 0.02},
    /*scalar=*/{0.90, 0.06, 0.06},
    /*sumTable=*/{12.00, 0.60, 0.20}};
// Popcount 674, tables 180 to 217 (of 256 bits; the same cycles for 512),
// floats 31.8, scalars 51 to 61; bytes as lanes.
static constexpr KernelCosts zen5Costs = {
    /*bits=*/512,
    /*popcountLanes=*/{0.75, 0.02, 0.02},
    /*popcountBytes=*/{0.75, 0.02, 0.02},
    /*table=*/{0.50, 0.20, 0.10},
    /*byteDots=*/{0.50, 0.05, 0.05},
    /*bytePairs=*/{1.00, 0.10, 0.10},
    /*widePairs=*/{2.00, 1.00, 1.50},
    /*fma=*/{0.50, 0.02, 0.02},
    /*bf16Dots=*/{0.50, 0.02, 0.02},
    /*scalar=*/{1.10, 0.06, 0.06},
    /*sumTable=*/{6.00, 0.60, 0.10}};

// Of the Arm cores nothing was measured: steps as llvm-mca counts them, loads
// hidden but for those of the core in order. None adds pairs of products of
// bytes by one instruction: `widePairs` is of signed ones, each in 16 bits.
static constexpr KernelCosts a53Costs = {
    /*bits=*/128,
    /*popcountLanes=*/{5.00, 0.50, 0.50},
    /*popcountBytes=*/{4.00, 0.50, 0.50},
    /*table=*/{2.00, 1.00, 0.50},
    /*byteDots=*/{2.00, 1.50, 0.50},
    /*bytePairs=*/{4.00, 0.50, 0.50},
    /*widePairs=*/{6.00, 2.00, 0.50},
    /*fma=*/{1.00, 0.50, 0.50},
    /*bf16Dots=*/{2.00, 1.50, 0.50},
    /*scalar=*/{6.00, 0.50, 0.50}};
static constexpr KernelCosts a72Costs = {
    /*bits=*/128,
    /*popcountLanes=*/{2.00, 0.10, 0.10},
    /*popcountBytes=*/{1.50, 0.10, 0.10},
    /*table=*/{2.00, 0.20, 0.10},
    /*byteDots=*/{2.00, 0.60, 0.10},
    /*bytePairs=*/{4.00, 0.50, 0.50},
    /*widePairs=*/{2.00, 1.00, 0.10},
    /*fma=*/{1.00, 0.10, 0.10},
    /*bf16Dots=*/{1.00, 0.10, 0.10},
    /*scalar=*/{2.00, 0.10, 0.10}};
static constexpr KernelCosts n1Costs = {
    /*bits=*/128,
    /*popcountLanes=*/{2.00, 0.10, 0.10},
    /*popcountBytes=*/{1.50, 0.10, 0.10},
    /*table=*/{1.00, 0.20, 0.10},
    /*byteDots=*/{0.50, 0.60, 0.10},
    /*bytePairs=*/{4.00, 0.50, 0.50},
    /*widePairs=*/{4.00, 1.00, 1.00},
    /*fma=*/{0.50, 0.10, 0.10},
    /*bf16Dots=*/{0.50, 0.10, 0.10},
    /*scalar=*/{2.30, 0.10, 0.10}};

static constexpr CPUFamily families[] = {
    {"x86-64-v2", x86, v2, 24 * kKiB, 256 * kKiB, &v2Costs},
    {"haswell", x86, v3, 32 * kKiB, 256 * kKiB, &v3Costs},
    {"skylake-avx512", x86, skx, 32 * kKiB, 1 * kMiB},
    {"icelake-server", x86, icx, 48 * kKiB, 512 * kKiB, nullptr, 512},
    {"sapphirerapids", x86, spr, 48 * kKiB, 2 * kMiB, &sprCosts, 512},
    {"znver4", x86, {}, 32 * kKiB, 1 * kMiB, &zen4Costs},
    {"znver5", x86, {}, 48 * kKiB, 1 * kMiB, &zen5Costs, 512},
    {"generic", arm, {}, 32 * kKiB, 512 * kKiB},
    {"cortex-a53", arm, a53, 32 * kKiB, 128 * kKiB, &a53Costs},
    {"cortex-a72", arm, a72, 32 * kKiB, 512 * kKiB, &a72Costs},
    {"cortex-a76", arm, a76, 64 * kKiB, 256 * kKiB, &n1Costs},
    {"neoverse-n1", arm, n1, 64 * kKiB, 512 * kKiB, &n1Costs},
    {"neoverse-v1", arm, v1, 64 * kKiB, 512 * kKiB},
    {"neoverse-v2", arm, v2arm, 64 * kKiB, 1 * kMiB},
    {"apple-m1", arm, m1, 128 * kKiB, 4 * kMiB},
};

llvm::ArrayRef<CPUFamily> bquant::getCPUFamilies() { return families; }
