//===- PackedGroups.cpp - How the words of groups lie ---------------------===//
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
// - C a divisor of 32: 32 / C groups share a word, and a mask takes the bits of
//   one. The filters' bits lie where those of their group do, so that a word
//   holds one filter of each group that shares it.
// - Else the image is packed anew, each group to whole words.
//
// With one channel and one filter a group (depthwise) words would count one bit
// each: the bits become bytes, which a vector adds up for 64 channels at once.
//
// Constants keep one bit a weight. What a product reads instead, a word or a
// byte for each filter, a call computes from them in front of the layer:
//
//   %shared = arith.constant : tensor<kh x kw x 1 x G x block x i32>
//   %words = linalg.generic ins(%shared)
//       : tensor<kh x kw x 1 x G x (32 / C) x block x i32>
//
//   %bits = arith.constant : tensor<kh x kw x (channels / 32) x i32>
//   %bytes = bquant.unpack %bits, arith.extui : tensor<kh x kw x channels x i8>
//
//===----------------------------------------------------------------------===//

#include "PackedGroups.h"
#include "Conversion/Common/GenericBuilder.h"
#include "FilterWords.h"
#include "PackedWords.h"
#include "Support/Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;

namespace {
/// Filters whose groups share words.
class SharedWords {
public:
  SharedWords(ImplicitLocOpBuilder &b, Conv2DOp op)
      : b(b), type(getFilterWords(op)),
        filters(op.getFilter().getType().getDimSize(0)),
        channels(op.getFilter().getType().getDimSize(3)),
        words(type.getDimSize(3)), shared(kWordBits / channels),
        block(type.getDimSize(4)) {
    for (int64_t i = 0; i < shared; ++i)
      amounts.push_back(i * channels);
    uint32_t first = (1u << channels) - 1;
    for (uint32_t amount : amounts)
      masks.push_back(first << amount);
  }

  /// The words of filters x H x W x 1 where their groups lie, the filters last.
  /// Of a mask no other bits.
  Value layOut(Value plane, bool isMask);

  /// The bits of each filter.
  Value createGroupMask() { return createAlongFilters(masks); }

private:
  /// `values[place in the word]` of each filter.
  Value createAlongFilters(ArrayRef<uint32_t> values);
  /// The first filters of a tensor of words x shared x block.
  Value joinFilters(Value value);

  ImplicitLocOpBuilder &b;
  RankedTensorType type; // Of the constant.
  int64_t filters, channels;
  /// Words, groups of a word, filters of a group.
  int64_t words, shared, block;
  SmallVector<uint32_t> amounts, masks;
};
} // namespace

Value SharedWords::joinFilters(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t first = type.getRank() - 3;
  SmallVector<ReassociationIndices> joined;
  for (int64_t i = 0; i <= first; ++i)
    joined.push_back({i});
  joined.back() = {first, first + 1, first + 2};
  SmallVector<int64_t> shape(type.getShape().take_front(first));
  shape.push_back(words * shared * block);
  value = tensor::CollapseShapeOp::create(b, type.clone(shape), value, joined);
  shape.back() = filters;
  return createSlice(b, value, SmallVector<int64_t>(first + 1, 0), shape);
}

Value SharedWords::createAlongFilters(ArrayRef<uint32_t> values) {
  Inputs inputs;
  inputs.add(createConstant(b, RankedTensorType::get({shared}, b.getI32Type()),
                            values),
             getLoopMap(b.getContext(), 3, {1}));
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(b.getContext(), {words, shared, block});
  return joinFilters(
      createElementwise(b, sizes, b.getI32Type(), inputs,
                        [](OpBuilder &, Location, ValueRange args) {
                          return SmallVector<Value>{args.front()};
                        })
          .front());
}

Value SharedWords::layOut(Value plane, bool isMask) {
  MLIRContext *context = b.getContext();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(plane.getType()).getShape();
  std::optional<SmallVector<uint32_t>> bits = getConstantBits(plane);
  Inputs inputs;
  if (!bits) {
    inputs.add(plane, getLoopMap(context, 4, {3, 0, 1, 2}));
    inputs.add(createAlongFilters(amounts), getLoopMap(context, 4, {3}));
    return createElementwise(b,
                             getAsIndexOpFoldResult(
                                 context, {shape[1], shape[2], 1, filters}),
                             b.getI32Type(), inputs,
                             [](OpBuilder &b, Location loc, ValueRange args) {
                               return SmallVector<Value>{arith::ShLIOp::create(
                                   b, loc, args[0], args[1])};
                             })
        .front();
  }

  int64_t taps = shape[1] * shape[2];
  SmallVector<uint32_t> joined(taps * words * block, 0);
  for (int64_t o = 0; o < filters; ++o) {
    int64_t group = o / block, word = group / shared * block + o % block;
    for (int64_t tap = 0; tap < taps; ++tap)
      joined[tap * words * block + word] |= (*bits)[o * taps + tap]
                                            << amounts[group % shared];
  }
  inputs.add(createConstant(b, type, joined),
             getLoopMap(context, 6, {0, 1, 2, 3, 5}));
  if (isMask)
    inputs.add(createConstant(
                   b, RankedTensorType::get({shared}, b.getI32Type()), masks),
               getLoopMap(context, 6, {4}));
  return joinFilters(
      createElementwise(b,
                        getAsIndexOpFoldResult(context, {shape[1], shape[2], 1,
                                                         words, shared, block}),
                        b.getI32Type(), inputs,
                        [&](OpBuilder &b, Location loc, ValueRange args) {
                          if (!isMask)
                            return SmallVector<Value>{args.front()};
                          return SmallVector<Value>{
                              arith::AndIOp::create(b, loc, args[0], args[1])};
                        })
          .front());
}

/// Each element of tensors of one shape by `Cast`. One op for all planes of a
/// value, so that they stay together.
template <typename Cast>
static SmallVector<Value> createCasts(ImplicitLocOpBuilder &b,
                                      ArrayRef<Value> tensors, Type type) {
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), tensors.front());
  Inputs inputs;
  for (Value tensor : tensors)
    inputs.add(tensor, b.getMultiDimIdentityMap(sizes.size()));
  return createElementwise(
      b, sizes, SmallVector<Type>(tensors.size(), type), inputs,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        SmallVector<Value> results;
        for (Value arg : args.take_front(tensors.size()))
          results.push_back(Cast::create(b, loc, type, arg));
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
  for (size_t i = 0; i < bits.size(); ++i)
    packed.push_back(
        tensor::EmptyOp::create(b, sizesOf({groups, each}), b.getI32Type()));
  auto pack = PackOp::create(b, TypeRange(ValueRange(packed)), Layout::words,
                             bits, packed);
  packed.clear();
  for (Value plane : pack.getResults())
    packed.push_back(tensor::CollapseShapeOp::create(
        b, RankedTensorType::get(shapeOf({groups * each}), b.getI32Type()),
        plane, split));
  return packed;
}

bool bquant::isDepthwise(Conv2DOp op) {
  ArrayRef<int64_t> filter = op.getFilter().getType().getShape();
  return op.getGroups() > 1 && filter[0] == int64_t(op.getGroups()) &&
         filter[3] == 1;
}

/// The words of filters x H x W x 1 as bytes H x W x filters.
static Value createFilterBytes(ImplicitLocOpBuilder &b, Conv2DOp op,
                               Value words) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(words.getType()).getShape();
  int64_t channels = shape[0], taps = shape[1] * shape[2];
  if (std::optional<SmallVector<uint32_t>> bits = getConstantBits(words)) {
    RankedTensorType type = getFilterWords(op);
    int64_t row = type.getDimSize(2);
    SmallVector<uint32_t> joined(taps * row, 0);
    for (auto [i, word] : llvm::enumerate(*bits)) {
      int64_t channel = i / taps, tap = i % taps;
      joined[tap * row + channel / kWordBits] |= word << channel % kWordBits;
    }
    return createBytes(b, createConstant(b, type, joined), channels).front();
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

bool bquant::sharesWords(Conv2DOp op) {
  int64_t channels = op.getFilter().getType().getDimSize(3);
  return op.getGroups() > 1 && !isDepthwise(op) && channels % kWordBits != 0 &&
         kWordBits % channels == 0;
}

bool bquant::hasFiltersLast(Conv2DOp op) {
  return isDepthwise(op) || sharesWords(op);
}

GroupAddressing bquant::layOutImage(ImplicitLocOpBuilder &b, Conv2DOp op,
                                    MutableArrayRef<PlaneOperand> planes) {
  SBTensorType filter = op.getFilter().getType();
  int64_t filters = filter.getDimSize(0), channels = filter.getDimSize(3);
  int64_t groups = op.getGroups();
  GroupAddressing result{int64_t(llvm::divideCeil(channels, kWordBits)), 0};
  if (groups == 1)
    return result;
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
  if (isDepthwise(op)) {
    convert(
        [&](ArrayRef<Value> words) { return createBytes(b, words, filters); });
    return result;
  }
  result.block = filters / groups;
  if (channels % kWordBits == 0)
    return result;

  if (sharesWords(op)) {
    // One word for all groups in it.
    int64_t shared = kWordBits / channels;
    remarks::missed(op, "groups-share-words",
                    "groups of " + Twine(channels) +
                        " channels: " + Twine(shared) +
                        " of them share a word, each counts it");
    result.block = shared >= groups ? 0 : result.block * shared;
    return result;
  }

  remarks::missed(op, "groups-repacked",
                  "groups of " + Twine(channels) +
                      " channels are no whole words: packed anew, each to " +
                      Twine(result.words));
  convert([&](ArrayRef<Value> words) {
    return createRepack(b, words, groups, channels);
  });
  return result;
}

void bquant::layOutFilter(ImplicitLocOpBuilder &b, Conv2DOp op,
                          MutableArrayRef<PlaneOperand> planes) {
  if (isDepthwise(op)) {
    for (PlaneOperand &plane : planes) {
      plane.sign = createFilterBytes(b, op, plane.sign);
      if (plane.mask)
        plane.mask = createFilterBytes(b, op, plane.mask);
    }
  } else if (sharesWords(op)) {
    SharedWords words(b, op);
    Value groupMask;
    for (PlaneOperand &plane : planes) {
      plane.sign = words.layOut(plane.sign, /*isMask=*/false);
      if (plane.mask)
        plane.mask = words.layOut(plane.mask, /*isMask=*/true);
      else
        plane.groupMask = groupMask =
            groupMask ? groupMask : words.createGroupMask();
    }
  }
}
