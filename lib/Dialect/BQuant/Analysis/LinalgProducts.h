//===- LinalgProducts.h - Linalg's sums of products -------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to lib/: products of linalg that a kernel may compute, those of
// floats, whose order is kept, and those of bytes, whose sums are exact.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_ANALYSIS_LINALGPRODUCTS_H
#define BQUANT_LIB_ANALYSIS_LINALGPRODUCTS_H

#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Support/Explain.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace bquant {

/// The operands of a product and where they lie in its loops.
struct LinalgProduct {
  /// Input and filter.
  llvm::SmallVector<mlir::Value> operands;
  llvm::SmallVector<mlir::AffineMap> maps;
  /// Of the loops, the leading `parallel` ones those of the result.
  llvm::SmallVector<int64_t> sizes;
  unsigned parallel = 0;
};

/// Whether the body of an op with two inputs is `acc + a * b`, of floats or of
/// integers, where a and b may be cast.
bool sumsProducts(mlir::linalg::LinalgOp op);

/// Fails for what is no product of f32 tensors.
mlir::FailureOr<LinalgProduct> getFloatProduct(mlir::linalg::LinalgOp op,
                                               ExplainFn explain = silently);

/// The same of a product by a filter of f32 that is not laid out.
mlir::FailureOr<LinalgProduct> getFloatProduct(ProductOp op);

/// The same of signed bytes, summed in i32. The reduction along which the input
/// is contiguous is the last one, where there is one; of channels with an input
/// each it is the first one of a window that has several taps.
mlir::FailureOr<LinalgProduct> getByteProduct(mlir::linalg::LinalgOp op,
                                              ExplainFn explain = silently);

/// The loops of a product of bytes that are a row: the last one or two, whose
/// elements are side by side in the input.
unsigned countRowLoops(const LinalgProduct &product);

/// The only index of `map` that goes by `loop`, and how far it goes each time;
/// nothing where there is no such one.
std::optional<std::pair<unsigned, int64_t>> findStride(mlir::AffineMap map,
                                                       unsigned loop);

/// The elements of a constant tensor of i8; none of anything else.
std::optional<llvm::SmallVector<int8_t>> getConstantBytes(mlir::Value tensor);

/// A constant filter of bytes in the order of the loops.
struct FilterRows {
  llvm::SmallVector<int8_t> bytes;
  /// The last dimension is the row.
  llvm::SmallVector<int64_t> shape;
  /// The dimension of the output channels.
  unsigned outputs = 0;
};
std::optional<FilterRows> getFilterRows(const LinalgProduct &product);

/// What a kernel of codes is asked of a product of bytes, whose channels are a
/// row filled up to whole words with zeros; nothing where it cannot be put so.
std::optional<ProductShape> getByteProductShape(const LinalgProduct &product);

/// What all kernels of codes ask of a product of bytes of that shape.
llvm::LogicalResult verifyByteProduct(const LinalgProduct &product,
                                      const std::optional<ProductShape> &shape,
                                      ExplainFn explain = silently);

/// Whether floats hold all sums of a product of bytes.
bool isExactInFloats(const LinalgProduct &product);

/// The largest magnitude that a sum of bytes may have; nothing where that is
/// not known.
std::optional<int64_t> getLargestSum(const LinalgProduct &product);

/// The attribute of linalg's products with the kernel that select chose, until
/// they are converted.
constexpr llvm::StringLiteral kKernelName = "bquant.kernel";

/// Elements of a step in bf16: of an odd number the last one gets a zero.
constexpr int64_t kPairOfBF16 = 2;

/// Fails for operands that are not rounded to bf16.
llvm::LogicalResult verifyRounding(const LinalgProduct &product,
                                   ExplainFn explain = silently);

/// The dimension of an operand that the last loop alone goes along.
std::optional<unsigned> findLastLoop(mlir::AffineMap map);

} // namespace bquant

#endif // BQUANT_LIB_ANALYSIS_LINALGPRODUCTS_H
