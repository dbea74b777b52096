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
  int64_t registers = description.vectorRegisters >= 32 ? 4 : 2;
  if (kernel == "popcount") {
    if (description.countsBitsOfLanes)
      return Block{StepKind::PopcountLanes, 6, registers, bits};
    // What counts without an instruction for it needs registers of its own.
    int64_t rows = description.countsBitsOfBytes ? 6 : 4;
    return Block{StepKind::PopcountBytes, rows, registers, bits};
  }
  if (kernel == "table") {
    int64_t shuffled = std::max<int64_t>(128, description.tableBits);
    return Block{StepKind::Table, 6, registers, shuffled};
  }
  if (kernel == "bytes" && description.hasByteDotProducts)
    return Block{StepKind::ByteDots, 6, registers, bits};
  if (kernel == "bytes" || kernel == "wide-bytes")
    return Block{kernel == "bytes" ? StepKind::BytePairs : StepKind::WidePairs,
                 kernel == "bytes" ? 6 : 4, registers,
                 std::max<int64_t>(128, description.bytePairBits)};
  if (kernel == "sum_table")
    return Block{StepKind::SumTable, 1, 8,
                 std::max<int64_t>(256, description.lanePermuteBits)};
  if (kernel == "bf16")
    return Block{StepKind::BF16Dots, 6, registers, bits};
  if (kernel == "fma")
    return Block{StepKind::Fma, 6, registers, bits};
  if (kernel == "octets")
    return Block{StepKind::PopcountBytes, description.countsBitsOfBytes ? 6 : 4,
                 registers, bits};
  if (kernel == "depthwise")
    return Block{StepKind::Depthwise, 6, registers, bits};
  if (kernel == "scalar" || kernel == "reference")
    return Block{StepKind::Scalar, 6, 1, 64};
  return llvm::createStringError(
      "expected kernel popcount, table, bytes, wide-bytes, scalar, fma, "
      "sum_table, bf16, octets or depthwise, but got '" +
      kernel + "'");
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
