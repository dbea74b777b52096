//===- BorderClasses.h - Windows that see the same taps ---------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Along one dimension of an image, the windows at
// its borders miss some taps. Outputs whose windows have the same taps inside
// the image form a class: it needs neither padding nor a check.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_DIALECT_BQUANT_ANALYSIS_BORDERCLASSES_H
#define BQUANT_LIB_DIALECT_BQUANT_ANALYSIS_BORDERCLASSES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include <array>

namespace bquant {

/// A window along one dimension.
struct Window {
  int64_t size; // Of the image.
  int64_t taps;
  int64_t stride;
  int64_t dilation;
  int64_t low; // Padding before the image.
};

/// Outputs [begin, end) whose taps [tapBegin, tapEnd) lie inside the image.
struct BorderClass {
  int64_t begin, end;
  int64_t tapBegin, tapEnd; // 0, 0 where there is none.

  int64_t getOutputs() const { return end - begin; }
  int64_t getTaps() const { return tapEnd - tapBegin; }
  /// Where tap `tap` of the first output lies.
  int64_t getPosition(const Window &window, int64_t tap) const {
    return begin * window.stride + tap * window.dilation - window.low;
  }
  /// The number of positions from the first tap of the first output to the
  /// last tap of the last one.
  int64_t getExtent(const Window &window) const {
    return (getOutputs() - 1) * window.stride +
           (getTaps() - 1) * window.dilation + 1;
  }
};

/// The classes of `outputs` windows, ascending and covering all of them.
llvm::SmallVector<BorderClass> getBorderClasses(const Window &window,
                                                int64_t outputs);

/// The pads (top, bottom, left, right) that the image is better copied with:
/// those of a dimension that would be cut into too many regions, as where the
/// filter is larger than the image; else 0. `windows` become those of the
/// padded image.
std::array<int64_t, 4> choosePads(std::array<Window, 2> &windows,
                                  llvm::ArrayRef<int64_t> outputs,
                                  llvm::ArrayRef<int64_t> pads);

} // namespace bquant

#endif // BQUANT_LIB_DIALECT_BQUANT_ANALYSIS_BORDERCLASSES_H
