//===- Words.cpp - A bit a channel in i32 words ---------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowPieces.h"
#include "bquant/Dialect/Packed/IR/Packed.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;

/// Channel c is bit c mod 32 of word c div 32.
int64_t WordsLayoutAttr::getChannels() const { return kWordBits; }
Type WordsLayoutAttr::getElementType() const {
  return IntegerType::get(getContext(), kWordBits);
}

/// That of a channel, in the body of a loop nest over channels.
static Value createBit(OpBuilder &b, Location loc, Value words, int64_t rank) {
  SmallVector<Value> at;
  for (int64_t d = 0; d < rank; ++d)
    at.push_back(linalg::IndexOp::create(b, loc, d));
  Value c32 = arith::ConstantIndexOp::create(b, loc, kWordBits);
  Value bit = arith::RemUIOp::create(b, loc, at.back(), c32);
  bit = arith::IndexCastOp::create(b, loc, b.getI32Type(), bit);
  at.back() = arith::DivUIOp::create(b, loc, at.back(), c32);
  Value word = tensor::ExtractOp::create(b, loc, words, at);
  word = arith::ShRUIOp::create(b, loc, word, bit);
  return arith::TruncIOp::create(b, loc, b.getI1Type(), word);
}

SmallVector<Value> WordsLayoutAttr::packVectors(ImplicitLocOpBuilder &,
                                                ValueRange, ValueRange words,
                                                int64_t) const {
  return words;
}

bool WordsLayoutAttr::canUnpack() const { return true; }

SmallVector<Value> WordsLayoutAttr::unpackVectors(ImplicitLocOpBuilder &b,
                                                  ValueRange words,
                                                  int64_t channels) const {
  auto bits = llvm::map_to_vector(
      words, [&](Value word) { return toBits(b, b.getLoc(), word); });
  return cut(b, b.getLoc(), bits, channels);
}

Value WordsLayoutAttr::unpackTensor(ImplicitLocOpBuilder &b, Value words,
                                    Value init) const {
  int64_t rank = cast<RankedTensorType>(init.getType()).getRank();
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, init.getType(), ValueRange(), init,
             b.getMultiDimIdentityMap(rank), loops,
             [&](OpBuilder &b, Location loc, ValueRange) {
               linalg::YieldOp::create(b, loc, createBit(b, loc, words, rank));
             })
      .getResult(0);
}
