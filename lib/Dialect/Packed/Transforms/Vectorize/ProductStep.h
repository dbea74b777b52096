//===- ProductStep.h - The inner step of a product's tile -------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_PRODUCTSTEP_H
#define BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_PRODUCTSTEP_H

#include "ProductOperands.h"

namespace bquant {

/// What a tile does in its inner loop, by a kernel that does not emit whole
/// tiles.
class ProductStep : protected ProductOperands {
public:
  ProductStep(mlir::ImplicitLocOpBuilder &b, ProductOp op,
              KernelAttrInterface kernel);

  /// Zeros for all partial sums: of each row and register, of each pair of
  /// planes.
  llvm::SmallVector<mlir::Value> createPartials();
  /// The partial sums after the step at a point of the loops.
  llvm::SmallVector<mlir::Value> emitStep(llvm::ArrayRef<mlir::Value> point,
                                          mlir::ValueRange partials);
  /// The partial sums of one register of one row after the same step.
  llvm::SmallVector<mlir::Value> emitStepOf(llvm::ArrayRef<mlir::Value> point,
                                            int64_t row, int64_t r,
                                            mlir::ValueRange partials);

protected:
  int64_t getInputBlock();
  void appendZeros(llvm::ArrayRef<mlir::VectorType> types,
                   llvm::SmallVectorImpl<mlir::Value> &values);

  int64_t filterPlanes, pairs;
  llvm::SmallVector<int64_t> rowShape;
  int64_t rows;
  /// Rows share their sums in sets of `rowsOfStep`; the last set may be
  /// smaller.
  int64_t rowsOfStep, sets;
};

} // namespace bquant

#endif // BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_PRODUCTSTEP_H
