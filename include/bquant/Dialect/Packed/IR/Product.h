//===- Product.h - What a kernel is told of a product -----------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_PACKED_IR_PRODUCT_H
#define BQUANT_DIALECT_PACKED_IR_PRODUCT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <cstdint>

namespace bquant::packed {

/// What is computed for a pair of planes.
enum class ProductResult {
  /// Bits that differ where no mask hides them, and where asked for the masks'.
  Counts,
  /// The dot product of the signs under the masks.
  Dots
};

/// The operands of each step.
struct ProductForm {
  bool maskedInput = false, maskedFilter = false;
  /// Masks are counted together with the bits.
  bool countsMasks = false;

  /// Of floats: a product is rounded with its addition, not before.
  bool fused = false;
  /// Of floats: the filter's elements are words, a bit for each lane, 1 for +1
  /// and 0 for -1.
  bool bitFilter = false;
  /// Of floats: planes that are one filter; [1, 1] are mask and sign.
  llvm::SmallVector<int64_t, 2> ratios;

  /// Of floats: numbers of each channel after the planes, whose bits choose
  /// one.
  int64_t levels = 0;

  /// Planes that levels are numbered by.
  int64_t getLevelPlanes() const { return llvm::Log2_64_Ceil(levels); }
  /// Results of a pair of planes.
  int64_t getNumResults() const { return countsMasks ? 2 : 1; }
  /// Operands of a plane.
  int64_t getInputParts() const { return maskedInput ? 2 : 1; }
  int64_t getFilterParts() const {
    if (levels > 0)
      return getLevelPlanes() + levels;
    return maskedFilter ? 2 : ratios.empty() ? 1 : int64_t(ratios.size());
  }
};

/// Of the weights whose products a lane of 16 bits sums the most that there are
/// in a lane.
struct WeightsOfLane {
  /// The sum of those of one sign, and that of all magnitudes.
  int64_t ofSign = 0, magnitudes = 0;
};

/// What a kernel is chosen by: a convolution or a matrix product.
struct ProductShape {
  /// Positions of the result, and its channels.
  int64_t rows = 1, filters = 1;
  /// Equal parts of the rows that have filters of their own.
  int64_t batches = 1;
  int64_t groups = 1;
  /// Positions that a window reads, and channels of a group at each.
  int64_t taps = 1, channels = 1;
  /// Planes that are multiplied with each other; mask and sign are one.
  int64_t inputPlanes = 1, filterPlanes = 1;
  bool ternaryInput = false, ternaryFilter = false;
  /// The largest code, where the scalars of all planes are multiples of one;
  /// else 0.
  int64_t inputLevels = 0, filterLevels = 0;
  /// Of a filter whose bytes are known, for lanes of a word of four bytes, of
  /// two words side by side, and so on.
  llvm::SmallVector<WeightsOfLane, 4> weightsOfLanes;
  /// The input is padded by copying, as where the filter is larger than the
  /// image: what is padded is masked.
  bool paddedInput = false;
  /// Of a depthwise product of bytes the taps along the last loop, which a step
  /// may take together; else 0.
  int64_t lastTaps = 0;
  bool constantFilter = true;
  /// The input is float; the filter is, or has signs.
  bool floatInput = false, floatFilter = false;
  /// Planes of signs by which a float input is multiplied.
  int64_t signPlanes = 1;
  /// Numbers of each channel that a filter of bits chooses among, in place of
  /// signs.
  int64_t levels = 0;
  /// Both are of bf16.
  bool bf16 = false;

  bool isDepthwise() const {
    return groups > 1 && channels == 1 && filters == groups;
  }
  double getMacs() const {
    return double(rows) * filters * taps * channels * inputPlanes *
           filterPlanes;
  }
};

} // namespace bquant::packed

#endif // BQUANT_DIALECT_PACKED_IR_PRODUCT_H
