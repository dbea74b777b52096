//===- SampleRewriter.cpp - The batch in shapes and slices ----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleRewriter.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

ShapedType bquant::getSampleType(ShapedType type, const Batch &batch) {
  SmallVector<int64_t> shape(type.getShape());
  shape[batch.dim] = batch.rows;
  return type.clone(shape);
}

std::optional<int64_t> bquant::getDynamicDim(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank() || shaped.getNumDynamicDims() != 1)
    return std::nullopt;
  return llvm::find(shaped.getShape(), ShapedType::kDynamic) -
         shaped.getShape().begin();
}

LogicalResult SampleRewriter::convertPad(tensor::PadOp op) {
  const Batch *batch = find(op.getSource());
  if (!batch || !isConstantIntValue(op.getMixedLowPad()[batch->dim], 0) ||
      !isConstantIntValue(op.getMixedHighPad()[batch->dim], 0))
    return reject(op, "pads the batch");
  if (!op.getRegion().getArgument(batch->dim).use_empty())
    return reject(op, "depends on the place of a sample in the batch");
  setBatch(op.getResult(), *batch);
  return success();
}

/// Samples stay in order if nothing but ones stands before them.
static bool isLeading(ArrayRef<int64_t> shape, ArrayRef<int64_t> group,
                      int64_t dim) {
  for (int64_t d : group) {
    if (d == dim)
      return true;
    if (shape[d] != 1)
      return false;
  }
  llvm_unreachable("the dimension is one of the group");
}

LogicalResult SampleRewriter::convertCollapse(tensor::CollapseShapeOp op) {
  const Batch *batch = find(op.getSrc());
  ArrayRef<int64_t> shape = op.getSrcType().getShape();
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    if (!llvm::is_contained(group, batch->dim))
      continue;
    if (!isLeading(shape, group, batch->dim))
      return reject(op, "mixes the samples with another dimension");
    int64_t rows = 1;
    for (int64_t d : group)
      if (llvm::MulOverflow(rows, shape[d], rows))
        return reject(op, "has a shape that overflows");
    setBatch(op.getResult(), {static_cast<int64_t>(dim), rows});
    return success();
  }
  return reject(op, "has no dimension for the batch");
}

LogicalResult SampleRewriter::convertExpand(tensor::ExpandShapeOp op) {
  const Batch *batch = find(op.getSrc());
  std::optional<int64_t> dim = getDynamicDim(op.getType());
  if (!batch || !dim)
    return reject(op, "gives the batch another size");
  SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
  ArrayRef<int64_t> group = groups[batch->dim];
  ArrayRef<int64_t> shape = op.getType().getShape();
  if (!llvm::is_contained(group, *dim) || !isLeading(shape, group, *dim))
    return reject(op, "mixes the samples with another dimension");
  int64_t inner = 1;
  for (int64_t d : group)
    if (d != *dim)
      inner *= shape[d];
  if (batch->rows % inner != 0)
    return reject(op, "groups samples");
  Batch expanded{*dim, batch->rows / inner};
  Type type = getSampleType(op.getType(), expanded);
  replace(op,
          tensor::ExpandShapeOp::create(builder, op.getLoc(), type, op.getSrc(),
                                        groups)
              .getResult(),
          expanded);
  return success();
}

/// Whether a slice takes all samples.
bool SampleRewriter::isWhole(ArrayRef<OpFoldResult> offsets,
                             ArrayRef<OpFoldResult> sizes,
                             ArrayRef<OpFoldResult> strides,
                             const Batch &batch) const {
  auto size = dyn_cast<Value>(sizes[batch.dim]);
  return size && this->sizes.lookup(size) == batch.rows &&
         isConstantIntValue(offsets[batch.dim], 0) &&
         isConstantIntValue(strides[batch.dim], 1);
}

LogicalResult SampleRewriter::convertExtract(tensor::ExtractSliceOp op) {
  const Batch *batch = find(op.getSource());
  std::optional<int64_t> dim = getDynamicDim(op.getType());
  SmallVector<OpFoldResult> slice = op.getMixedSizes();
  if (!batch || !dim ||
      !isWhole(op.getMixedOffsets(), slice, op.getMixedStrides(), *batch))
    return reject(op, "takes some of the samples");
  slice[batch->dim] = builder.getIndexAttr(batch->rows);
  Batch result{*dim, batch->rows};
  auto type = cast<RankedTensorType>(getSampleType(op.getType(), result));
  replace(op,
          tensor::ExtractSliceOp::create(builder, op.getLoc(), type,
                                         op.getSource(), op.getMixedOffsets(),
                                         slice, op.getMixedStrides())
              .getResult(),
          result);
  return success();
}

LogicalResult SampleRewriter::convertInsert(tensor::InsertSliceOp op) {
  const Batch *batch = find(op.getDest());
  SmallVector<OpFoldResult> slice = op.getMixedSizes();
  if (!batch || !find(op.getSource()) ||
      !isWhole(op.getMixedOffsets(), slice, op.getMixedStrides(), *batch))
    return reject(op, "writes some of the samples");
  slice[batch->dim] = builder.getIndexAttr(batch->rows);
  replace(op,
          tensor::InsertSliceOp::create(builder, op.getLoc(), op.getSource(),
                                        op.getDest(), op.getMixedOffsets(),
                                        slice, op.getMixedStrides())
              .getResult(),
          *batch);
  return success();
}

LogicalResult SampleRewriter::convertConcat(tensor::ConcatOp op) {
  const Batch *batch = find(op.getInputs().front());
  for (Value input : op.getInputs()) {
    const Batch *other = find(input);
    if (!batch || !other || batch->dim != other->dim ||
        batch->rows != other->rows ||
        static_cast<int64_t>(op.getDim()) == batch->dim)
      return reject(op, "combines different samples");
  }
  setBatch(op.getResult(), *batch);
  return success();
}

LogicalResult SampleRewriter::convertCast(tensor::CastOp op) {
  const Batch *batch = find(op.getSource());
  if (!batch || getDynamicDim(op.getType()) != batch->dim)
    return reject(op, "gives the batch another size");
  setBatch(op.getResult(), *batch);
  return success();
}
