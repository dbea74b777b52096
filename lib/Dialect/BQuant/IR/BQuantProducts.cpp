//===- BQuantProducts.cpp - Products and pooling --------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers check one numbered constraint at a time; test/Dialect/BQuant/IR/
// invalid.mlir has a case for each number.
//
//===----------------------------------------------------------------------===//

#include "Support/Constraints.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace bquant;

/// Checks that an attribute has `size` entries of at least `least`.
static LogicalResult verifyList(Operation *op, const Twine &constraint,
                                StringRef name, ArrayRef<int64_t> values,
                                size_t size, int64_t least) {
  if (values.size() == size &&
      llvm::all_of(values, [&](int64_t v) { return v >= least; }))
    return success();
  return expected(op, constraint) << size << " " << name << " >= " << least
                                  << ", but got [" << values << "]";
}

/// Results of products have static sizes but for those that the first operand
/// has, too.
static LogicalResult reifyProduct(OpBuilder &b, Operation *op,
                                  ReifiedRankedShapedTypeDims &dims) {
  auto type = cast<ShapedType>(op->getResult(0).getType());
  Value source = op->getOperand(0);
  SmallVector<OpFoldResult> sizes;
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    if (!ShapedType::isDynamic(size))
      sizes.push_back(b.getIndexAttr(size));
    else if (i + 1 < type.getShape().size() &&
             isa<RankedTensorType>(source.getType()))
      sizes.push_back(tensor::getMixedSize(b, op->getLoc(), source, i));
    else // tensor.dim takes no scaled-binary tensor.
      return failure();
  }
  dims.push_back(sizes);
  return success();
}

std::optional<int64_t> bquant::getWindowedSize(int64_t size, int64_t taps,
                                               int64_t stride, int64_t dilation,
                                               int64_t low, int64_t high) {
  int64_t extent = 0, padded = 0;
  // Attributes are any i64.
  if (ShapedType::isDynamic(size) || ShapedType::isDynamic(taps) || taps < 1 ||
      stride < 1 || llvm::MulOverflow(dilation, taps - 1, extent) ||
      llvm::AddOverflow(extent, int64_t(1), extent) ||
      llvm::AddOverflow(size, low, padded) ||
      llvm::AddOverflow(padded, high, padded) || padded < extent)
    return std::nullopt;
  return (padded - extent) / stride + 1;
}

/// Constraints `first` and `first + 1` that all products share: the conditions
/// of an i32 result, and the range of the counter.
static LogicalResult verifyProduct(Operation *op, StringRef name, int first,
                                   Type lhs, SBTensorType rhs, Type element,
                                   ArrayRef<int64_t> reduction) {
  auto constraint = [&](int i) {
    return (name + "_c" + Twine(first + i)).str();
  };
  auto binary = dyn_cast<SBTensorType>(lhs);
  if (element.isInteger(32) &&
      (!binary || !binary.hasOneScalar() || binary.getHasOffset() ||
       !rhs.hasOneScalar() || rhs.getHasOffset()))
    return expected(op, constraint(0))
           << "one plane or ratio planes, without offset, for a result of i32, "
              "but got "
           << lhs << " and " << rhs;
  int64_t range = rhs.getLargestMultiple();
  bool overflow = false;
  if (binary)
    overflow = llvm::MulOverflow(range, binary.getLargestMultiple(), range);
  for (int64_t size : reduction)
    overflow |= llvm::MulOverflow(range, size, range);
  if (overflow || range > std::numeric_limits<int32_t>::max())
    return expected(op, constraint(1))
           << "a dot product that an i32 can hold, but got a reduction over ["
           << reduction << "]";
  return success();
}

//===----------------------------------------------------------------------===//
// Conv2DOp
//===----------------------------------------------------------------------===//

LogicalResult Conv2DOp::verify() {
  auto input = cast<ShapedType>(getInput().getType());
  auto binary = dyn_cast<SBTensorType>(getInput().getType());
  SBTensorType filter = getFilter().getType();
  RankedTensorType result = getType();

  if (input.getRank() != 4 || filter.getRank() != 4 || result.getRank() != 4)
    return expected(*this, "conv_2d_c1")
           << "rank 4 of input, filter and result, but got " << input.getRank()
           << ", " << filter.getRank() << ", " << result.getRank();
  if (failed(verifyList(*this, "conv_2d_c2", "strides", getStrides(), 2, 1)) ||
      failed(
          verifyList(*this, "conv_2d_c3", "dilations", getDilations(), 2, 1)) ||
      failed(verifyList(*this, "conv_2d_c4", "pads", getPads(), 4, 0)))
    return failure();

  int64_t groups = getGroups(), channels = input.getDimSize(3);
  if (groups < 1 || filter.isDynamicDim(0) || filter.getDimSize(0) % groups)
    return expected(*this, "conv_2d_c5")
           << "groups >= 1 that divide the filters, but got " << groups
           << " for " << filter;
  if (ShapedType::isDynamic(channels) || channels % groups ||
      channels / groups != filter.getDimSize(3))
    return expected(*this, "conv_2d_c6")
           << "input channels to be groups times filter channels, but got "
           << input << " and " << filter;
  if (getPadValue() != 0 &&
      (getPadValue() != 1 || !binary || binary.getPlanes() != 1))
    return expected(*this, "conv_2d_c7")
           << "pad_value 0, or 1 for one plane, but got " << getPadValue()
           << " for " << input;
  // What varies along the reduction cannot leave a popcount.
  auto isLeading = [](ArrayRef<int64_t> axes) {
    return axes.empty() || axes == ArrayRef<int64_t>{0};
  };
  if ((binary && !isLeading(binary.getAxes())) || !isLeading(filter.getAxes()))
    return expected(*this, "conv_2d_c8")
           << "axes [] or [0], but got " << input << " and " << filter;
  if (failed(verifyProduct(*this, "conv_2d", 9, getInput().getType(), filter,
                           result.getElementType(),
                           filter.getShape().drop_front())))
    return failure();

  SmallVector<int64_t> shape{input.getDimSize(0), 0, 0, filter.getDimSize(0)};
  for (int d = 0; d < 2; ++d) {
    std::optional<int64_t> size = getWindowedSize(
        input.getDimSize(d + 1), filter.getDimSize(d + 1), getStrides()[d],
        getDilations()[d], getPads()[2 * d], getPads()[2 * d + 1]);
    if (!size)
      return expected(*this, "conv_2d_c11")
             << "a padded image of at least the filter's size, but got "
             << input << " and " << filter;
    shape[d + 1] = *size;
  }
  if (result.getShape() != ArrayRef(shape))
    return expected(*this, "conv_2d_c12")
           << "a result of shape [" << shape << "], but got " << result;
  return success();
}

LogicalResult Conv2DOp::reifyResultShapes(OpBuilder &b,
                                          ReifiedRankedShapedTypeDims &dims) {
  return reifyProduct(b, *this, dims);
}

//===----------------------------------------------------------------------===//
// MatmulOp
//===----------------------------------------------------------------------===//

LogicalResult MatmulOp::verify() {
  auto lhs = cast<ShapedType>(getLhs().getType());
  SBTensorType rhs = getRhs().getType();
  RankedTensorType result = getType();
  int64_t rank = lhs.getRank();
  if ((rank != 2 && rank != 3) || rhs.getRank() != rank ||
      result.getRank() != rank)
    return expected(*this, "matmul_c1")
           << "rank 2 or 3 of both operands and the result, but got " << rank
           << ", " << rhs.getRank() << ", " << result.getRank();
  if (lhs.isDynamicDim(rank - 1) ||
      lhs.getDimSize(rank - 1) != rhs.getDimSize(rank - 1))
    return expected(*this, "matmul_c2")
           << "equal last dimensions, but got " << lhs << " and " << rhs;
  if (rank == 3 && lhs.getDimSize(0) != rhs.getDimSize(0))
    return expected(*this, "matmul_c3")
           << "equal batch dimensions, but got " << lhs << " and " << rhs;
  // What varies along the reduction cannot leave a popcount.
  auto variesAlongReduction = [&](Type type) {
    auto binary = dyn_cast<SBTensorType>(type);
    return binary && llvm::is_contained(binary.getAxes(), rank - 1);
  };
  if (variesAlongReduction(lhs) || variesAlongReduction(rhs))
    return expected(*this, "matmul_c4")
           << "axes other than the reduction, but got " << getLhs().getType()
           << " and " << rhs;
  if (failed(verifyProduct(*this, "matmul", 5, getLhs().getType(), rhs,
                           result.getElementType(),
                           rhs.getShape().take_back())))
    return failure();
  if (rhs.isDynamicDim(rank - 2))
    return expected(*this, "matmul_c8")
           << "a static number of rows of the right-hand side, but got " << rhs;
  SmallVector<int64_t> shape(lhs.getShape());
  shape.back() = rhs.getDimSize(rank - 2);
  if (result.getShape() != ArrayRef(shape))
    return expected(*this, "matmul_c7")
           << "a result of shape [" << shape << "], but got " << result;
  return success();
}

LogicalResult MatmulOp::reifyResultShapes(OpBuilder &b,
                                          ReifiedRankedShapedTypeDims &dims) {
  return reifyProduct(b, *this, dims);
}

//===----------------------------------------------------------------------===//
// MaxPool2DOp
//===----------------------------------------------------------------------===//

/// Whether each of `outputs` windows has a tap in an image of `size` behind
/// `low` positions of padding.
static bool isInEveryWindow(int64_t size, int64_t outputs, int64_t taps,
                            int64_t stride, int64_t dilation, int64_t low) {
  if ((outputs - 1) * stride - low >= size)
    return false;
  // Of those that begin in the padding, the first tap behind it. Where the
  // image is no smaller than a step, all have one if the first has. Else where
  // the taps lie repeats itself.
  int64_t period = size >= dilation ? 1 : dilation / std::gcd(stride, dilation);
  for (int64_t o = 0; o < std::min(outputs, period); ++o) {
    int64_t first = o * stride - low;
    if (first >= 0)
      break;
    int64_t tap = llvm::divideCeil(uint64_t(-first), uint64_t(dilation));
    if (tap >= taps || first + tap * dilation >= size)
      return false;
  }
  return true;
}

LogicalResult MaxPool2DOp::verify() {
  SBTensorType input = getInput().getType(), result = getType();
  if (input.getRank() != 4 || result.getRank() != 4)
    return expected(*this, "max_pool_2d_c1")
           << "rank 4 of input and result, but got " << input.getRank() << ", "
           << result.getRank();
  if (failed(
          verifyList(*this, "max_pool_2d_c2", "window", getWindow(), 2, 1)) ||
      failed(
          verifyList(*this, "max_pool_2d_c3", "strides", getStrides(), 2, 1)) ||
      failed(verifyList(*this, "max_pool_2d_c4", "dilations", getDilations(), 2,
                        1)) ||
      failed(verifyList(*this, "max_pool_2d_c5", "pads", getPads(), 4, 0)))
    return failure();
  // Codes of different scalars do not compare.
  for (int64_t axis : input.getAxes())
    if (axis == 1 || axis == 2)
      return expected(*this, "max_pool_2d_c6")
             << "scalars shared along the window, but got " << input;

  SmallVector<int64_t> shape(input.getShape());
  for (int d = 0; d < 2; ++d) {
    int64_t low = getPads()[2 * d], high = getPads()[2 * d + 1];
    std::optional<int64_t> size =
        getWindowedSize(input.getDimSize(d + 1), getWindow()[d],
                        getStrides()[d], getDilations()[d], low, high);
    if (!size)
      return expected(*this, "max_pool_2d_c7")
             << "a padded image of at least the window's size, but got "
             << input << " and window [" << getWindow() << "]";
    shape[d + 1] = *size;
    if (!isInEveryWindow(input.getDimSize(d + 1), *size, getWindow()[d],
                         getStrides()[d], getDilations()[d], low))
      return expected(*this, "max_pool_2d_c8")
             << "a position of the image in every window, but got pads ["
             << getPads() << "]";
  }
  auto inferred = SBTensorType::getChecked(
      [&] { return emitOpError(); }, getContext(), ArrayRef(shape),
      input.getPlanes(), input.getRatios(), input.getAxes(),
      input.getHasOffset());
  if (!inferred)
    return failure();
  if (result != inferred)
    return expected(*this, "max_pool_2d_c9")
           << "a result of " << inferred << ", but got " << result;
  return success();
}

OpFoldResult MaxPool2DOp::fold(FoldAdaptor) {
  // A window of one position that moves by one is the input itself.
  auto isOne = [](int64_t v) { return v == 1; };
  if (getInput().getType() == getType() && llvm::all_of(getWindow(), isOne) &&
      llvm::all_of(getStrides(), isOne) &&
      llvm::all_of(getPads(), [](int64_t p) { return p == 0; }))
    return getInput();
  return {};
}

LogicalResult
MaxPool2DOp::reifyResultShapes(OpBuilder &b,
                               ReifiedRankedShapedTypeDims &dims) {
  return reifyProduct(b, *this, dims);
}
