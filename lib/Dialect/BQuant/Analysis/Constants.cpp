//===- Constants.cpp - Constant tensors, read and made --------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Constants.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace bquant;

/// Up to so many words are printed as dense elements.
static constexpr int64_t kDenseWords = 64;

/// The value that `value` only rearranges; null if it is another op's.
static Value getRearranged(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                      linalg::TransposeOp>(op))
    return op->getOperand(0);
  return {};
}

bool bquant::isConstantTensor(Value value) {
  while (Value source = getRearranged(value))
    value = source;
  return isa<RankedTensorType>(value.getType()) && getConstantTensor(value);
}

/// `values` of the shape of `op`'s input, in the order of its result.
static SmallVector<float> transpose(linalg::TransposeOp op,
                                    ArrayRef<float> values) {
  ArrayRef<int64_t> from = op.getInput().getType().getShape();
  ArrayRef<int64_t> to = op.getInit().getType().getShape();
  SmallVector<int64_t> inputStrides = computeSuffixProduct(from), strides;
  for (int64_t dim : op.getPermutation())
    strides.push_back(inputStrides[dim]);
  SmallVector<float> result;
  result.reserve(values.size());
  SmallVector<int64_t> index(to.size(), 0);
  for (size_t n = 0; n < values.size(); ++n) {
    int64_t at = 0;
    for (auto [i, stride] : llvm::zip_equal(index, strides))
      at += i * stride;
    result.push_back(values[at]);
    for (size_t d = to.size(); d-- > 0;) {
      if (++index[d] < to[d])
        break;
      index[d] = 0;
    }
  }
  return result;
}

SmallVector<float> bquant::getConstantFloats(Value value) {
  if (ElementsAttr elements = getConstantTensor(value))
    return getFloatValues(elements);
  Value source = getRearranged(value);
  if (!source || !cast<ShapedType>(value.getType()).hasStaticShape())
    return {};
  SmallVector<float> values = getConstantFloats(source);
  auto op = value.getDefiningOp<linalg::TransposeOp>();
  return op && !values.empty() ? transpose(op, values) : values;
}

ElementsAttr bquant::getWordsAttr(RankedTensorType type,
                                  ArrayRef<uint32_t> words) {
  ArrayRef<char> bytes(reinterpret_cast<const char *>(words.data()),
                       words.size() * sizeof(uint32_t));
  if (int64_t(words.size()) <= kDenseWords)
    return DenseElementsAttr::getFromRawBuffer(type, bytes);
  return DenseResourceElementsAttr::get(
      type, "bquant_words",
      HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, /*align=*/64,
                                                    /*dataIsMutable=*/false));
}

DenseElementsAttr bquant::getFloatsAttr(RankedTensorType type,
                                        ArrayRef<float> values) {
  return DenseElementsAttr::get(type, values);
}
