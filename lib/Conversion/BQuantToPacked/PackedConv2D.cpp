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
#include "Conversion/Common/FilterBlocks.h"
#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "FilterLayout.h"
#include "PackedGroups.h"
#include "PackedProducts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;

namespace {
/// A convolution of packed planes, region by region.
class Conv2DLowering {
public:
  Conv2DLowering(ImplicitLocOpBuilder &b, Conv2DOp op,
                 KernelAttrInterface kernel, const LoweredValue &input,
                 const LoweredValue &filter);

  /// The dots of all regions, one tensor for each pair of scalars.
  SmallVector<Value> createAllDots();

  SmallVector<OpFoldResult> sizes; // Of the result.

private:
  void padImage();
  Value createOnes(Value packed);
  void layOutTaps();
  void setMaps();
  SmallVector<Value> createBorderRegion(const BorderClass &h,
                                        const BorderClass &w);
  SmallVector<Value> createPadding(ProductLoops &loops,
                                   const PackedOperands &region);
  Value sliceFilter(Value words, const BorderClass &h, const BorderClass &w);
  Value sliceImage(Value packed, const BorderClass &h, const BorderClass &w);
  Value sliceTaps(Value laidOut, const BorderClass &h, const BorderClass &w);
  SmallVector<Value> createPadDots(const BorderClass &h, const BorderClass &w);

  ImplicitLocOpBuilder &b;
  Conv2DOp op;
  KernelAttrInterface kernel;
  int64_t channels, filters; // `channels` of a group.
  int64_t elements = 0;      // Of a group at a tap; 0 where there is no loop.
  std::array<Window, 2> windows;
  /// The filter's planes as words, and as the kernel wants them.
  PackedOperands operands;
  SmallVector<PlaneOperand> taps;
  /// One loop goes over the taps of a row and their elements: the image's rows
  /// are collapsed, and the filter's.
  bool collapsed;
  int64_t block;
  AffineMap lhs, rhs, rhsMask;
};
} // namespace

Conv2DLowering::Conv2DLowering(ImplicitLocOpBuilder &b, Conv2DOp op,
                               KernelAttrInterface kernel,
                               const LoweredValue &input,
                               const LoweredValue &filter)
    : b(b), op(op), kernel(kernel), channels(filter.type.getShape().back()),
      filters(filter.type.getDimSize(0)),
      operands(getOperands(b, kernel, input, filter)), taps(operands.rhs) {
  sizes.push_back(tensor::getMixedSize(b, b.getLoc(), input.planes.front(), 0));
  for (int64_t size : op.getType().getShape().drop_front())
    sizes.push_back(b.getIndexAttr(size));
  for (int d = 0; d < 2; ++d)
    windows[d] = {input.type.getDimSize(d + 1), filter.type.getDimSize(d + 1),
                  op.getStrides()[d], op.getDilations()[d],
                  op.getPads()[2 * d]};
  if (!kernel.isDepthwise())
    elements = kernel.getLayout().countElements(channels);
  collapsed =
      op.getGroups() == 1 && (windows[1].dilation == 1 || windows[1].taps == 1);
  layOutImage(b, op, kernel, operands.lhs);
  // A padded 1 is no zero of a mask; the words of groups have other shapes.
  if (op.getPadValue() == 0 && op.getGroups() == 1)
    padImage();
  layOutTaps();
  setMaps();
  if (collapsed)
    for (PlaneOperand &plane : operands.lhs) {
      plane.sign = collapseTwo(b, plane.sign, 2);
      if (plane.mask)
        plane.mask = collapseTwo(b, plane.mask, 2);
    }
}

/// Pads the image in the dimensions where peeling would make too many regions:
/// zeros of a mask that all planes share, or of that which they have.
void Conv2DLowering::padImage() {
  std::array<int64_t, 4> pads =
      choosePads(windows, op.getType().getShape().slice(1, 2), op.getPads());
  if (llvm::all_of(pads, [](int64_t pad) { return pad == 0; }))
    return;
  auto pad = [&](Value packed) {
    return createPad(b, packed, pads,
                     b.getIntegerAttr(getElementTypeOrSelf(packed), 0));
  };
  Value ones;
  for (PlaneOperand &plane : operands.lhs) {
    if (!plane.mask && !ones)
      ones = pad(createOnes(plane.sign));
    plane.mask = plane.mask ? pad(plane.mask) : ones;
    plane.sign = pad(plane.sign);
  }
}

/// A mask of the shape of `packed`, all channels set.
Value Conv2DLowering::createOnes(Value packed) {
  int64_t size = cast<RankedTensorType>(packed.getType()).getDimSize(3);
  LayoutAttrInterface layout = kernel.getLayout();
  auto type = cast<IntegerType>(layout.getElementType());
  SmallVector<uint32_t> words(channels / kWordBits, ~uint32_t(0));
  words.push_back((uint32_t(1) << channels % kWordBits) - 1);
  SmallVector<Attribute> row;
  for (int64_t i = 0; i < size; ++i)
    row.push_back(b.getIntegerAttr(
        type, APInt(type.getWidth(), layout.encode(words, i))));
  Inputs inputs;
  inputs.add(
      arith::ConstantOp::create(
          b, DenseElementsAttr::get(RankedTensorType::get({size}, type), row)),
      getLoopMap(b.getContext(), 4, {3}));
  return createElementwise(
      b, tensor::getMixedSizes(b, b.getLoc(), packed), packed.getType(), inputs,
      [](OpBuilder &, Location, ValueRange args) { return args.front(); });
}

void Conv2DLowering::layOutTaps() {
  bool shared = sharesElements(op, kernel);
  if (shared)
    shiftIntoGroups(b, op, kernel, taps);
  // Those of groups that share an element fill all of it.
  int64_t bits = kernel.getLayout().getChannels();
  SmallVector<int64_t> shape(op.getFilter().getType().getShape());
  if (shared)
    shape.back() = bits;
  auto layOut = [&](Value words) {
    ArrayRef<int64_t> from = cast<RankedTensorType>(words.getType()).getShape();
    if (from.size() == 2) // A mask that all taps share.
      return layOutFilter(b, kernel, words, {filters, bits}, 0);
    Value laidOut = layOutFilter(b, kernel, words, shape, 0);
    if (collapsed)
      laidOut = collapseTwo(b, laidOut, 2);
    if (isa<CodesLayoutAttr>(kernel.getLayout()))
      laidOut = createStoredCodes(b, kernel, operands.rhsMeaning, laidOut, 1);
    return laidOut;
  };
  DenseMap<Value, Value> known;
  auto get = [&](Value words) {
    Value &laidOut = known[words];
    if (!laidOut)
      laidOut = layOut(words);
    return laidOut;
  };
  for (PlaneOperand &plane : taps) {
    plane.sign = get(plane.sign);
    if (plane.mask)
      plane.mask = get(plane.mask);
  }
}

void Conv2DLowering::setMaps() {
  int64_t bits = kernel.getInputChannels();
  int64_t each = filters / op.getGroups();
  block = op.getGroups() == 1 ? 0 : each;
  if (sharesElements(op, kernel))
    block = each * (bits / channels) >= filters ? 0 : each * (bits / channels);
  // n, oh, ow, oc; kh, kw and elements.
  unsigned loops = collapsed ? 6 : elements ? 7 : 6;
  SmallVector<AffineExpr> d(7);
  bindDimsList(b.getContext(), MutableArrayRef(d));
  AffineExpr row = d[1] * windows[0].stride + d[4] * windows[0].dilation;
  AffineExpr column = d[2] * windows[1].stride + d[5] * windows[1].dilation;
  AffineExpr filterBlock = d[3].floorDiv(kernel.getBlock());
  SmallVector<AffineExpr> image{d[0], row, column},
      filter{filterBlock, d[4], d[5]}, mask;
  int64_t step = kernel.getStepOfElement();
  if (collapsed) {
    image = {d[0], row, d[2] * (windows[1].stride * elements) + d[5]};
    filter.back() = d[5].floorDiv(step);
  } else if (elements) {
    AffineExpr element = d[6];
    if (block)
      element = d[3].floorDiv(block) * elements + element;
    image.push_back(element);
    filter.push_back(d[6].floorDiv(step));
  } else {
    image.push_back(filterBlock);
    filter.push_back(b.getAffineConstantExpr(0)); // The only channel.
  }
  mask = filter;
  if (taps.front().mask &&
      cast<RankedTensorType>(taps.front().mask.getType()).getRank() == 3)
    mask = {filterBlock, b.getAffineConstantExpr(0)};
  auto get = [&](ArrayRef<AffineExpr> exprs) {
    return AffineMap::get(loops, 0, exprs, b.getContext());
  };
  lhs = get(image);
  rhs = get(filter);
  rhsMask = get(mask);
}

/// Of the filter as words.
Value Conv2DLowering::sliceFilter(Value value, const BorderClass &h,
                                  const BorderClass &w) {
  int64_t words = cast<RankedTensorType>(value.getType()).getDimSize(3);
  return createSlice(b, value, {0, h.tapBegin, w.tapBegin, 0},
                     {filters, h.getTaps(), w.getTaps(), words});
}

Value Conv2DLowering::sliceImage(Value packed, const BorderClass &h,
                                 const BorderClass &w) {
  return createRegionImage(b, packed, windows, h, w, collapsed ? elements : 1);
}

/// Of the filter as the kernel wants it.
Value Conv2DLowering::sliceTaps(Value laidOut, const BorderClass &h,
                                const BorderClass &w) {
  // A mask that all taps share.
  if (cast<RankedTensorType>(laidOut.getType()).getRank() == 3)
    return laidOut;
  return createRegionTaps(b, laidOut, /*window=*/1, h, w,
                          collapsed ? elements / kernel.getStepOfElement() : 1);
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
  if (isa<CodesLayoutAttr>(kernel.getLayout())) {
    auto sum = [&](Value codes, int64_t taps) {
      return createCodeSums(b, operands.rhsMeaning, codes, 1, taps * channels);
    };
    Value codes = operands.rhs.front().sign;
    Value all = sum(codes, padded + inside);
    if (inside == 0)
      return {all};
    return {createLinear(
        b, 0, {{1, all}, {-1, sum(sliceFilter(codes, h, w), inside)}})};
  }
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

/// The dots of a region that sees nothing but padding: an input with pad_value
/// 1 has one plane.
SmallVector<Value> Conv2DLowering::createPadding(ProductLoops &loops,
                                                 const PackedOperands &region) {
  SmallVector<Type> types(operands.lhsScalars * operands.rhsScalars,
                          b.getI32Type());
  Inputs inputs;
  for (Value dot : region.added)
    inputs.add(dot, getLoopMap(b.getContext(), 4, {3}));
  return createElementwise(
      b, loops.sizes, types, inputs,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        SmallVector<Value> sums(types.size(), createI32(b, loc, 0));
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

SmallVector<Value> Conv2DLowering::createBorderRegion(const BorderClass &h,
                                                      const BorderClass &w) {
  ProductLoops loops;
  loops.kernel = kernel;
  loops.sizes = getBorderRegionSizes(b, sizes, h, w);
  loops.lhsLoops = {0, 1, 2};
  loops.rhsLoops = {3};
  loops.bits = h.getTaps() * w.getTaps() * channels;
  loops.lhs = lhs;
  loops.rhs = rhs;
  loops.rhsMask = rhsMask;
  loops.block = block;
  loops.reductions = {h.getTaps(), w.getTaps()};
  if (collapsed)
    loops.reductions.back() *= elements;
  else if (elements)
    loops.reductions.push_back(elements);

  PackedOperands region = operands;
  region.added = createPadDots(h, w);
  if (loops.bits == 0)
    return createPadding(loops, region);
  for (PlaneOperand &plane : region.lhs) {
    plane.sign = sliceImage(plane.sign, h, w);
    if (plane.mask)
      plane.mask = sliceImage(plane.mask, h, w);
  }
  // Of a slice that is a constant where the filter is.
  for (const PlaneOperand &plane : operands.rhs)
    region.rhsMaskCounts.push_back(
        plane.mask ? createBitCount(b, sliceFilter(plane.mask, h, w), 1)
                   : Value());
  if (needsWindows(kernel))
    for (const PlaneOperand &plane : operands.rhs)
      region.rhsWindows.push_back(sliceFilter(plane.sign, h, w));
  region.rhs = taps;
  for (PlaneOperand &plane : region.rhs) {
    plane.sign = sliceTaps(plane.sign, h, w);
    if (plane.mask)
      plane.mask = sliceTaps(plane.mask, h, w);
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
                                  KernelAttrInterface kernel,
                                  const LoweredValue &input,
                                  const LoweredValue &filter) {
  Conv2DLowering lowering(b, op, kernel, input, filter);
  SmallVector<Value> dots = lowering.createAllDots();
  std::optional<BroadcastTensor> start;
  if (input.offset)
    start = createConv2DOffset(b, op, lowering.sizes, input, filter);
  return createResult(b, op.getType(), lowering.sizes, dots, input, filter,
                      start ? &*start : nullptr);
}
