//===- Limit.cpp - What a kernel can do at best ---------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Limit.h"
#include "bquant/Target/TargetDescription.h"
#include <algorithm>

using namespace bquant;
using namespace bquant::bench;

llvm::Expected<Block> bench::getLimitBlock(llvm::StringRef kernel,
                                           const Target &target) {
  TargetDescription description(target);
  int64_t bits = description.vectorBits;
  bool many = description.vectorRegisters >= 32;
  if (kernel == "popcount" || kernel == "vpopcnt") {
    StepKind kind = description.countsBitsOfLanes ? StepKind::PopcountLanes
                                                  : StepKind::PopcountBytes;
    return many ? Block{kind, 6, 4, bits} : Block{kind, 4, 2, bits};
  }
  if (kernel == "table") {
    int64_t shuffled = std::max<int64_t>(128, description.byteShuffleBits);
    return Block{StepKind::Table, 4, many ? 4 : 2, shuffled};
  }
  if (kernel == "fma")
    return Block{StepKind::Fma, 6, many ? 4 : 2, bits};
  if (kernel == "scalar" || kernel == "reference")
    return Block{StepKind::Scalar, 2, 2, 64};
  return llvm::createStringError(
      "expected kernel popcount, table, scalar or fma, but got '" + kernel +
      "'");
}

llvm::Expected<Limit> Limit::create(llvm::StringRef kernel,
                                    const Target &target,
                                    mlir::MLIRContext *context) {
  llvm::Expected<Block> block = getLimitBlock(kernel, target);
  if (!block)
    return block.takeError();
  auto loop = BareLoop::create(*block, target, context);
  if (!loop)
    return loop.takeError();
  return Limit(std::move(*loop));
}

double Limit::measure() const {
  return loop->getBlock().getMacs() / loop->measure(/*steps=*/10000);
}
