//===- Limit.cpp - What a kernel can do at best ---------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Limit.h"
#include "bquant/Target/TargetDescription.h"
#include "llvm/ADT/StringExtras.h"

using namespace bquant;
using namespace bquant::bench;
using namespace bquant::packed;

namespace {
/// A loop that can be asked for.
struct Loop {
  llvm::StringLiteral name;
  TileFn getTile;
  int64_t rows, registers;
  /// Of a register; 0 on a target that lacks the `need`.
  int64_t bits;
  llvm::StringLiteral need = "";
};
} // namespace

static llvm::SmallVector<Loop> getLoops(const TargetDescription &target) {
  int64_t bits = target.vectorBits;
  int64_t registers = target.vectorRegisters >= 32 ? 4 : 2;
  // What counts without an instruction for it needs registers of its own.
  int64_t ofBytes = target.countsBitsOfBytes ? 6 : 4;
  bool lanes = target.countsBitsOfLanes, dots = target.hasByteDotProducts;
  // Products of bytes in 16 bits: NEON sums them by halves, in two registers.
  bool halves = target.multipliesSignedBytes;
  Loop wide{"wide-bytes",
            getBytesTile<1>(target),
            4,
            halves ? 2 : registers,
            halves ? bits : target.bytePairBits,
            "products of bytes"};
  Loop products =
      dots ? Loop{"bytes", getBytesTile<4>(target), 6, registers, bits}
      : halves
          ? Loop{"bytes", wide.getTile, wide.rows, wide.registers, wide.bits}
          : Loop{"bytes",   getTile<BytesAttr, 2, 1, 0, 0, false, 1, false>,
                 6,         registers,
                 wide.bits, "products of bytes"};
  return {{"popcount",
           lanes ? getTile<PopcountAttr, 32> : getTile<PopcountAttr, 8>,
           lanes ? 6 : ofBytes, registers, bits},
          {"table", getTile<TableAttr>, 6, registers, target.tableBits,
           "a byte shuffle"},
          products,
          wide,
          {"scalar", getTile<ScalarAttr>, 6, 1, 64},
          {"fma", getTile<FmaAttr>, 6, registers, bits},
          {"sum_table", getTile<SumTableAttr>, 1, 8, target.lanePermuteBits,
           "a permutation of lanes"},
          {"bf16", getTile<BF16Attr>, 6, registers,
           target.hasBF16DotProducts ? bits : 0, "dot products of bf16"},
          {"octets", getTile<OctetsAttr, 1>, ofBytes, registers, bits},
          {"depthwise", getTile<DepthwiseAttr>, 6, registers, bits}};
}

llvm::Expected<KernelAttrInterface>
bench::getLimitKernel(llvm::StringRef name, const Target &target,
                      mlir::MLIRContext *context) {
  llvm::SmallVector<Loop> loops = getLoops(TargetDescription(target));
  const Loop *loop =
      llvm::find_if(loops, [&](const Loop &loop) { return loop.name == name; });
  if (loop == loops.end()) {
    auto names = llvm::map_range(
        loops, [](const Loop &loop) { return llvm::StringRef(loop.name); });
    return llvm::createStringError("expected one of the kernels " +
                                   llvm::join(names, ", ") + ", but got '" +
                                   name + "'");
  }
  if (loop->bits == 0)
    return llvm::createStringError("expected a target with " + loop->need +
                                   " for kernel '" + name + "', but got CPU '" +
                                   target.cpu + "'");
  return loop->getTile(context, loop->rows, loop->registers, loop->bits);
}
