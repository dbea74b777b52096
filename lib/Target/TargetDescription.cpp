//===- TargetDescription.cpp - What differs between machines --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Target/TargetDescription.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"

using namespace bquant;

TargetDescription TargetDescription::get(llvm::StringRef features) {
  llvm::StringSet<> has;
  llvm::SmallVector<llvm::StringRef> list;
  features.split(list, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (llvm::StringRef feature : list) {
    // The last word on a feature counts.
    if (feature.consume_front("+"))
      has.insert(feature);
    else if (feature.consume_front("-"))
      has.erase(feature);
  }

  TargetDescription result;
  if (has.contains("avx512f")) {
    result.vectorBits = 512;
    result.vectorRegisters = 32;
  } else if (has.contains("avx2")) {
    result.vectorBits = 256;
  } else if (has.contains("neon")) {
    result.vectorRegisters = 32;
  }
  result.fusesMultiplyAdd =
      has.contains("fma") || has.contains("avx512f") || has.contains("neon");
  result.countsBitsOfLanes = has.contains("avx512vpopcntdq");
  return result;
}

llvm::Expected<std::string>
TargetDescription::chooseStrategy(llvm::StringRef requested) const {
  if (requested == "auto")
    return countsBitsOfLanes ? "vpopcnt" : "scalar";
  if (requested == "scalar" || requested == "reference")
    return requested.str();
  if (requested == "vpopcnt") {
    if (countsBitsOfLanes)
      return requested.str();
    return llvm::createStringError(
        "expected a target with avx512vpopcntdq for strategy 'vpopcnt'");
  }
  return llvm::createStringError(
      "expected strategy auto, vpopcnt, scalar or reference, but got '" +
      requested + "'");
}
