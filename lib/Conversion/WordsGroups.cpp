//===- WordsGroups.cpp - How the words of groups lie ----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words of a filter are those of its group. With C channels a group:
//
// - C a multiple of 32: a group's words are a slice of the image's.
// - C a divisor of 32: 32 / C groups share a word. The bits of a filter move to
//   where its group lies, and a mask takes them alone.
// - Else the image is packed anew, each group to whole words.
//
// With one channel and one filter a group (depthwise) words would count one bit
// each: the bits become bytes, which a vector adds up for 64 channels at once.
//
//===----------------------------------------------------------------------===//

#include "WordsGroups.h"
#include "Builders.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;

/// `words << amounts`, an amount for each filter.
static Value createShift(ImplicitLocOpBuilder &b, Value words,
                         ArrayRef<uint32_t> amounts) {
  auto type = cast<RankedTensorType>(words.getType());
  if (std::optional<SmallVector<uint32_t>> bits = getConstantBits(words)) {
    size_t each = bits->size() / amounts.size();
    for (auto [i, word] : llvm::enumerate(*bits))
      word <<= amounts[i / each];
    return createConstant(b, type, *bits);
  }
  Value shift = createConstant(
      b, RankedTensorType::get(amounts.size(), b.getI32Type()), amounts);
  Inputs inputs;
  inputs.add(words, b.getMultiDimIdentityMap(type.getRank()));
  inputs.add(shift, getLoopMap(b.getContext(), type.getRank(), {0}));
  return createElementwise(b, tensor::getMixedSizes(b, b.getLoc(), words),
                           b.getI32Type(), inputs,
                           [](OpBuilder &b, Location loc, ValueRange args) {
                             return SmallVector<Value>{arith::ShLIOp::create(
                                 b, loc, args[0], args[1])};
                           })
      .front();
}

/// N x H x W x words of all channels to N x H x W x (groups of whole words).
static Value createRepack(ImplicitLocOpBuilder &b, Value words, int64_t groups,
                          int64_t channels) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), words);
  auto type = cast<RankedTensorType>(words.getType());
  auto shapeOf = [&](ArrayRef<int64_t> tail) {
    SmallVector<int64_t> shape(type.getShape().drop_back());
    llvm::append_range(shape, tail);
    return shape;
  };
  auto sizesOf = [&](ArrayRef<int64_t> tail) {
    SmallVector<OpFoldResult> all(ArrayRef(sizes).drop_back());
    for (int64_t size : tail)
      all.push_back(b.getIndexAttr(size));
    return all;
  };
  SmallVector<ReassociationIndices> split{{0}, {1}, {2}, {3, 4}};

  Value bits =
      tensor::EmptyOp::create(b, sizesOf({groups * channels}), b.getI1Type());
  bits = UnpackOp::create(b, bits.getType(), Layout::words, words, bits)
             .getResult(0);
  bits = tensor::ExpandShapeOp::create(
      b, RankedTensorType::get(shapeOf({groups, channels}), b.getI1Type()),
      bits, split, sizesOf({groups, channels}));
  int64_t each = llvm::divideCeil(channels, kWordBits);
  Value packed =
      tensor::EmptyOp::create(b, sizesOf({groups, each}), b.getI32Type());
  packed = PackOp::create(b, packed.getType(), Layout::words, bits, packed)
               .getResult(0);
  return tensor::CollapseShapeOp::create(
      b, RankedTensorType::get(shapeOf({groups * each}), b.getI32Type()),
      packed, split);
}

bool bquant::isDepthwise(Conv2DOp op) {
  ArrayRef<int64_t> filter = op.getFilter().getType().getShape();
  return op.getGroups() > 1 && filter[0] == int64_t(op.getGroups()) &&
         filter[3] == 1;
}

Value bquant::createImageBytes(ImplicitLocOpBuilder &b, Value words,
                               int64_t channels) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), words);
  sizes.back() = b.getIndexAttr(channels);
  Value bits = tensor::EmptyOp::create(b, sizes, b.getI1Type());
  bits = UnpackOp::create(b, bits.getType(), Layout::words, words, bits)
             .getResult(0);
  Inputs inputs;
  inputs.add(bits, b.getMultiDimIdentityMap(sizes.size()));
  return createElementwise(b, sizes, b.getI8Type(), inputs,
                           [](OpBuilder &b, Location loc, ValueRange args) {
                             return SmallVector<Value>{arith::ExtUIOp::create(
                                 b, loc, b.getI8Type(), args[0])};
                           })
      .front();
}

Value bquant::createFilterBytes(ImplicitLocOpBuilder &b, Value words) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(words.getType()).getShape();
  int64_t channels = shape[0], taps = shape[1] * shape[2];
  if (std::optional<SmallVector<uint32_t>> bits = getConstantBits(words)) {
    SmallVector<int8_t> bytes(bits->size());
    for (auto [i, word] : llvm::enumerate(*bits))
      bytes[i % taps * channels + i / taps] = int8_t(word);
    auto type =
        RankedTensorType::get({shape[1], shape[2], channels}, b.getI8Type());
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(type, ArrayRef<int8_t>(bytes)));
  }
  AffineExpr i, j, c;
  bindDims(b.getContext(), i, j, c);
  Inputs inputs;
  inputs.add(words, AffineMap::get(3, 0, {c, i, j, b.getAffineConstantExpr(0)},
                                   b.getContext()));
  SmallVector<OpFoldResult> sizes{b.getIndexAttr(shape[1]),
                                  b.getIndexAttr(shape[2]),
                                  b.getIndexAttr(channels)};
  return createElementwise(b, sizes, b.getI8Type(), inputs,
                           [](OpBuilder &b, Location loc, ValueRange args) {
                             return SmallVector<Value>{arith::TruncIOp::create(
                                 b, loc, b.getI8Type(), args[0])};
                           })
      .front();
}

GroupedWords bquant::layOutGroups(ImplicitLocOpBuilder &b, Conv2DOp op,
                                  MutableArrayRef<Term> lhs,
                                  MutableArrayRef<Term> rhs) {
  SBTensorType filter = op.getFilter().getType();
  int64_t filters = filter.getDimSize(0), channels = filter.getDimSize(3);
  int64_t groups = op.getGroups();
  GroupedWords result{int64_t(llvm::divideCeil(channels, kWordBits)), 0};
  if (groups == 1 || isDepthwise(op))
    return result;
  result.block = filters / groups;
  if (channels % kWordBits == 0)
    return result;

  if (kWordBits % channels == 0) {
    // One word for all groups in it.
    int64_t shared = kWordBits / channels;
    remarkMissed(op, "GroupsShareWords",
                 "groups of " + Twine(channels) + " channels: " +
                     Twine(shared) + " of them share a word, each counts it");
    SmallVector<uint32_t> amounts, parts;
    for (int64_t o = 0; o < filters; ++o) {
      amounts.push_back(o / result.block % shared * channels);
      parts.push_back(((uint32_t(1) << channels) - 1) << amounts.back());
    }
    Value part = createConstant(
        b, RankedTensorType::get({filters, 1}, b.getI32Type()), parts);
    for (Term &term : rhs) {
      term.sign = createShift(b, term.sign, amounts);
      if (term.mask)
        term.mask = createShift(b, term.mask, amounts);
      else
        term.part = part;
    }
    result.block = shared >= groups ? 0 : result.block * shared;
    return result;
  }

  remarkMissed(op, "GroupsRepacked",
               "groups of " + Twine(channels) +
                   " channels are no whole words: packed anew, each to " +
                   Twine(result.words));
  for (Term &term : lhs) {
    term.sign = createRepack(b, term.sign, groups, channels);
    if (term.mask)
      term.mask = createRepack(b, term.mask, groups, channels);
  }
  return result;
}
