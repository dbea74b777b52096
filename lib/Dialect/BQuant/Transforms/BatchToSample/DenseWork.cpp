//===- DenseWork.cpp - Whether dense layers take the time -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DenseWork.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace bquant;

/// Products of more rows use each filter often enough.
static constexpr double kFewRows = 4;
/// Less is not worth a second function.
static constexpr double kMinMultiplications = 1 << 16;

namespace {
struct Work {
  double multiplications = 0;
  /// That meet one filter; of a convolution the pixels.
  double rows = 0;
};
} // namespace

static double multiply(ArrayRef<int64_t> sizes) {
  double product = 1;
  for (int64_t size : sizes)
    product *= double(size);
  return product;
}

static ArrayRef<int64_t> getShape(Value value) {
  return cast<ShapedType>(value.getType()).getShape();
}

/// None for ops that are no products.
static Work getWork(Operation *op) {
  if (auto matmul = dyn_cast<MatmulOp>(op)) {
    ArrayRef<int64_t> lhs = getShape(matmul.getLhs()),
                      rhs = getShape(matmul.getRhs());
    return {multiply(lhs) * double(rhs.drop_back().back()),
            double(lhs.drop_back().back())};
  }
  if (auto conv = dyn_cast<Conv2DOp>(op)) {
    ArrayRef<int64_t> pixels = getShape(conv.getResult()).drop_back();
    return {multiply(pixels) * multiply(getShape(conv.getFilter())),
            multiply(pixels)};
  }
  auto product = dyn_cast<linalg::LinalgOp>(op);
  if (!product || product.hasDynamicShape())
    return {};
  SmallVector<int64_t> sizes = product.getStaticLoopRanges();
  auto rangeOf = [&](ArrayRef<unsigned> loops) {
    return multiply(
        llvm::map_to_vector(loops, [&](unsigned loop) { return sizes[loop]; }));
  };
  // To inferContractionDims a convolution is a contraction of its samples.
  if (FailureOr<linalg::ConvolutionDimensions> dims =
          linalg::inferConvolutionDims(product);
      succeeded(dims) && linalg::isaConvolutionOpInterface(product))
    return {multiply(sizes), rangeOf(dims->outputImage)};
  // Either operand may be the filter.
  if (FailureOr<linalg::ContractionDimensions> dims =
          linalg::inferContractionDims(product);
      succeeded(dims) && linalg::isaContractionOpInterface(product))
    return {multiply(sizes), std::min(rangeOf(dims->m), rangeOf(dims->n))};
  return {};
}

bool bquant::isMostlyDense(func::FuncOp func) {
  double all = 0, dense = 0;
  func.walk([&](Operation *op) {
    Work work = getWork(op);
    all += work.multiplications;
    if (work.rows <= kFewRows)
      dense += work.multiplications;
  });
  return dense >= kMinMultiplications && 2 * dense >= all;
}
