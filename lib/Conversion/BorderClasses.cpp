//===- BorderClasses.cpp - Windows that see the same taps -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BorderClasses.h"
#include "llvm/ADT/SmallVector.h"

using namespace bquant;

llvm::SmallVector<BorderClass> bquant::getBorderClasses(const Window &window,
                                                        int64_t outputs) {
  llvm::SmallVector<BorderClass> classes;
  for (int64_t o = 0; o < outputs; ++o) {
    BorderClass one{o, o + 1, 0, 0};
    // The taps inside the image are consecutive.
    for (int64_t tap = 0; tap < window.taps; ++tap) {
      int64_t at = one.getPosition(window, tap);
      if (at < 0 || at >= window.size)
        continue;
      if (one.tapEnd == 0)
        one.tapBegin = tap;
      one.tapEnd = tap + 1;
    }
    if (!classes.empty() && classes.back().tapBegin == one.tapBegin &&
        classes.back().tapEnd == one.tapEnd)
      classes.back().end = one.end;
    else
      classes.push_back(one);
  }
  return classes;
}
