//===- Layout.cpp - What most layouts have in common ----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/Packed/IR/Packed.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;

#include "bquant/Dialect/Packed/IR/LayoutInterface.cpp.inc"

uint32_t packed::encodeBits(LayoutAttrInterface layout,
                            ArrayRef<uint32_t> words, int64_t index) {
  int64_t channels = layout.getChannels(), first = index * channels,
          at = first / kWordBits;
  uint32_t word = at < int64_t(words.size()) ? words[at] : 0;
  return (word >> first % kWordBits &
          llvm::maskTrailingOnes<uint32_t>(channels))
         << layout.getFirstBit();
}

/// The last dimension is split into elements and their channels, and the
/// shifted bits of each element are or-ed.
Value packed::packBits(LayoutAttrInterface layout, ImplicitLocOpBuilder &b,
                       Value bits, Value init) {
  auto type = cast<RankedTensorType>(bits.getType());
  int64_t rank = type.getRank();
  int64_t channels = layout.getChannels(), firstBit = layout.getFirstBit();
  Type element = layout.getElementType();
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), init);
  sizes.push_back(b.getIndexAttr(channels));
  if (ShapedType::isStatic(shape.back()))
    shape.back() /= channels;
  shape.push_back(channels);
  SmallVector<ReassociationIndices> groups;
  for (int64_t d = 0; d < rank; ++d)
    groups.push_back({d});
  groups.back().push_back(rank);
  bits =
      tensor::ExpandShapeOp::create(b, type.clone(shape), bits, groups, sizes);

  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(element));
  init = linalg::FillOp::create(b, zero, init).getResult(0);
  AffineMap in = b.getMultiDimIdentityMap(rank + 1);
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  loops.push_back(utils::IteratorType::reduction);
  return linalg::GenericOp::create(
             b, init.getType(), bits, init, {in, in.getMajorSubMap(rank)},
             loops,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               Value bit = arith::ExtUIOp::create(b, loc, element, args[0]);
               Value at = linalg::IndexOp::create(b, loc, rank);
               Value by = arith::IndexCastOp::create(b, loc, element, at);
               if (firstBit != 0)
                 by = arith::AddIOp::create(
                     b, loc, by,
                     arith::ConstantOp::create(
                         b, loc, b.getIntegerAttr(element, firstBit)));
               Value shifted = arith::ShLIOp::create(b, loc, bit, by);
               Value packed = arith::OrIOp::create(b, loc, args[1], shifted);
               linalg::YieldOp::create(b, loc, packed);
             })
      .getResult(0);
}

Value packed::emitBits(LayoutAttrInterface layout, OpBuilder &b, Location loc,
                       Value word, Value first) {
  if (layout.getElementType() == word.getType())
    return word;
  auto mask = llvm::maskTrailingOnes<uint32_t>(layout.getChannels());
  Value bits = arith::ShRUIOp::create(b, loc, word, first);
  bits = arith::AndIOp::create(
      b, loc, bits,
      arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(int32_t(mask))));
  if (int64_t at = layout.getFirstBit())
    bits = arith::ShLIOp::create(
        b, loc, bits,
        arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(at)));
  return arith::TruncIOp::create(b, loc, layout.getElementType(), bits);
}

LogicalResult
packed::verifyElementType(Type expected, Type elementType,
                          function_ref<InFlightDiagnostic()> emitError) {
  if (elementType == expected)
    return success();
  return emitError() << "[layout_c7] expected elements of " << expected
                     << ", but got " << elementType;
}

RankedTensorType packed::getPackedType(LayoutAttrInterface layout,
                                       ArrayRef<int64_t> shape) {
  SmallVector<int64_t> packed(shape);
  if (!ShapedType::isDynamic(packed.back()))
    packed.back() = layout.countElements(packed.back());
  return RankedTensorType::get(packed, layout.getElementType(), layout);
}

LayoutAttrInterface packed::getLayoutOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_if_present<LayoutAttrInterface>(tensor.getEncoding())
                : LayoutAttrInterface();
}
