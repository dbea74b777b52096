//===- OnlineScalars.cpp - Scalars solved at run time ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values that share scalars become the rows of a G x N tensor.
//
//===----------------------------------------------------------------------===//

#include "OnlineScalars.h"
#include "bquant/Conversion/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace bquant;

LogicalResult bquant::verifySolvable(Operation *op, ExplainFn explain) {
  auto quantize = dyn_cast<QuantizeOp>(op);
  if (!quantize || !quantize.getScheme())
    return success();
  if (!SolveOp::canSolve(*quantize.getScheme()))
    return explain("this scheme is solved at compile time only");
  if (!quantize.getType().hasStaticShape())
    return explain("scalars of a dynamic shape are not solved at run time");
  return success();
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// The values of each set as a row: G x N.
static Value createRows(ImplicitLocOpBuilder &b, Value x, SBTensorType type) {
  auto from = cast<RankedTensorType>(x.getType());
  int64_t rank = type.getRank(), kept = type.getAxes().size();
  SmallVector<int64_t> order(type.getAxes()), shape;
  for (int64_t d = 0; d < rank; ++d)
    if (!llvm::is_contained(type.getAxes(), d))
      order.push_back(d);
  int64_t groups = 1;
  for (int64_t d : order)
    shape.push_back(from.getDimSize(d));
  for (int64_t d = 0; d < kept; ++d)
    groups *= shape[d];
  if (!llvm::is_sorted(order)) {
    Value init = tensor::EmptyOp::create(b, shape, from.getElementType());
    x = linalg::TransposeOp::create(b, x, init, order)->getResult(0);
  }
  // Through one dimension where a side has none of its own.
  RankedTensorType rows = from.clone({groups, from.getNumElements() / groups});
  ReassociationIndices all = llvm::to_vector<2>(llvm::seq<int64_t>(0, rank));
  if (kept > 0 && kept < rank)
    return b.createOrFold<tensor::CollapseShapeOp>(
        rows, x,
        ArrayRef<ReassociationIndices>{
            ReassociationIndices(ArrayRef(all).take_front(kept)),
            ReassociationIndices(ArrayRef(all).drop_front(kept))});
  if (rank > 1)
    x = tensor::CollapseShapeOp::create(b, from.clone({from.getNumElements()}),
                                        x, ArrayRef<ReassociationIndices>{all});
  return tensor::ExpandShapeOp::create(b, rows, x,
                                       ArrayRef<ReassociationIndices>{{0, 1}});
}

/// R x G to R x d[axes...].
static Value createAxes(ImplicitLocOpBuilder &b, Value values,
                        SBTensorType type) {
  auto from = cast<RankedTensorType>(values.getType());
  ArrayRef<int64_t> axes = type.getAxes();
  if (axes.size() == 1)
    return values;
  SmallVector<int64_t> shape{from.getDimSize(0)};
  if (axes.empty())
    return tensor::CollapseShapeOp::create(
        b, from.clone(shape), values, ArrayRef<ReassociationIndices>{{0, 1}});
  ReassociationIndices grouped;
  for (int64_t axis : axes) {
    grouped.push_back(shape.size());
    shape.push_back(type.getDimSize(axis));
  }
  return tensor::ExpandShapeOp::create(
      b, from.clone(shape), values,
      ArrayRef<ReassociationIndices>{{0}, grouped});
}

Solved bquant::createSolve(ImplicitLocOpBuilder &b, QuantizeOp op,
                           Value input) {
  Value rows = createRows(b, input, op.getType());
  auto type = cast<RankedTensorType>(rows.getType());
  SmallVector<Value> inits;
  for (RankedTensorType init : SolveOp::getInitTypes(
           *op.getScheme(), type.getDimSize(0), type.getDimSize(1)))
    inits.push_back(
        tensor::EmptyOp::create(b, init.getShape(), init.getElementType()));
  auto solve = SolveOp::create(b, TypeRange(ValueRange(inits)), *op.getScheme(),
                               rows, inits);
  Solved solved{createAxes(b, solve.getResult(0), op.getType()), Value()};
  if (!op.getScheme()->getScheme().isFoldable())
    solved.thresholds = createAxes(b, solve.getResult(1), op.getType());
  return solved;
}

Solved bquant::createMeans(ImplicitLocOpBuilder &b, QuantizeOp op,
                           Value input) {
  Solved solved =
      createMeansOfRows(b, *op.getScheme(), createRows(b, input, op.getType()));
  solved.scalars = createAxes(b, solved.scalars, op.getType());
  if (solved.thresholds)
    solved.thresholds = createAxes(b, solved.thresholds, op.getType());
  return solved;
}
