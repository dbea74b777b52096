//===- PackedCodes.cpp - Products of codes --------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the scalars of all planes are multiples of one v, a value is
// v (2 a - A), a its code and A the largest one. An input's codes are unsigned
// bytes. Those of a filter, 2 w - W, fit a signed byte up to W = 127; else the
// byte is half of them, rounded down: 2 w - W = gain * f + offset. Then
//
//   dot = sum (2 a - A) (gain f + offset)
//       = 2 gain sum a f + 2 offset sum a - A sum (gain f + offset)
//
// of which the kernel computes sum a f, and the last sum is a constant of each
// filter. An offset is there only of filters of 8 bits.
//
// A filter of one plane whose signs are all +1, as splitting the offsets off
// makes them, has f = 1: its sum a f is sum a, which needs no kernel.
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/Products.h"
#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "PackedProducts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace bquant;

CodeMeaning bquant::getFilterMeaning(SBTensorType type) {
  int64_t levels = getLevels(type);
  if (levels <= std::numeric_limits<int8_t>::max())
    return {levels, 1, 0};
  return {levels, 2, levels % 2};
}

PlaneOperand bquant::createFilterCodes(ImplicitLocOpBuilder &b,
                                       const LoweredValue &filter) {
  SBTensorType type = filter.type;
  CodeMeaning meaning = getFilterMeaning(type);
  SmallVector<PlaneOperand> planes =
      getPlaneOperands(b, filter, /*masked=*/false);
  int64_t channels = type.getShape().back(),
          words = llvm::divideCeil(channels, kWordBits),
          each = llvm::divideCeil(channels, kWordBytes);
  SmallVector<SmallVector<uint32_t>> bits;
  for (const PlaneOperand &plane : planes)
    bits.push_back(*getConstantBits(plane.sign));
  int64_t rows = bits.front().size() / words;
  SmallVector<uint32_t> codes(rows * each, 0);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t c = 0; c < channels; ++c) {
      int64_t code = -meaning.levels - meaning.offset;
      for (auto [plane, word] : llvm::zip_equal(planes, bits))
        code += 2 * plane.factor *
                (word[row * words + c / kWordBits] >> (c % kWordBits) & 1);
      codes[row * each + c / kWordBytes] |=
          uint32_t(uint8_t(code / meaning.gain)) << (8 * (c % kWordBytes));
    }
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = each;
  return {createFilter(b, RankedTensorType::get(shape, b.getI32Type()), codes),
          Value(), /*factor=*/1, /*scalar=*/0};
}

Value bquant::createCodeSums(ImplicitLocOpBuilder &b, CodeMeaning meaning,
                             Value codes, int64_t keep, int64_t count) {
  auto type = cast<RankedTensorType>(codes.getType());
  auto result =
      RankedTensorType::get(type.getShape().take_front(keep), b.getI32Type());
  SmallVector<uint32_t> words = *getConstantBits(codes),
                        sums(result.getNumElements(),
                             uint32_t(meaning.offset * count));
  size_t each = words.size() / sums.size();
  for (auto [i, word] : llvm::enumerate(words))
    for (int64_t k = 0; k < kWordBytes; ++k)
      sums[i / each] += meaning.gain * int8_t(word >> (8 * k));
  return createConstant(b, result, sums);
}

bool bquant::areCodesOne(const ProductLoops &loops,
                         const PackedOperands &operands) {
  if (operands.rhsMeaning.levels != 1)
    return false;
  // No sum of `bits` signs is larger.
  auto type = cast<RankedTensorType>(operands.rhsWindows.front().getType());
  int64_t filters =
      computeProduct(type.getShape().take_front(loops.rhsLoops.size()));
  SmallVector<uint32_t> words = *getConstantBits(operands.rhsWindows.front());
  int64_t sum = 0;
  for (uint32_t word : words)
    for (int64_t k = 0; k < kWordBytes; ++k)
      sum += int8_t(word >> (8 * k));
  return sum == filters * loops.bits;
}

SmallVector<Value> bquant::createDotsOfCodes(ImplicitLocOpBuilder &b,
                                             const ProductLoops &loops,
                                             const PackedOperands &operands,
                                             Value product) {
  int64_t rank = loops.sizes.size();
  CodeMeaning meaning = operands.rhsMeaning;
  Value window = operands.rhsWindows.front();
  SmallVector<std::pair<int64_t, Value>> terms{
      {-operands.lhsLevels,
       createCodeSums(b, meaning, window, loops.rhsLoops.size(), loops.bits)}};
  if (!operands.added.empty())
    terms.push_back({1, operands.added.front()});
  Inputs inputs;
  auto addWindowSums = [&] {
    return inputs.add(createWindowSums(b, loops, operands.lhs.front().sign),
                      getWindowMap(b, loops));
  };
  Inputs::Handle sum = product
                           ? inputs.add(product, b.getMultiDimIdentityMap(rank))
                           : addWindowSums();
  Inputs::Handle base =
      inputs.add(createLinear(b, 0, terms),
                 getLoopMap(b.getContext(), rank, loops.rhsLoops));
  std::optional<Inputs::Handle> codes;
  if (meaning.offset)
    codes = addWindowSums();
  return createElementwise(
      b, loops.sizes, b.getI32Type(), inputs,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        auto multiply = [&](int64_t factor, Value value) -> Value {
          return arith::MulIOp::create(b, loc, value,
                                       createI32(b, loc, factor));
        };
        Value dot = multiply(2 * meaning.gain, sum.get(b, loc, args));
        dot = arith::AddIOp::create(b, loc, dot, base.get(b, loc, args));
        if (codes)
          dot = arith::AddIOp::create(
              b, loc, dot,
              multiply(2 * meaning.offset, codes->get(b, loc, args)));
        return SmallVector<Value>{dot};
      });
}
