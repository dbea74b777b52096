//===- PackedWords.cpp - Scaled-binary values as packed words -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedWords.h"
#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;

SmallVector<Value> bquant::createUnpack(ImplicitLocOpBuilder &b,
                                        ValueRange words, int64_t elements) {
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), words.front());
  sizes.back() = b.getIndexAttr(elements);
  SmallVector<Value> inits;
  for (size_t i = 0; i < words.size(); ++i)
    inits.push_back(tensor::EmptyOp::create(b, sizes, b.getI1Type()));
  auto unpack =
      packed::UnpackOp::create(b, TypeRange(ValueRange(inits)), words, inits);
  return SmallVector<Value>(unpack.getResults());
}

SmallVector<Value>
bquant::createLayouts(ImplicitLocOpBuilder &b, ValueRange words,
                      int64_t elements, ArrayRef<LayoutAttrInterface> layouts) {
  SmallVector<LayoutAttrInterface> others(layouts);
  bool keepsWords = isa<WordsLayoutAttr>(layouts.front());
  if (keepsWords)
    others.erase(others.begin());
  SmallVector<Value> result;
  if (keepsWords)
    llvm::append_range(result, words);
  if (!others.empty())
    llvm::append_range(result, packed::PackOp::create(
                                   b, others, createUnpack(b, words, elements))
                                   .getResults());
  return result;
}

Value bquant::emitCode(OpBuilder &b, Location loc, SBTensorType type,
                       ArrayRef<Value> bits) {
  Type byte = b.getI8Type();
  SmallVector<int64_t> ratios(type.getRatios());
  if (ratios.empty())
    ratios.push_back(1);
  Value code;
  for (auto [bit, ratio] : llvm::zip_equal(bits, ratios)) {
    Value term = arith::ExtUIOp::create(b, loc, byte, bit);
    if (ratio != 1)
      term = arith::MulIOp::create(
          b, loc, term,
          arith::ConstantOp::create(
              b, loc, IntegerAttr::get(byte, APInt(8, uint64_t(ratio)))));
    code = code ? arith::AddIOp::create(b, loc, code, term).getResult() : term;
  }
  return code;
}

Value bquant::createWholeCodes(ImplicitLocOpBuilder &b, Value codes) {
  auto type = cast<RankedTensorType>(codes.getType());
  RankedTensorType packed =
      getPackedType(CodesLayoutAttr::get(b.getContext()), type.getShape());
  return padTo(b, codes, type.getRank() - 1, packed.getShape().back(),
               b.getI8IntegerAttr(0));
}

Value bquant::createCodesOfBits(ImplicitLocOpBuilder &b, SBTensorType type,
                                ValueRange planes) {
  return createElementwise(
      b, getPackedType(CodesLayoutAttr::get(b.getContext()), type.getShape()),
      planes, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        SmallVector<Value> bits(args.take_front(planes.size()));
        if (!isMasked(type))
          return emitCode(b, loc, type, bits);
        // Of mask and sign: 0 and 2 where the mask is set, else 1.
        auto number = [&](int64_t value) -> Value {
          return arith::ConstantOp::create(b, loc, b.getI8IntegerAttr(value));
        };
        Value two = number(2), zero = number(0), one = number(1);
        Value set = arith::SelectOp::create(b, loc, bits[1], two, zero);
        return arith::SelectOp::create(b, loc, bits[0], set, one);
      });
}

Value bquant::createCodes(ImplicitLocOpBuilder &b, SBTensorType type,
                          ValueRange words) {
  SmallVector<Value> bits = createUnpack(b, words, type.getShape().back());
  return createWholeCodes(b, createCodesOfBits(b, type, bits));
}

bool bquant::haveBits(SBTensorType type) {
  int64_t seen = 0;
  for (int64_t ratio : type.getRatios()) {
    if (!llvm::isPowerOf2_64(ratio) || (seen & ratio))
      return isMasked(type);
    seen |= ratio;
  }
  return true;
}

SmallVector<Value> bquant::createBitsOfCodes(ImplicitLocOpBuilder &b,
                                             SBTensorType type, Value codes) {
  SmallVector<Type> elements(type.getPlanes(), b.getI1Type());
  return createElementwise(
      b, elements, codes, [&](OpBuilder &b, Location loc, ValueRange args) {
        auto number = [&](int64_t value) -> Value {
          return arith::ConstantOp::create(
              b, loc, IntegerAttr::get(b.getI8Type(), APInt(8, value)));
        };
        auto compare = [&](arith::CmpIPredicate how, Value code,
                           int64_t value) -> Value {
          return arith::CmpIOp::create(b, loc, how, code, number(value));
        };
        // 0 and 2 where the mask is set, else 1.
        if (isMasked(type))
          return SmallVector<Value>{
              compare(arith::CmpIPredicate::ne, args.front(), 1),
              compare(arith::CmpIPredicate::eq, args.front(), 2)};
        SmallVector<int64_t> ratios(type.getRatios());
        if (ratios.empty())
          ratios.push_back(1);
        return llvm::map_to_vector(ratios, [&](int64_t ratio) {
          Value bit =
              arith::AndIOp::create(b, loc, args.front(), number(ratio));
          return compare(arith::CmpIPredicate::ne, bit, 0);
        });
      });
}

Value bquant::createBitCount(ImplicitLocOpBuilder &b, Value words,
                             int64_t keep) {
  auto type = cast<RankedTensorType>(words.getType());
  if (std::optional<SmallVector<uint32_t>> bits = getConstantBits(words)) {
    auto result =
        RankedTensorType::get(type.getShape().take_front(keep), b.getI32Type());
    SmallVector<uint32_t> counts(result.getNumElements(), 0);
    size_t each = bits->size() / counts.size();
    for (auto [i, word] : llvm::enumerate(*bits))
      counts[i / each] += llvm::popcount(word);
    return createConstant(b, result, counts);
  }
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), words);
  return createReduction(b, ArrayRef(sizes).take_front(keep),
                         type.getRank() - keep, b.getI32Type(), Inputs(words),
                         [](OpBuilder &b, Location loc, ValueRange args) {
                           Value count = math::CtPopOp::create(b, loc, args[0]);
                           return arith::AddIOp::create(b, loc, args[1], count);
                         });
}

Value bquant::createLinear(ImplicitLocOpBuilder &b, int64_t constant,
                           ArrayRef<std::pair<int64_t, Value>> terms) {
  auto type = cast<RankedTensorType>(terms.front().second.getType());
  SmallVector<uint32_t> sums;
  if (type.hasStaticShape())
    sums.assign(type.getNumElements(), uint32_t(constant));
  bool allConstant = type.hasStaticShape();
  for (auto [factor, value] : terms) {
    std::optional<SmallVector<uint32_t>> bits = getConstantBits(value);
    allConstant &= bits.has_value();
    if (!allConstant)
      break;
    for (auto [sum, word] : llvm::zip_equal(sums, *bits))
      sum += uint32_t(factor) * word;
  }
  if (allConstant)
    return createConstant(b, type, sums);

  auto values = llvm::to_vector(llvm::make_second_range(terms));
  return createElementwise(
      b, b.getI32Type(), values,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value sum = createI32(b, loc, constant);
        for (auto [i, term] : llvm::enumerate(terms)) {
          Value product = arith::MulIOp::create(
              b, loc, createI32(b, loc, term.first), args[i]);
          sum = arith::AddIOp::create(b, loc, sum, product);
        }
        return sum;
      });
}
