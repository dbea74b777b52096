//===- PackedConv2D.cpp - Convolutions of packed words --------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolutions are peeled by border classes: the taps of each region are all
// inside the image, and K is the region's own.
//
//===----------------------------------------------------------------------===//

#include "BorderRegions.h"
#include "Conversion/Common/GenericBuilder.h"
#include "PackedGroups.h"
#include "PackedProducts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;

namespace {
/// A convolution of words, region by region.
class Conv2DLowering {
public:
  Conv2DLowering(ImplicitLocOpBuilder &b, Conv2DOp op,
                 const LoweredValue &input, const LoweredValue &filter);

  /// The dots of all regions, one tensor for each pair of scalars.
  SmallVector<Value> createAllDots();

  SmallVector<OpFoldResult> sizes; // Of the result.

private:
  void padImage();
  Value createOnes(Value words);
  SmallVector<Value> createBorderRegion(const BorderClass &h,
                                        const BorderClass &w);
  Value sliceFilter(Value words, const BorderClass &h, const BorderClass &w);
  SmallVector<Value> createPadDots(const BorderClass &h, const BorderClass &w);

  ImplicitLocOpBuilder &b;
  Conv2DOp op;
  int64_t channels, filters; // `channels` of a group.
  std::array<Window, 2> windows;
  PackedOperands operands;
  GroupAddressing addressing;
  /// The filter's planes as products take them; `operands` has their words.
  SmallVector<PlaneOperand> taps;
  bool depthwise, filtersLast;
};
} // namespace

Conv2DLowering::Conv2DLowering(ImplicitLocOpBuilder &b, Conv2DOp op,
                               const LoweredValue &input,
                               const LoweredValue &filter)
    : b(b), op(op), channels(filter.type.getShape().back()),
      filters(filter.type.getDimSize(0)),
      operands{getPlaneOperands(input),    getPlaneOperands(filter),   {}, {},
               input.type.getNumScalars(), filter.type.getNumScalars()},
      addressing(layOutImage(b, op, operands.lhs)), taps(operands.rhs),
      depthwise(isDepthwise(op)), filtersLast(hasFiltersLast(op)) {
  sizes.push_back(tensor::getMixedSize(b, b.getLoc(), input.planes.front(), 0));
  for (int64_t size : op.getType().getShape().drop_front())
    sizes.push_back(b.getIndexAttr(size));
  for (int d = 0; d < 2; ++d)
    windows[d] = {input.type.getDimSize(d + 1), filter.type.getDimSize(d + 1),
                  op.getStrides()[d], op.getDilations()[d],
                  op.getPads()[2 * d]};
  // A padded 1 is no zero of a mask; the words of groups have other shapes.
  if (op.getPadValue() == 0 && op.getGroups() == 1)
    padImage();
  layOutFilter(b, op, taps);
}

/// Pads the image in the dimensions where peeling would make too many regions:
/// zeros of a mask that all planes share, or of that which they have.
void Conv2DLowering::padImage() {
  std::array<int64_t, 4> pads =
      choosePads(windows, op.getType().getShape().slice(1, 2), op.getPads());
  if (llvm::all_of(pads, [](int64_t pad) { return pad == 0; }))
    return;
  auto pad = [&](Value words) {
    return createPad(b, words, pads, b.getI32IntegerAttr(0));
  };
  Value ones;
  for (PlaneOperand &plane : operands.lhs) {
    if (!plane.mask && !ones)
      ones = pad(createOnes(plane.sign));
    plane.mask = plane.mask ? pad(plane.mask) : ones;
    plane.sign = pad(plane.sign);
  }
}

/// A mask of the shape of `words`, all channels set.
Value Conv2DLowering::createOnes(Value words) {
  int64_t size = cast<RankedTensorType>(words.getType()).getDimSize(3);
  int64_t left = channels;
  SmallVector<uint32_t> row;
  for (int64_t i = 0; i < size; ++i, left -= kWordBits)
    row.push_back(left >= kWordBits ? ~uint32_t(0) : (uint32_t(1) << left) - 1);
  Inputs inputs;
  inputs.add(
      createConstant(b, RankedTensorType::get({size}, b.getI32Type()), row),
      getLoopMap(b.getContext(), 4, {3}));
  return createElementwise(b, tensor::getMixedSizes(b, b.getLoc(), words),
                           b.getI32Type(), inputs,
                           [](OpBuilder &, Location, ValueRange args) {
                             return SmallVector<Value>{args.front()};
                           })
      .front();
}

Value Conv2DLowering::sliceFilter(Value value, const BorderClass &h,
                                  const BorderClass &w) {
  return createSlice(b, value, {0, h.tapBegin, w.tapBegin, 0},
                     {filters, h.getTaps(), w.getTaps(), addressing.words});
}

/// What the padded taps of a region add to the dots with each plane of the
/// filter, where they hold +1: the sum of the filter's signs at these taps,
/// 2 popcount(sign) less the number of signs.
SmallVector<Value> Conv2DLowering::createPadDots(const BorderClass &h,
                                                 const BorderClass &w) {
  int64_t inside = h.getTaps() * w.getTaps();
  int64_t padded = windows[0].taps * windows[1].taps - inside;
  if (op.getPadValue() == 0 || padded == 0)
    return {};
  // The popcount over all taps less that over the ones inside.
  auto count = [&](Value value) {
    Value all = createBitCount(b, value, 1);
    if (inside == 0)
      return all;
    Value some = createBitCount(b, sliceFilter(value, h, w), 1);
    return createLinear(b, 0, {{1, all}, {-1, some}});
  };
  SmallVector<Value> dots;
  for (const PlaneOperand &plane : operands.rhs) {
    if (plane.mask)
      dots.push_back(createLinear(
          b, 0, {{2, count(plane.sign)}, {-1, count(plane.mask)}}));
    else
      dots.push_back(
          createLinear(b, -padded * channels, {{2, count(plane.sign)}}));
  }
  return dots;
}

SmallVector<Value> Conv2DLowering::createBorderRegion(const BorderClass &h,
                                                      const BorderClass &w) {
  ProductLoops loops;
  loops.sizes = getBorderRegionSizes(b, sizes, h, w);
  loops.lhsLoops = {0, 1, 2};
  loops.rhsLoops = {3};
  loops.bits = h.getTaps() * w.getTaps() * channels;
  PackedOperands region = operands;
  region.added = createPadDots(h, w);

  if (loops.bits == 0) {
    // Nothing but padding: an input with pad_value 1 has one plane.
    SmallVector<Type> elements(operands.lhsScalars * operands.rhsScalars,
                               b.getI32Type());
    Inputs inputs;
    for (Value dot : region.added)
      inputs.add(dot, getLoopMap(b.getContext(), 4, {3}));
    return createElementwise(
        b, loops.sizes, elements, inputs,
        [&](OpBuilder &b, Location loc, ValueRange args) {
          SmallVector<Value> sums(elements.size(), createI32(b, loc, 0));
          if (region.added.empty())
            return sums;
          for (auto [j, plane] : llvm::enumerate(operands.rhs)) {
            Value dot = arith::MulIOp::create(b, loc, args[j],
                                              createI32(b, loc, plane.factor));
            sums[plane.scalar] =
                arith::AddIOp::create(b, loc, sums[plane.scalar], dot);
          }
          return sums;
        });
  }

  // n, oh, ow, oc; kh, kw, words.
  loops.window = {h.getTaps(), w.getTaps()};
  loops.groups = addressing;
  loops.bytes = depthwise;
  SmallVector<AffineExpr> d(7);
  bindDimsList(b.getContext(), MutableArrayRef(d));
  AffineExpr word = d[6];
  SmallVector<AffineExpr> filter{d[3], d[4], d[5], d[6]};
  if (filtersLast)
    filter = {d[4], d[5], d[6], d[3]};
  if (depthwise) {
    word = d[3];
    filter = {d[4], d[5], d[3]};
  } else if (addressing.block) {
    AffineExpr first = d[3].floorDiv(addressing.block);
    word = addressing.words == 1 ? first : first * addressing.words + d[6];
  }
  int64_t count = depthwise ? 6 : 7;
  loops.lhs = AffineMap::get(
      count, 0,
      {d[0], d[1] * windows[0].stride + d[4] * windows[0].dilation,
       d[2] * windows[1].stride + d[5] * windows[1].dilation, word},
      b.getContext());
  loops.rhs = AffineMap::get(count, 0, filter, b.getContext());

  auto sliceInput = [&](Value value) {
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(value.getType()).getShape();
    return createSlice(
        b, value,
        {0, h.getPosition(windows[0], h.tapBegin),
         w.getPosition(windows[1], w.tapBegin), 0},
        {shape[0], h.getExtent(windows[0]), w.getExtent(windows[1]), shape[3]});
  };
  for (PlaneOperand &plane : region.lhs) {
    plane.sign = sliceInput(plane.sign);
    if (plane.mask)
      plane.mask = sliceInput(plane.mask);
  }
  // Of a slice that is a constant where the filter is.
  for (const PlaneOperand &plane : operands.rhs)
    region.rhsMaskCounts.push_back(
        plane.mask ? createBitCount(b, sliceFilter(plane.mask, h, w), 1)
                   : Value());
  region.rhs = taps;
  int64_t window = filtersLast ? 0 : 1;
  for (PlaneOperand &plane : region.rhs) {
    plane.sign = createTaps(b, plane.sign, window, h, w);
    if (plane.mask)
      plane.mask = createTaps(b, plane.mask, window, h, w);
  }
  return createDots(b, loops, region);
}

SmallVector<Value> Conv2DLowering::createAllDots() {
  ArrayRef<int64_t> shape = op.getType().getShape();
  SmallVector<BorderClass> rows = getBorderClasses(windows[0], shape[1]);
  SmallVector<BorderClass> columns = getBorderClasses(windows[1], shape[2]);
  return assembleBorderRegions(b, sizes, rows, columns,
                               [&](const BorderClass &h, const BorderClass &w) {
                                 return createBorderRegion(h, w);
                               });
}

Value bquant::createConv2DOfWords(ImplicitLocOpBuilder &b, Conv2DOp op,
                                  const LoweredValue &input,
                                  const LoweredValue &filter) {
  Conv2DLowering lowering(b, op, input, filter);
  SmallVector<Value> dots = lowering.createAllDots();
  std::optional<BroadcastTensor> start;
  if (input.offset)
    start = createConv2DOffset(b, op, lowering.sizes, input, filter);
  return createResult(b, op.getType(), lowering.sizes, dots, input, filter,
                      start ? &*start : nullptr);
}
