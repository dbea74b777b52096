//===- SampleRewriter.h - A function on one sample --------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What --bquant-batch-to-sample knows of each operation: where the batch is in
// its results, and why not.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TRANSFORMS_BATCHTOSAMPLE_SAMPLEREWRITER_H
#define BQUANT_LIB_TRANSFORMS_BATCHTOSAMPLE_SAMPLEREWRITER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace bquant {
/// Where the batch is in a tensor: a dimension of `rows` entries, those of one
/// sample or of a block.
struct Batch {
  int64_t dim, rows;
};

/// The dynamic dimension of a type, if it has just one.
std::optional<int64_t> getDynamicDim(mlir::Type type);

/// The same type with `rows` in the one dynamic dimension.
mlir::ShapedType getSampleType(mlir::ShapedType type, const Batch &batch);

/// Takes one sample, or a block of several, out of a function.
class SampleRewriter {
public:
  SampleRewriter(mlir::func::FuncOp func, int64_t samples)
      : func(func), builder(func), samples(samples) {}

  mlir::LogicalResult run();

private:
  mlir::LogicalResult convertArguments();
  mlir::LogicalResult convertResults(mlir::func::ReturnOp op);
  mlir::LogicalResult convert(mlir::Operation *op);

  mlir::LogicalResult convertDim(mlir::tensor::DimOp op);
  mlir::LogicalResult convertSize(mlir::Operation *op);
  mlir::LogicalResult convertEmpty(mlir::tensor::EmptyOp op);
  mlir::LogicalResult convertLinalg(mlir::linalg::LinalgOp op);
  mlir::LogicalResult convertPad(mlir::tensor::PadOp op);
  mlir::LogicalResult convertCollapse(mlir::tensor::CollapseShapeOp op);
  mlir::LogicalResult convertExpand(mlir::tensor::ExpandShapeOp op);
  mlir::LogicalResult convertExtract(mlir::tensor::ExtractSliceOp op);
  mlir::LogicalResult convertInsert(mlir::tensor::InsertSliceOp op);
  mlir::LogicalResult convertConcat(mlir::tensor::ConcatOp op);
  mlir::LogicalResult convertCast(mlir::tensor::CastOp op);
  mlir::LogicalResult convertElementwise(mlir::Operation *op);
  mlir::LogicalResult convertBQuant(mlir::Operation *op);

  /// An error at an op that samples cannot be taken out of.
  mlir::LogicalResult reject(mlir::Operation *op, const llvm::Twine &reason) {
    return op->emitOpError("[batch_to_sample_c2] expected to treat each sample "
                           "of the batch by itself, but it ")
           << reason;
  }

  const Batch *find(mlir::Value value) const {
    auto it = batches.find(value);
    return it == batches.end() ? nullptr : &it->second;
  }
  void setBatch(mlir::Value value, Batch batch) {
    value.setType(
        getSampleType(llvm::cast<mlir::ShapedType>(value.getType()), batch));
    batches[value] = batch;
  }
  template <typename Op> void replace(Op op, mlir::Value value, Batch batch) {
    batches[value] = batch;
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }
  bool touchesBatch(mlir::Operation *op) const;
  bool isWhole(llvm::ArrayRef<mlir::OpFoldResult> offsets,
               llvm::ArrayRef<mlir::OpFoldResult> sizes,
               llvm::ArrayRef<mlir::OpFoldResult> strides,
               const Batch &batch) const;

  mlir::func::FuncOp func;
  mlir::OpBuilder builder;
  int64_t samples;
  llvm::DenseMap<mlir::Value, Batch> batches;
  /// Index values: so many times the size of the batch.
  llvm::DenseMap<mlir::Value, int64_t> sizes;
};
} // namespace bquant

#endif // BQUANT_LIB_TRANSFORMS_BATCHTOSAMPLE_SAMPLEREWRITER_H
