//===- Footprint.h - The memory that a function touches ---------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CODEGEN_FOOTPRINT_H
#define BQUANT_LIB_CODEGEN_FOOTPRINT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace bquant {

/// What a function reads and writes of its arguments, as boxes of indices.
class Footprint {
public:
  /// Of `func`, but for what lies in its argument number `own`, which each
  /// thread has for itself.
  Footprint(mlir::func::FuncOp func, unsigned own);
  /// The same of some operations of `func`.
  Footprint(mlir::func::FuncOp func, unsigned own,
            llvm::iterator_range<mlir::Block::iterator> ops);

  /// Whether one may write what the other touches, so that their order counts.
  bool conflictsWith(const Footprint &other) const;

private:
  /// From the first index to behind the last one.
  using Range = std::pair<int64_t, int64_t>;
  using Box = llvm::SmallVector<Range, 4>;

  /// A box of a buffer: an argument, or some of its bytes seen as a memref.
  struct Access {
    unsigned argument;
    /// Whether no other argument reaches the same memory.
    bool noalias;
    Range bytes;
    mlir::MemRefType type;
    Box box;
    bool writes;

    bool conflictsWith(const Access &other) const;
  };

  void add(mlir::Operation *op);
  /// `box` of `value`; without one, all of it.
  void add(mlir::Value value, std::optional<Box> box, bool writes);
  void insert(Access access);
  /// The box that a memory operation touches of its only memref; nothing for
  /// one that says no indices.
  std::optional<Box> getBox(mlir::Operation *op);
  /// The values that an index may have.
  std::optional<Range> getRange(mlir::OpFoldResult index);

  mlir::func::FuncOp func;
  unsigned own;
  llvm::DenseMap<mlir::Value, std::optional<Range>> ranges;
  llvm::SmallVector<Access> accesses;
  /// Whether it touches memory that nobody knows.
  bool unknown = false;
};

} // namespace bquant

#endif // BQUANT_LIB_CODEGEN_FOOTPRINT_H
