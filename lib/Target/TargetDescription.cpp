//===- TargetDescription.cpp - What code is tuned for ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Target/TargetDescription.h"

using namespace bquant;

/// The row of a CPU; null without one.
static const CPUFamily *findFamily(llvm::Triple::ArchType arch,
                                   llvm::StringRef cpu) {
  for (const CPUFamily &family : getCPUFamilies())
    if (family.arch == arch &&
        (family.name == cpu || llvm::is_contained(family.members, cpu)))
      return &family;
  return nullptr;
}

TargetDescription::TargetDescription(const Target &target)
    : family(findFamily(target.triple.getArch(), target.cpu)) {
  auto has = [&](llvm::StringRef feature) { return target.has(feature); };
  if (target.triple.isX86()) {
    fusesMultiplyAdd = has("fma") || has("avx512f");
    if (has("ssse3"))
      byteShuffleBits = 128;
    if (has("avx2"))
      vectorBits = byteShuffleBits = lanePermuteBits = 256;
    if (has("avx512f")) {
      vectorBits = lanePermuteBits = 512;
      comparesToMasks = true;
      vectorRegisters = 32;
    }
    if (has("avx512bw"))
      byteShuffleBits = 512;
    bytePairBits = byteShuffleBits; // Of the same features.
    countsBitsOfLanes = has("avx512vpopcntdq");
    countsBitsOfBytes = has("avx512bitalg");
    countsBitsOfScalars = has("popcnt");
    hasByteDotProducts = has("avx512vnni") || has("avxvnni");
    hasBF16DotProducts = has("avx512bf16");
    hasByteTiles = has("amx-int8");
  } else if (target.triple.isAArch64() && has("neon")) {
    vectorRegisters = 32;
    fusesMultiplyAdd = true;
    maximumKeepsNaN = true;
    byteShuffleBits = 128;
    countsBitsOfBytes = true;
    countsBitsOfScalars = has("cssc");
    multipliesSignedBytes = true;
    hasByteDotProducts = has("dotprod");
    hasByteMatrixProducts = has("i8mm");
    hasBF16DotProducts = has("bf16");
  }
  tableBits = std::min(byteShuffleBits,
                       family ? family->tableBits : CPUFamily::safeTableBits);
  if (family) {
    l1Bytes = family->l1Bytes;
    l2Bytes = family->l2Bytes;
  }
  // What was measured in registers of another width says little.
  bool measured = family && family->costs && family->costs->bits == vectorBits;
  costs = measured ? *family->costs : estimateKernelCosts(*this);
}

llvm::SmallVector<Strategy> TargetDescription::getStrategies() const {
  llvm::SmallVector<Strategy> strategies;
  if (countsBitsOfLanes || countsBitsOfBytes)
    strategies.push_back(Strategy::Popcount);
  if (byteShuffleBits)
    strategies.push_back(Strategy::Table);
  if (hasByteDotProducts || bytePairBits || multipliesSignedBytes)
    strategies.push_back(Strategy::Bytes);
  strategies.push_back(Strategy::Scalar);
  return strategies;
}
