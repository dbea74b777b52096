//===- FootprintTest.cpp - Boxes of accesses, and groups by them ----------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Codegen/Layers/Footprint.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace bquant;

namespace {

constexpr char kBuffers[3] = {};
constexpr auto *kX = &kBuffers[0], *kY = &kBuffers[1], *kZ = &kBuffers[2];

/// Writes the elements of `indices`, one after the other.
Footprint write(const std::vector<int> &indices, size_t mostBoxes) {
  Footprint footprint(mostBoxes);
  for (int index : indices)
    footprint.add({kX, /*isApart=*/true, {{index, index + 1}}, true});
  return footprint;
}

/// Whether what writes these elements has to wait for each other, where more
/// than `mostBoxes` become their hull.
bool conflict(const std::vector<int> &a, const std::vector<int> &b,
              size_t mostBoxes) {
  return write(a, mostBoxes).conflictsWith(write(b, mostBoxes));
}

TEST(FootprintTest, OfManyAccesses) {
  constexpr size_t kMostBoxes = 32;
  // Every second element. Of a few, each is known; of more, none is forgotten.
  std::vector<int> few, many;
  for (int index = 5; index <= 93; index += 2) {
    if (index < 50)
      few.push_back(index);
    many.push_back(index);
  }
  for (int index = 0; index < 100; ++index) {
    SCOPED_TRACE(index);
    EXPECT_EQ(conflict(few, {index}, kMostBoxes),
              llvm::is_contained(few, index));
    if (llvm::is_contained(many, index))
      EXPECT_TRUE(conflict(many, {index}, kMostBoxes));
    else if (index < 5 || index > 93)
      EXPECT_FALSE(conflict(many, {index}, kMostBoxes));
  }
}

TEST(FootprintTest, OfNeighbours) {
  // First to last, last to first, and such that two boxes become one by what is
  // between them: 60 elements that are two boxes.
  std::vector<int> up, down, between;
  for (int index = 10; index < 50; ++index)
    up.push_back(index);
  for (int index = 60; index < 80; ++index)
    up.push_back(index);
  down.assign(up.rbegin(), up.rend());
  for (int first : {0, 1})
    for (size_t i = first; i < up.size(); i += 2)
      between.push_back(up[i]);
  for (int index = 0; index < 100; ++index) {
    SCOPED_TRACE(index);
    bool expected = llvm::is_contained(up, index);
    EXPECT_EQ(conflict(up, {index}, 2), expected);
    EXPECT_EQ(conflict(down, {index}, 2), expected);
    EXPECT_EQ(conflict(between, {index}, 32), expected);
  }
}

Access read(const void *buffer, IndexBox box = {{0, 8}, {0, 8}}) {
  return {buffer, /*isApart=*/true, box, /*writes=*/false};
}

Access write(const void *buffer, IndexBox box = {{0, 8}, {0, 8}}) {
  return {buffer, /*isApart=*/true, box, /*writes=*/true};
}

/// A buffer of which a caller may hand in another name.
Access shared(Access access) {
  access.isApart = false;
  return access;
}

/// The sizes of the groups of layers with these accesses; without any: a layer
/// of which nothing is known.
std::vector<size_t> group(const std::vector<std::vector<Access>> &layers) {
  llvm::SmallVector<Footprint> footprints;
  for (const std::vector<Access> &accesses : layers) {
    Footprint &footprint = footprints.emplace_back(/*mostBoxes=*/32);
    for (const Access &access : accesses)
      footprint.add(access);
    if (accesses.empty())
      footprint.addUnknown();
  }
  auto sizes = cutIntoGroups(footprints);
  return {sizes.begin(), sizes.end()};
}

using Sizes = std::vector<size_t>;

TEST(GroupsTest, ReadersAreTogetherAndWritersApart) {
  EXPECT_EQ(group({}), Sizes{});
  EXPECT_EQ(group({{write(kX)}}), Sizes{1});
  EXPECT_EQ(group({{read(kX)}, {read(kX)}, {read(kX)}}), Sizes{3});
  // Read after write, write after read, write after write.
  EXPECT_EQ(group({{write(kX)}, {read(kX)}}), (Sizes{1, 1}));
  EXPECT_EQ(group({{read(kX)}, {write(kX)}}), (Sizes{1, 1}));
  EXPECT_EQ(group({{write(kX)}, {write(kX)}}), (Sizes{1, 1}));
  // Branches of one input, which a third one joins.
  EXPECT_EQ(group({{read(kX), write(kY)},
                   {read(kX), write(kZ)},
                   {read(kY), read(kZ), write(kX)}}),
            (Sizes{2, 1}));
}

TEST(GroupsTest, EachAgainstAllOfTheGroup) {
  EXPECT_EQ(group({{write(kX)}, {write(kY)}, {read(kX)}}), (Sizes{2, 1}));
  // The group that ends is not looked at any more.
  EXPECT_EQ(group({{write(kX)}, {read(kX), write(kY)}, {read(kX)}}),
            (Sizes{1, 2}));
}

TEST(GroupsTest, BoxesThatMeetInEveryDimension) {
  IndexBox left = {{0, 8}, {0, 4}}, right = {{0, 8}, {4, 8}},
           wide = {{0, 8}, {3, 8}}, below = {{8, 9}, {3, 8}};
  EXPECT_EQ(group({{write(kX, left)}, {write(kX, right)}}), Sizes{2});
  EXPECT_EQ(group({{write(kX, left)}, {read(kX, wide)}}), (Sizes{1, 1}));
  EXPECT_EQ(group({{write(kX, left)}, {read(kX, below)}}), Sizes{2});
  // Of several boxes each.
  EXPECT_EQ(group({{write(kX, left), write(kX, below)}, {read(kX, right)}}),
            Sizes{2});
}

TEST(GroupsTest, BuffersThatMayBeTheSame) {
  EXPECT_EQ(group({{shared(write(kX))}, {shared(read(kY))}}), (Sizes{1, 1}));
  EXPECT_EQ(group({{shared(write(kX))}, {read(kY)}}), Sizes{2});
  EXPECT_EQ(group({{shared(read(kX))}, {shared(read(kY))}}), Sizes{2});
  // Two views of one buffer, at unknown offsets.
  EXPECT_EQ(
      group({{shared(write(kX, {{0, 1}}))}, {shared(read(kY, {{5, 6}}))}}),
      (Sizes{1, 1}));
}

TEST(GroupsTest, UnknownMemoryIsAlone) {
  EXPECT_EQ(group({{read(kX)}, {}, {read(kX)}, {read(kY)}}), (Sizes{1, 1, 2}));
}

} // namespace
