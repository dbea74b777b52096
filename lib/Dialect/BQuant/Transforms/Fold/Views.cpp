//===- Views.cpp - Ops that only move elements ----------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Views.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::chains;

bool chains::isView(Operation *op) {
  return isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                         tensor::ExtractSliceOp>(op);
}

/// The sizes of some dimensions, the first of which may be dynamic; empty if
/// another one is.
static bool hasStaticTail(ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  return llvm::none_of(dims.drop_front(), [&](int64_t d) {
    return ShapedType::isDynamic(shape[d]);
  });
}

/// One index for those of some dimensions of a shape.
static AffineExpr join(ArrayRef<int64_t> dims, ArrayRef<int64_t> shape,
                       MLIRContext *context) {
  AffineExpr index = getAffineConstantExpr(0, context);
  for (int64_t d : dims)
    if (shape[d] != 1)
      index = index * shape[d] + getAffineDimExpr(d, context);
  return index;
}

/// The indices of some dimensions of a shape from one for all of them.
static void part(AffineExpr index, ArrayRef<int64_t> dims,
                 ArrayRef<int64_t> shape, MutableArrayRef<AffineExpr> indices) {
  AffineExpr zero = getAffineConstantExpr(0, index.getContext());
  SmallVector<int64_t> moving;
  for (int64_t d : dims) {
    indices[d] = zero;
    if (shape[d] != 1)
      moving.push_back(d);
  }
  for (size_t i = moving.size(); i-- > 0;) {
    int64_t size = shape[moving[i]];
    indices[moving[i]] = i == 0 ? index : index % size;
    if (i > 0)
      index = index.floorDiv(size);
  }
}

AffineMap chains::getViewMap(Operation *op) {
  MLIRContext *context = op->getContext();
  auto from = cast<RankedTensorType>(op->getOperand(0).getType());
  auto to = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<AffineExpr> indices(from.getRank());
  bool isStatic = true;
  auto done = [&]() {
    return isStatic ? AffineMap::get(to.getRank(), 0, indices, context)
                    : AffineMap();
  };
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    for (auto [i, dims] : llvm::enumerate(expand.getReassociationIndices())) {
      isStatic &= hasStaticTail(to.getShape(), dims);
      indices[i] = join(dims, to.getShape(), context);
    }
    return done();
  }
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    // All of size 1 to a scalar: no dimension of the result.
    indices.assign(indices.size(), getAffineConstantExpr(0, context));
    for (auto [i, dims] : llvm::enumerate(collapse.getReassociationIndices())) {
      isStatic &= hasStaticTail(from.getShape(), dims);
      part(getAffineDimExpr(i, context), dims, from.getShape(), indices);
    }
    return done();
  }
  auto slice = cast<tensor::ExtractSliceOp>(op);
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  int64_t dim = 0;
  for (int64_t d = 0; d < from.getRank(); ++d) {
    int64_t offset = slice.getStaticOffsets()[d];
    int64_t stride = slice.getStaticStrides()[d];
    isStatic &=
        !ShapedType::isDynamic(offset) && !ShapedType::isDynamic(stride);
    indices[d] = getAffineConstantExpr(offset, context);
    if (!dropped.test(d))
      indices[d] = indices[d] + getAffineDimExpr(dim++, context) * stride;
  }
  return done();
}

std::optional<View> chains::getViewByMap(AffineMap map, ArrayRef<int64_t> from,
                                         ArrayRef<int64_t> to) {
  bool isIdentity = from == to;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    auto zero = dyn_cast<AffineConstantExpr>(expr);
    isIdentity &= (dim && dim.getPosition() == i) ||
                  (zero && zero.getValue() == 0 && from[i] == 1);
  }
  if (isIdentity)
    return View();
  if (!map.isPermutation())
    return std::nullopt;
  View view;
  for (AffineExpr expr : inversePermutation(map).getResults())
    view.permutation.push_back(cast<AffineDimExpr>(expr).getPosition());
  return view;
}

Value chains::applyViews(Value tensor, const Views &views,
                         RewriterBase &rewriter, Location loc) {
  for (const View &view : llvm::reverse(views)) {
    auto type = cast<RankedTensorType>(tensor.getType());
    Type element = type.getElementType();
    if (!view.op) {
      SmallVector<OpFoldResult> from =
          tensor::getMixedSizes(rewriter, loc, tensor);
      SmallVector<OpFoldResult> to;
      for (int64_t d : view.permutation)
        to.push_back(from[d]);
      Value empty = tensor::EmptyOp::create(rewriter, loc, to, element);
      tensor = linalg::TransposeOp::create(rewriter, loc, tensor, empty,
                                           view.permutation)
                   ->getResult(0);
      continue;
    }
    auto result = cast<RankedTensorType>(view.op->getResult(0).getType());
    IRMapping mapping;
    mapping.map(view.op->getOperand(0), tensor);
    Operation *copy = rewriter.clone(*view.op, mapping);
    copy->getResult(0).setType(result.clone(element));
    tensor = copy->getResult(0);
  }
  return tensor;
}

int64_t chains::evaluateAt(AffineExpr expr, ArrayRef<int64_t> index) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return index[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t lhs = evaluateAt(binary.getLHS(), index);
  int64_t rhs = evaluateAt(binary.getRHS(), index);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::Mod:
    return llvm::mod(lhs, rhs);
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(lhs, rhs);
  case AffineExprKind::CeilDiv:
    return llvm::divideCeilSigned(lhs, rhs);
  default:
    llvm_unreachable("no binary expression");
  }
}
