//===- KernelModelTest.cpp - How large the tiles of a kernel are ----------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Packed/Kernels/KernelModel.h"
#include "gtest/gtest.h"

using namespace bquant;

namespace {

TEST(KernelModel, fitsChannelsToGroups) {
  ProductShape shape;
  shape.channels = 32;
  for (int64_t each = 1; each <= 300; ++each)
    for (int64_t most : {16, 32, 64}) {
      shape.groups = 1;
      shape.filters = each;
      EXPECT_EQ(fitChannels(shape, /*elementBits=*/32, most), most);
      // Whole groups as far as they fit; else the largest equal parts of one,
      // of `most` where that is one.
      shape.groups = 3;
      shape.filters = 3 * each;
      int64_t expected = most - most % each;
      if (each >= most) {
        expected = most;
        for (int64_t part = 1; each % most != 0 && part <= 2 * most; ++part)
          if (each % part == 0)
            expected = part;
      }
      EXPECT_EQ(fitChannels(shape, /*elementBits=*/32, most), expected)
          << "for groups of " << each << ", at most " << most;
    }
}

TEST(KernelModel, countsSums) {
  ProductShape shape;
  shape.inputPlanes = 2;
  shape.filterPlanes = 3;
  EXPECT_EQ(countSums(shape), 6);
  // What a mask leaves is counted, too.
  shape.paddedInput = true;
  EXPECT_EQ(countSums(shape), 6);
  shape.ternaryFilter = true;
  EXPECT_EQ(countSums(shape), 12);
  shape.ternaryFilter = false;
  shape.groups = 2;
  shape.channels = 32;
  EXPECT_EQ(countSums(shape), 6);
  shape.channels = 16;
  EXPECT_EQ(countSums(shape), 12);
  shape.paddedInput = false;
  EXPECT_EQ(countSums(shape), 6);
}

} // namespace
