//===- Footprint.h - The memory that layers touch ---------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CODEGEN_LAYERS_FOOTPRINT_H
#define BQUANT_LIB_CODEGEN_LAYERS_FOOTPRINT_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace bquant {

/// What operations of a function read and write of its buffers, as boxes of
/// indices: layers, or parts of one.
class Footprint {
public:
  /// More than `mostBoxes` of one buffer become their hull.
  explicit Footprint(llvm::ArrayRef<mlir::Operation *> ops,
                     size_t mostBoxes = 32);
  /// Of one iteration of a loop, what it reads of a buffer and what it writes
  /// there as one box each.
  Footprint(mlir::scf::ForallOp loop, llvm::ArrayRef<int64_t> iteration);

  /// Whether one may write what the other touches, so that their order counts.
  bool conflictsWith(const Footprint &other) const;
  /// Lets it be of the operations of `other`, too.
  void add(const Footprint &other);

private:
  /// From the first index to behind the last one.
  using Range = std::pair<int64_t, int64_t>;
  using Box = llvm::SmallVector<Range, 4>;

  /// A box of an argument or an allocation of the function.
  struct Access {
    mlir::Value buffer;
    Box box;
    bool writes;

    bool conflictsWith(const Access &other) const;
  };

  void add(mlir::Operation *op);
  bool takesPart(mlir::Operation *op);
  /// `box` of `value`; without one, all of it.
  void add(mlir::Value value, std::optional<Box> box, bool writes);
  void insert(Access access);
  /// The box that a memory operation touches of its only memref; nothing for
  /// one that says no indices.
  std::optional<Box> getBox(mlir::Operation *op);
  /// The values that an index may have.
  std::optional<Range> getRange(mlir::OpFoldResult index);
  /// The same of a value that is no constant, in an iteration. By intervals:
  /// upstream's ValueBoundsConstraintSet takes no values for given.
  std::optional<Range> computeInIteration(mlir::Value value);
  std::optional<Range> compute(mlir::AffineExpr expr,
                               llvm::ArrayRef<Range> operands,
                               unsigned numDims);

  size_t mostBoxes;
  /// None if it is of all iterations.
  mlir::scf::ForallOp loop;
  llvm::DenseMap<mlir::Value, std::optional<Range>> ranges;
  llvm::SmallVector<Access> accesses;
  /// Whether it touches memory that nobody knows.
  bool unknown = false;
};

} // namespace bquant

#endif // BQUANT_LIB_CODEGEN_LAYERS_FOOTPRINT_H
