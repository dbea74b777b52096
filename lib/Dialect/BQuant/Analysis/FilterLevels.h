//===- FilterLevels.h - Float filters of a few levels -----------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_ANALYSIS_FILTERLEVELS_H
#define BQUANT_LIB_ANALYSIS_FILTERLEVELS_H

#include "LinalgProducts.h"

namespace bquant {

/// A filter of floats as `bquant_packed.product` takes its levels.
struct FilterLevels {
  /// The filter's dimensions, that of the channels last.
  llvm::SmallVector<unsigned> dims;
  llvm::SmallVector<int64_t> shape;
  /// Words along the channels, the highest bits of the numbers first.
  llvm::SmallVector<llvm::SmallVector<uint32_t>> planes;
  /// For each level the number that it is in each channel.
  llvm::SmallVector<llvm::SmallVector<float>> levels;

  int64_t countBytes() const;
};

/// The levels of a constant filter that has at most four numbers for each
/// channel, and many elements of each.
std::optional<FilterLevels> findFilterLevels(const LinalgProduct &product);

} // namespace bquant

#endif // BQUANT_LIB_ANALYSIS_FILTERLEVELS_H
