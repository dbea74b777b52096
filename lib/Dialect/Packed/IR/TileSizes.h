//===- TileSizes.h - Sizes of tiles of products -----------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_DIALECT_PACKED_IR_TILESIZES_H
#define BQUANT_LIB_DIALECT_PACKED_IR_TILESIZES_H

#include <algorithm>
#include <cstdint>

namespace bquant {

/// Up to `most` channels of a tile: whole blocks of them, or `most` or another
/// divisor of a block, up to twice as many.
inline int64_t fitBlocks(int64_t block, int64_t most) {
  if (block < most)
    return most / block * block;
  if (block % most == 0)
    return most;
  int64_t divisor = std::min(block, 2 * most);
  while (block % divisor != 0)
    --divisor;
  return divisor;
}

/// Vector registers of a target for the sums of a tile; operands take the
/// others.
inline int64_t countRegistersOfSums(int64_t registers) {
  return registers * 3 / 4;
}

} // namespace bquant

#endif // BQUANT_LIB_DIALECT_PACKED_IR_TILESIZES_H
