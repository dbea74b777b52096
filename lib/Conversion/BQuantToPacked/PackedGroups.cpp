//===- PackedGroups.cpp - How the words of groups lie ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The elements of a filter are those of its group. With C channels a group and
// elements of e:
//
// - C a multiple of e: a group's elements are a slice of the image's.
// - C a divisor of e: e / C groups share an element, and a mask takes the bits
//   of one. The filters' bits lie where those of their group do.
// - Else the image is packed anew, each group to whole words.
//
// With one channel and one filter a group (depthwise) the bits become bytes,
// which a vector adds up for as many channels at once.
//
//===----------------------------------------------------------------------===//

#include "PackedGroups.h"
#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "PackedWords.h"
#include "Support/Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;

/// Each element of tensors of one shape by `Cast`. One op for all planes of a
/// value, so that they stay together.
template <typename Cast>
static SmallVector<Value> createCasts(ImplicitLocOpBuilder &b,
                                      ArrayRef<Value> tensors, Type type) {
  return createElementwise(b, SmallVector<Type>(tensors.size(), type), tensors,
                           [&](OpBuilder &b, Location loc, ValueRange args) {
                             SmallVector<Value> results;
                             for (Value arg : args.take_front(tensors.size()))
                               results.push_back(
                                   Cast::create(b, loc, type, arg));
                             return results;
                           });
}

/// The bits of words along the last dimension as bytes, `channels` of them.
/// Bytes stay vectors in memory, bits do not.
static SmallVector<Value> createBytes(ImplicitLocOpBuilder &b, ValueRange words,
                                      int64_t channels) {
  SmallVector<Value> bits = createUnpack(b, words, channels);
  return createCasts<arith::ExtUIOp>(b, bits, b.getI8Type());
}

/// N x H x W x words of all channels to N x H x W x (groups of whole words).
static SmallVector<Value> createRepack(ImplicitLocOpBuilder &b,
                                       ValueRange words, int64_t groups,
                                       int64_t channels) {
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), words.front());
  auto type = cast<RankedTensorType>(words.front().getType());
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

  SmallVector<Value> bits = createBytes(b, words, groups * channels);
  for (Value &plane : bits)
    plane = tensor::ExpandShapeOp::create(
        b, RankedTensorType::get(shapeOf({groups, channels}), b.getI8Type()),
        plane, split, sizesOf({groups, channels}));
  bits = createCasts<arith::TruncIOp>(b, bits, b.getI1Type());
  int64_t each = llvm::divideCeil(channels, kWordBits);
  SmallVector<Value> packed;
  auto pack = packed::PackOp::create(
      b, ArrayRef<LayoutAttrInterface>(WordsLayoutAttr::get(b.getContext())),
      bits);
  for (Value plane : pack.getResults())
    packed.push_back(tensor::CollapseShapeOp::create(
        b,
        cast<RankedTensorType>(plane.getType()).clone(shapeOf({groups * each})),
        plane, split));
  return packed;
}

bool bquant::sharesElements(Conv2DOp op, KernelAttrInterface kernel) {
  int64_t channels = op.getFilter().getType().getDimSize(3),
          bits = kernel.getLayout().getChannels();
  return op.getGroups() > 1 && !kernel.isDepthwise() && channels % bits != 0 &&
         bits % channels == 0;
}

void bquant::layOutImage(ImplicitLocOpBuilder &b, Conv2DOp op,
                         KernelAttrInterface kernel,
                         MutableArrayRef<PlaneOperand> planes) {
  int64_t channels = op.getFilter().getType().getDimSize(3),
          groups = op.getGroups(), bits = kernel.getLayout().getChannels();
  auto convert = [&](auto layOut) {
    llvm::SetVector<Value> words;
    for (const PlaneOperand &plane : planes) {
      words.insert(plane.sign);
      if (plane.mask)
        words.insert(plane.mask);
    }
    llvm::DenseMap<Value, Value> laidOut;
    for (auto [from, to] : llvm::zip_equal(words, layOut(words.getArrayRef())))
      laidOut[from] = to;
    for (PlaneOperand &plane : planes) {
      plane.sign = laidOut.lookup(plane.sign);
      if (plane.mask)
        plane.mask = laidOut.lookup(plane.mask);
    }
  };
  if (kernel.isDepthwise()) {
    int64_t lanes = kernel.getBlock();
    return convert([&](ArrayRef<Value> words) {
      int64_t aligned = llvm::alignTo(groups, lanes);
      SmallVector<Value> bytes = createBytes(b, words, aligned);
      for (Value &plane : bytes)
        plane = splitDimension(b, plane, 3, {aligned / lanes, lanes});
      return bytes;
    });
  }
  if (groups == 1 || channels % bits == 0)
    return;
  if (sharesElements(op, kernel)) {
    remarks::missed(
        op, "groups-share-words",
        "groups of " + Twine(channels) +
            " channels: " + Twine(bits / channels) + " of them share " +
            (bits == kWordBits ? "a word" : "an octet") + ", each counts it");
    return;
  }
  remarks::missed(op, "groups-repacked",
                  "groups of " + Twine(channels) +
                      " channels are no whole words: packed anew, each to " +
                      Twine(llvm::divideCeil(channels, bits)));
  convert([&](ArrayRef<Value> words) {
    return createRepack(b, words, groups, channels);
  });
}

void bquant::shiftIntoGroups(ImplicitLocOpBuilder &b, Conv2DOp op,
                             KernelAttrInterface kernel,
                             MutableArrayRef<PlaneOperand> planes) {
  SBTensorType type = op.getFilter().getType();
  int64_t filters = type.getDimSize(0), channels = type.getDimSize(3),
          shared = kernel.getLayout().getChannels() / channels,
          each = filters / op.getGroups();
  SmallVector<uint32_t> amounts, masks;
  for (int64_t o = 0; o < filters; ++o) {
    amounts.push_back(o / each % shared * channels);
    masks.push_back(((uint32_t(1) << channels) - 1) << amounts.back());
  }
  auto shift = [&](Value words) -> Value {
    auto plane = cast<RankedTensorType>(words.getType());
    if (std::optional<SmallVector<uint32_t>> bits = getConstantBits(words)) {
      for (auto [i, word] : llvm::enumerate(*bits))
        word <<= amounts[i / (bits->size() / filters)];
      return createFilter(b, plane, *bits);
    }
    Inputs inputs;
    inputs.add(words, b.getMultiDimIdentityMap(4));
    inputs.add(createConstant(b,
                              RankedTensorType::get({filters}, b.getI32Type()),
                              amounts),
               getLoopMap(b.getContext(), 4, {0}));
    return createElementwise(
        b, getAsIndexOpFoldResult(b.getContext(), plane.getShape()), plane,
        inputs, [](OpBuilder &b, Location loc, ValueRange args) {
          return arith::ShLIOp::create(b, loc, args[0], args[1]);
        });
  };
  Value ofGroups;
  for (PlaneOperand &plane : planes) {
    plane.sign = shift(plane.sign);
    if (plane.mask) {
      plane.mask = shift(plane.mask);
      continue;
    }
    if (!ofGroups)
      ofGroups = createFilter(
          b, RankedTensorType::get({filters, 1}, b.getI32Type()), masks);
    plane.mask = ofGroups;
  }
}
