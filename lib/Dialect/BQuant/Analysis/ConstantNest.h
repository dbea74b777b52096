//===- ConstantNest.h - A loop nest of constants, and its run ---*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_ANALYSIS_CONSTANTNEST_H
#define BQUANT_LIB_ANALYSIS_CONSTANTNEST_H

#include "ChainEvaluator.h"
#include "ChainOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace bquant {

/// f32 or i1 elements of a constant as cells; none if they cannot be read.
std::vector<chains::Cell> readCells(mlir::Value tensor);

/// A loop nest of constants, and its run.
class ConstantNest {
public:
  /// Whether the nest can be run.
  mlir::LogicalResult prepare(mlir::linalg::GenericOp op);
  /// The new contents of the results.
  std::vector<std::vector<chains::Cell>> run();

  /// Whether `condition`, an i1 of the nest's body, can be computed.
  mlir::LogicalResult prepareCondition(mlir::linalg::GenericOp op,
                                       mlir::Value condition);
  /// Whether it holds wherever it is computed.
  bool holds();

private:
  /// An operand of the nest: what it holds, and where an index is.
  struct Array {
    std::vector<chains::Cell> cells;
    llvm::SmallVector<int64_t> strides; // For each loop.
    int node;
  };

  mlir::LogicalResult prepareArray(mlir::linalg::GenericOp op,
                                   mlir::OpOperand &operand);
  mlir::LogicalResult prepareScalar(mlir::Operation &scalar);
  /// The node of a constant of the body, or from outside of it.
  mlir::LogicalResult prepareConstant(mlir::Value value);
  /// Computes the nodes at one index after the other, the last loop first,
  /// while `visit`, which takes the index, is true.
  void evaluate(llvm::function_ref<bool(llvm::ArrayRef<int64_t>)> visit);
  static int64_t getOffset(const Array &array, llvm::ArrayRef<int64_t> index);

  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<Array> inputs, inits;
  llvm::SmallVector<int> results; // The nodes of what is asked for.
  llvm::DenseMap<mlir::Value, int> numbers;
  std::vector<chains::ChainNode> nodes;
  std::vector<chains::Cell> values; // Of each node.
};

} // namespace bquant

#endif // BQUANT_LIB_ANALYSIS_CONSTANTNEST_H
