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
