//===- BorderClasses.cpp - Windows that see the same taps -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BorderClasses.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>

using namespace bquant;

/// How many outputs from the one whose first tap is at `first` see the same
/// taps as that one, as far as this is plain: all of them, or none.
static int64_t getRun(const Window &window, int64_t first) {
  int64_t last = first + (window.taps - 1) * window.dilation;
  if (first >= window.size)
    return std::numeric_limits<int64_t>::max();
  if (last < 0)
    return llvm::divideCeil(uint64_t(-last), uint64_t(window.stride));
  if (first >= 0 && last < window.size)
    return (window.size - 1 - last) / window.stride + 1;
  return 1;
}

llvm::SmallVector<BorderClass> bquant::getBorderClasses(const Window &window,
                                                        int64_t outputs) {
  llvm::SmallVector<BorderClass> classes;
  // The first of `window.taps` taps that lies `distance` or more behind the
  // first one.
  auto getTap = [&](int64_t distance) {
    return std::min<int64_t>(
        window.taps,
        llvm::divideCeil(std::max<int64_t>(distance, 0), window.dilation));
  };
  for (int64_t o = 0; o < outputs;) {
    int64_t first = o * window.stride - window.low;
    BorderClass one{o, o + std::min(getRun(window, first), outputs - o),
                    getTap(-first), getTap(window.size - first)};
    o = one.end;
    if (one.tapBegin == one.tapEnd)
      one.tapBegin = one.tapEnd = 0;
    if (!classes.empty() && classes.back().tapBegin == one.tapBegin &&
        classes.back().tapEnd == one.tapEnd)
      classes.back().end = one.end;
    else
      classes.push_back(one);
  }
  return classes;
}

/// More regions than those of a window of 7 by 7 cost more code and time to
/// compile than they save.
static constexpr size_t kMaxBorderRegions = 49;

std::array<int64_t, 4> bquant::choosePads(std::array<Window, 2> &windows,
                                          llvm::ArrayRef<int64_t> outputs,
                                          llvm::ArrayRef<int64_t> pads) {
  std::array<int64_t, 4> chosen = {0, 0, 0, 0};
  size_t classes[2];
  for (int d = 0; d < 2; ++d)
    classes[d] = getBorderClasses(windows[d], outputs[d]).size();
  for (int d = 1; d >= 0 && classes[0] * classes[1] > kMaxBorderRegions; --d) {
    classes[d] = 1;
    for (int side = 2 * d; side < 2 * d + 2; ++side) {
      chosen[side] = pads[side];
      windows[d].size += pads[side];
    }
    windows[d].low = 0;
  }
  return chosen;
}
