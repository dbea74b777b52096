//===- Bytes.cpp - Four products of bytes a step --------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bits a of the input are unsigned bytes, bits w of the filter 1 - 2 w:
//
//   popcount(a xor w) = popcount(w) + sum of a (1 - 2 w)
//
// so that a sum starts from the bits of its filter. Of a ternary input the
// bytes are -1, 0 and 1, and sums are dots, negated.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Packed/Kernels/KernelModel.h"
#include "Dialect/Packed/Kernels/WordMeaning.h"
#include "TestKernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;
using namespace bquant::test;

static constexpr int64_t kLanes = 8, kStep = 4;

/// Integers or vectors of bytes as 32 bits.
static Value extend(ImplicitLocOpBuilder &b, Value bytes) {
  Type type = b.getI32Type();
  if (auto vector = dyn_cast<VectorType>(bytes.getType()))
    type = vector.clone(b.getI32Type());
  return arith::ExtSIOp::create(b, type, bytes);
}

/// The values of a step's bytes, all channels alike.
static SmallVector<Value> getValues(ImplicitLocOpBuilder &b,
                                    const ProductForm &form,
                                    ValueRange elements) {
  SmallVector<Value> values;
  for (int64_t i = 0; i < kStep; ++i) {
    Value value = elements[i];
    if (form.maskedInput)
      value = arith::SubIOp::create(b, arith::AddIOp::create(b, value, value),
                                    elements[kStep + i]);
    values.push_back(extend(b, value));
  }
  return values;
}

namespace {
struct Selection : SelectionModel<Selection, test::BytesAttr> {
  LogicalResult verifyProduct(Attribute attr, const ProductShape &shape,
                              const TargetDescription &,
                              ExplainFn explain) const {
    if (!shape.constantFilter)
      return explain("expected a constant filter");
    if (!hasWholeGroups(shape, kStep))
      return explain("expected groups of a multiple of 4 channels");
    return verifyTile(shape, kStep, get(attr).getChannels(), explain);
  }

  double getCycles(Attribute, const ProductShape &shape,
                   const TargetDescription &) const {
    return shape.getMacs();
  }

  double getLimitCycles(Attribute, const ProductShape &shape,
                        const TargetDescription &) const {
    return shape.getMacs();
  }
};

struct InnerTile : InnerTileModel<InnerTile, test::BytesAttr> {
  int64_t getLanes(Attribute) const { return kLanes; }

  LayoutAttrInterface getLayout(Attribute attr) const {
    return FoursLayoutAttr::get(attr.getContext());
  }
  int64_t getStepSize(Attribute) const { return kStep; }
  FilterLayoutAttrInterface getFilterLayout(Attribute attr) const {
    return getBlocks(attr, SignsLayoutAttr::get(attr.getContext()));
  }

  std::optional<ProductResult> getResult(Attribute,
                                         const ProductForm &form) const {
    if (form.maskedFilter)
      return std::nullopt;
    return form.maskedInput ? ProductResult::Dots : ProductResult::Counts;
  }
  std::pair<int64_t, int64_t> getRange(Attribute, const ProductForm &form,
                                       int64_t steps) const {
    return {form.maskedInput ? -kStep * steps : 0, kStep * steps};
  }
  std::optional<int64_t> getStart(Attribute, const ProductForm &form,
                                  ArrayRef<uint32_t> words) const {
    int64_t start = 0;
    if (!form.maskedInput)
      for (uint32_t word : words)
        start += llvm::popcount(word);
    return start;
  }

  SmallVector<Value> emitMeaning(Attribute attr, ImplicitLocOpBuilder &b,
                                 const ProductForm &form, ValueRange input,
                                 ValueRange filter) const {
    Value zero = arith::ConstantOp::create(b, b.getI32IntegerAttr(0));
    SmallVector<Value> sum =
        emitStep(attr, b, form, zero, getValues(b, form, input), filter);
    return emitFinish(attr, b, form, sum, 1);
  }

  SmallVector<VectorType> getPartialTypes(Attribute attr,
                                          const ProductForm &) const {
    return {VectorType::get(kLanes, IntegerType::get(attr.getContext(), 32))};
  }
  SmallVector<VectorType> getAccumulatorTypes(Attribute attr,
                                              const ProductForm &form) const {
    return getPartialTypes(attr, form);
  }
  int64_t getMaxSteps(Attribute, const ProductForm &) const { return 1 << 20; }

  SmallVector<Value> emitInput(Attribute attr, ImplicitLocOpBuilder &b,
                               const ProductForm &form,
                               ValueRange elements) const {
    SmallVector<Value> values = getValues(b, form, elements);
    for (Value &value : values)
      value = vector::BroadcastOp::create(
          b, getPartialTypes(attr, form).front(), value);
    return values;
  }
  SmallVector<Value> emitStep(Attribute, ImplicitLocOpBuilder &b,
                              const ProductForm &, ValueRange partial,
                              ValueRange input, ValueRange filter) const {
    Value sum = partial[0];
    for (auto [x, w] : llvm::zip_equal(input, filter))
      sum = arith::AddIOp::create(b, sum,
                                  arith::MulIOp::create(b, x, extend(b, w)));
    return {sum};
  }
  SmallVector<Value> emitFlush(Attribute, ImplicitLocOpBuilder &b,
                               const ProductForm &, ValueRange accumulators,
                               ValueRange partial) const {
    return emitSums(b, accumulators, partial);
  }
  SmallVector<Value> emitFinish(Attribute, ImplicitLocOpBuilder &b,
                                const ProductForm &form,
                                ValueRange accumulators, int64_t) const {
    Value sum = accumulators[0];
    if (!form.maskedInput)
      return {sum};
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(sum.getType()));
    return {arith::SubIOp::create(b, zero, sum)};
  }
};
} // namespace

void bquant::test::attachBytes(MLIRContext *context) {
  test::BytesAttr::attachInterface<Selection, InnerTile>(*context);
}
