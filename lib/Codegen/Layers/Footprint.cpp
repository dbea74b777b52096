//===- Footprint.cpp - The memory that layers touch -----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Footprint.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace bquant;

bool Access::conflictsWith(const Access &other) const {
  if (!writes && !other.writes)
    return false;
  if (buffer != other.buffer)
    return !isApart && !other.isApart;
  return llvm::all_of(llvm::zip(box, other.box), [](auto ranges) {
    auto [a, b] = ranges;
    return a.first < b.second && b.first < a.second;
  });
}

bool Footprint::conflictsWith(const Footprint &other) const {
  if (unknown || other.unknown)
    return true;
  return llvm::any_of(accesses, [&](const Access &access) {
    return llvm::any_of(other.accesses, [&](const Access &theirs) {
      return access.conflictsWith(theirs);
    });
  });
}

void Footprint::add(const Footprint &other) {
  unknown |= other.unknown;
  for (const Access &access : other.accesses)
    add(access);
}

/// Makes `box` what it and `other` are together, if that is a box.
static bool join(IndexBox &box, const IndexBox &other) {
  auto covers = [](const IndexBox &a, const IndexBox &b) {
    return llvm::all_of(llvm::zip_equal(a, b), [](auto ranges) {
      auto [outer, inner] = ranges;
      return outer.first <= inner.first && inner.second <= outer.second;
    });
  };
  if (covers(box, other))
    return true;
  if (covers(other, box)) {
    box = other;
    return true;
  }
  // Side by side: in all dimensions but one they are the same.
  IndexRange *differing = nullptr, joined;
  for (auto [range, theirs] : llvm::zip_equal(box, other)) {
    if (range == theirs)
      continue;
    if (differing || range.second < theirs.first || theirs.second < range.first)
      return false;
    differing = &range;
    joined = {std::min(range.first, theirs.first),
              std::max(range.second, theirs.second)};
  }
  *differing = joined;
  return true;
}

void Footprint::add(Access access) {
  auto isSame = [&](const Access &other) {
    return other.buffer == access.buffer && other.writes == access.writes;
  };
  // What has grown may reach one that it did not reach before.
  while (true) {
    auto *next = llvm::find_if(accesses, [&](const Access &other) {
      return isSame(other) && join(access.box, other.box);
    });
    if (next == accesses.end())
      break;
    accesses.erase(next);
  }
  auto same = llvm::make_filter_range(accesses, isSame);
  size_t count = std::distance(same.begin(), same.end());
  if (count != 0 && count >= mostBoxes) {
    for (const Access &other : same)
      for (auto [range, theirs] : llvm::zip(access.box, other.box)) {
        range.first = std::min(range.first, theirs.first);
        range.second = std::max(range.second, theirs.second);
      }
    llvm::erase_if(accesses, isSame);
  }
  accesses.push_back(std::move(access));
}

SmallVector<size_t> bquant::cutIntoGroups(ArrayRef<Footprint> layers) {
  SmallVector<size_t> sizes;
  for (; !layers.empty(); layers = layers.drop_front(sizes.back())) {
    size_t size = 1;
    auto conflicts = [&](const Footprint &other) {
      return layers[size].conflictsWith(other);
    };
    while (size < layers.size() &&
           llvm::none_of(layers.take_front(size), conflicts))
      ++size;
    sizes.push_back(size);
  }
  return sizes;
}
