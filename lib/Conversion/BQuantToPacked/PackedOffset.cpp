//===- PackedOffset.cpp - What an input's offset adds to a product --------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An offset c adds t = sum_j (c w_j) W_j to each result, W_j the sum of the
// filter's signs. Of a convolution it goes over the taps inside the image, so
// that t is one number for each filter and border class; where filter, scalars
// and offset are constant, so is t.
//
//===----------------------------------------------------------------------===//

#include "BorderRegions.h"
#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "PackedProducts.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;

/// For each scalar of the rhs the sum of its signs over `bits` of each row, n_j
/// times where planes share the scalar. `count` gives the popcounts of the rows
/// of words.
static SmallVector<Value>
createSignSums(ImplicitLocOpBuilder &b, const LoweredValue &rhs, int64_t bits,
               llvm::function_ref<Value(Value)> count) {
  SmallVector<SmallVector<std::pair<int64_t, Value>>> counts(
      rhs.type.getNumScalars());
  SmallVector<int64_t> constants(counts.size(), 0);
  for (const PlaneOperand &term : getPlaneOperands(b, rhs)) {
    // Of +1 and -1: 2 popcount(sign) less the number of signs.
    counts[term.scalar].push_back({2 * term.factor, count(term.sign)});
    if (term.mask)
      counts[term.scalar].push_back({-term.factor, count(term.mask)});
    else
      constants[term.scalar] -= term.factor * bits;
  }
  SmallVector<Value> sums;
  for (auto [constant, terms] : llvm::zip_equal(constants, counts))
    sums.push_back(createLinear(b, constant, terms));
  return sums;
}

BroadcastTensor bquant::createMatmulOffset(ImplicitLocOpBuilder &b,
                                           const ProductLoops &loops,
                                           const LoweredValue &lhs,
                                           const LoweredValue &rhs) {
  int64_t rank = loops.sizes.size();
  SmallVector<BroadcastTensor> sums;
  for (Value sum : createSignSums(b, rhs, loops.bits, [&](Value words) {
         return createBitCount(b, words, rank - 1);
       }))
    sums.push_back({sum, loops.rhsLoops});
  return createOffsetTerm(b, loops.sizes, sums, getLhsOffset(b, lhs),
                          getRhsScalars(rhs, rank));
}

BroadcastTensor bquant::createConv2DOffset(ImplicitLocOpBuilder &b, Conv2DOp op,
                                           ArrayRef<OpFoldResult> sizes,
                                           const LoweredValue &input,
                                           const LoweredValue &filter) {
  int64_t filters = filter.type.getDimSize(0);
  int64_t channels = filter.type.getDimSize(3);
  Scalars offset = getLhsOffset(b, input), scalars = getRhsScalars(filter, 4);
  // Over the taps [h.tapBegin, h.tapEnd) x [w.tapBegin, w.tapEnd).
  auto createTerm = [&](const BorderClass &h, const BorderClass &w) {
    int64_t taps = h.getTaps() * w.getTaps();
    auto count = [&](Value value) {
      if (taps == 0)
        return createConstant(b,
                              RankedTensorType::get({filters}, b.getI32Type()),
                              SmallVector<uint32_t>(filters, 0));
      int64_t words = cast<RankedTensorType>(value.getType()).getDimSize(3);
      return createBitCount(
          b,
          createSlice(b, value, {0, h.tapBegin, w.tapBegin, 0},
                      {filters, h.getTaps(), w.getTaps(), words}),
          1);
    };
    SmallVector<BroadcastTensor> sums;
    for (Value sum : createSignSums(b, filter, taps * channels, count))
      sums.push_back({sum, {3}});
    return createOffsetTerm(b, sizes, sums, offset, scalars);
  };

  // A position padded with 1 holds the offset, too: all taps count.
  if (op.getPadValue() == 1)
    return createTerm({0, 1, 0, filter.type.getDimSize(1)},
                      {0, 1, 0, filter.type.getDimSize(2)});
  std::array<SmallVector<BorderClass>, 2> classes;
  for (int d = 0; d < 2; ++d)
    classes[d] = getBorderClasses(
        {input.type.getDimSize(d + 1), filter.type.getDimSize(d + 1),
         op.getStrides()[d], op.getDilations()[d], op.getPads()[2 * d]},
        op.getType().getDimSize(d + 1));
  if (classes[0].size() == 1 && classes[1].size() == 1)
    return createTerm(classes[0].front(), classes[1].front());
  auto createBorderRegion = [&](const BorderClass &h, const BorderClass &w) {
    BroadcastTensor term = createTerm(h, w);
    Inputs inputs;
    inputs.add(term.value, getLoopMap(b.getContext(), 4, term.loops));
    return createElementwise(b, getBorderRegionSizes(b, sizes, h, w),
                             b.getF32Type(), inputs,
                             [](OpBuilder &, Location, ValueRange args) {
                               return SmallVector<Value>{args.front()};
                             });
  };
  return {assembleBorderRegions(b, sizes, classes[0], classes[1],
                                createBorderRegion)
              .front(),
          {0, 1, 2, 3}};
}
