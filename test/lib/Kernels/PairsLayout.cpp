//===- PairsLayout.cpp - Words of which each second is a difference -------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestKernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;
using namespace bquant::test;

/// As words; of two, the second is its difference from the first.
int64_t PairsLayoutAttr::getChannels() const { return kWordBits; }
Type PairsLayoutAttr::getElementType() const {
  return IntegerType::get(getContext(), kWordBits);
}
int64_t PairsLayoutAttr::getUnit() const { return 2; }
bool PairsLayoutAttr::isBitwise() const { return false; }
bool PairsLayoutAttr::canEmit() const { return false; }

/// What becomes of `word`, of `words`, in the body of a loop nest over them.
static Value createPair(OpBuilder &b, Location loc, Value words, Value word,
                        int64_t rank) {
  SmallVector<Value> at;
  for (int64_t d = 0; d < rank; ++d)
    at.push_back(linalg::IndexOp::create(b, loc, d));
  Value two = arith::ConstantIndexOp::create(b, loc, 2),
        zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value odd = arith::RemUIOp::create(b, loc, at.back(), two);
  at.back() = arith::SubIOp::create(b, loc, at.back(), odd);
  Value first = tensor::ExtractOp::create(b, loc, words, at);
  Value differs = arith::XOrIOp::create(b, loc, first, word);
  Value isFirst =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, odd, zero);
  return arith::SelectOp::create(b, loc, isFirst, first, differs);
}

uint32_t PairsLayoutAttr::encode(ArrayRef<uint32_t> words,
                                 int64_t index) const {
  uint32_t word = encodeBits(*this, words, index);
  return index % 2 ? word ^ encodeBits(*this, words, index - 1) : word;
}

/// A missing second word is 0.
SmallVector<Value> PairsLayoutAttr::packVectors(ImplicitLocOpBuilder &b,
                                                ValueRange, ValueRange words,
                                                int64_t) const {
  SmallVector<Value> pairs;
  for (size_t i = 0; i < words.size(); i += 2) {
    Value first = words[i];
    pairs.push_back(first);
    pairs.push_back(i + 1 < words.size()
                        ? arith::XOrIOp::create(b, first, words[i + 1])
                        : first);
  }
  return pairs;
}

Value PairsLayoutAttr::packTensor(ImplicitLocOpBuilder &b, Value bits,
                                  Value init) const {
  Value words = packBits(*this, b, bits, init);
  auto type = cast<RankedTensorType>(words.getType());
  int64_t rank = type.getRank();
  Value empty =
      tensor::EmptyOp::create(b, tensor::getMixedSizes(b, b.getLoc(), words),
                              type.getElementType(), type.getEncoding());
  AffineMap each = b.getMultiDimIdentityMap(rank);
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, empty.getType(), words, empty, {each, each}, loops,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               linalg::YieldOp::create(
                   b, loc, createPair(b, loc, words, args.front(), rank));
             })
      .getResult(0);
}
