//===- Footprint.h - The memory that layers touch ---------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CODEGEN_LAYERS_FOOTPRINT_H
#define BQUANT_LIB_CODEGEN_LAYERS_FOOTPRINT_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

namespace bquant {

/// Indices of a dimension, from the first up to the second.
using IndexRange = std::pair<int64_t, int64_t>;
using IndexBox = llvm::SmallVector<IndexRange, 4>;

/// A box of a buffer.
struct Access {
  const void *buffer;
  /// Whether no other buffer reaches the same memory.
  bool isApart;
  IndexBox box;
  bool writes;

  bool conflictsWith(const Access &other) const;
};

/// What is read and written of buffers, as boxes of indices.
class Footprint {
public:
  /// More than `mostBoxes` of one buffer become their hull.
  explicit Footprint(size_t mostBoxes) : mostBoxes(mostBoxes) {}

  void add(Access access);
  void add(const Footprint &other);
  /// Memory of which nothing is known.
  void addUnknown() { unknown = true; }

  /// Whether one may write what the other touches, so that their order counts.
  bool conflictsWith(const Footprint &other) const;

private:
  size_t mostBoxes;
  llvm::SmallVector<Access> accesses;
  bool unknown = false;
};

/// How many of `layers`, which follow each other, are a group, one group after
/// the other: as many as conflict with none of the group.
llvm::SmallVector<size_t> cutIntoGroups(llvm::ArrayRef<Footprint> layers);

} // namespace bquant

#endif // BQUANT_LIB_CODEGEN_LAYERS_FOOTPRINT_H
