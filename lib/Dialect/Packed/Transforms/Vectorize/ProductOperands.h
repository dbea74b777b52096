//===- ProductOperands.h - What a step of a product reads -------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_PRODUCTOPERANDS_H
#define BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_PRODUCTOPERANDS_H

#include "bquant/Dialect/BQuant/IR/BQuant.h"

namespace bquant {

/// Reads the operands of a tile at a point of its loops.
class ProductOperands {
protected:
  ProductOperands(mlir::ImplicitLocOpBuilder &b, ProductOp op,
                  KernelAttrInterface kernel);

  /// What the kernel makes of the planes of the input at the rows of a step,
  /// one by one.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>>
  emitInputs(llvm::ArrayRef<mlir::Value> point,
             llvm::ArrayRef<llvm::SmallVector<int64_t>> rows, int64_t r,
             int64_t block);
  /// Adds the planes of the filter for register `r`, at a row.
  void
  readFilters(llvm::ArrayRef<mlir::Value> point, llvm::ArrayRef<int64_t> row,
              int64_t r,
              llvm::SmallVectorImpl<llvm::SmallVector<mlir::Value>> &filters);
  /// Whether channels read elements of the input side by side.
  bool readsInputLanes();
  /// Whether the filter is another one for each row: that of a batch.
  bool hasFiltersOfRows();
  /// Whether register `r` reads the elements of the input that the one before
  /// does.
  bool readsAsBefore(int64_t r, int64_t block);

  mlir::ImplicitLocOpBuilder &b;
  ProductOp op;
  KernelAttrInterface kernel;
  ProductForm form;
  llvm::SmallVector<mlir::AffineMap> maps;
  llvm::SmallVector<int64_t> sizes;
  /// The elements of a step lie along `stepLoop`, the last one.
  unsigned channelLoop, stepLoop;
  int64_t stepSize, channels, lanes, registers;
  /// Operands before the filters.
  int64_t inputs;

private:
  /// `point`, `element` elements on.
  llvm::SmallVector<mlir::Value> advance(llvm::ArrayRef<mlir::Value> point,
                                         int64_t element);
  llvm::SmallVector<mlir::Value> getIndices(unsigned number,
                                            llvm::ArrayRef<mlir::Value> point,
                                            llvm::ArrayRef<int64_t> row,
                                            int64_t channel);
  mlir::Value readLanes(unsigned number, llvm::SmallVector<mlir::Value> indices,
                        int64_t first);
  mlir::Value readWord(unsigned number, llvm::SmallVector<mlir::Value> indices,
                       int64_t r);
  mlir::Value readTable(unsigned number, llvm::ArrayRef<mlir::Value> point,
                        llvm::ArrayRef<int64_t> row);
  mlir::Value readInputLanes(unsigned number, llvm::ArrayRef<mlir::Value> point,
                             llvm::ArrayRef<int64_t> row, int64_t r);
  mlir::Value readInput(unsigned number, llvm::ArrayRef<mlir::Value> point,
                        llvm::ArrayRef<int64_t> row, int64_t r, int64_t block);
  bool readsStepAtOnce(unsigned number, int64_t r, int64_t block);
  void readStep(unsigned number, llvm::ArrayRef<mlir::Value> point,
                llvm::ArrayRef<int64_t> row, int64_t r,
                llvm::SmallVectorImpl<mlir::Value> &elements);
  bool readsBlocksAtOnce(unsigned number, int64_t r, int64_t block);
  void readBlocks(unsigned number, llvm::ArrayRef<mlir::Value> point,
                  llvm::ArrayRef<int64_t> row, int64_t r, int64_t block,
                  llvm::SmallVectorImpl<mlir::Value> &elements);
  void readElements(unsigned number, llvm::ArrayRef<mlir::Value> point,
                    llvm::ArrayRef<int64_t> row, int64_t r, int64_t block,
                    llvm::SmallVectorImpl<mlir::Value> &elements);
};

} // namespace bquant

#endif // BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_PRODUCTOPERANDS_H
