//===- Popcount.cpp - xor, popcount and add of 32-bit lanes ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelModel.h"
#include "WordMeaning.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace bquant;

/// Sums of a tile: beside them there are the words of filter and input, and
/// what LLVM makes of addresses and masks.
static constexpr int64_t kSums = 14;
/// Channels of a tile: two registers of 512 bits.
static constexpr int64_t kChannels = 32;

namespace {
struct Popcount : KernelModel<Popcount, PopcountAttr> {
  int64_t getLanes(Attribute attr) const {
    return get(attr).getBits() / kWordBits;
  }

  std::string getReasonUnable(Attribute attr, const ProductShape &shape,
                              const TargetDescription &target) const {
    if (!target.countsBitsOfLanes)
      return "a target that counts the bits of 32-bit lanes (avx512vpopcntdq)";
    if (get(attr).getBits() > target.vectorBits)
      return "a target with registers of " + Twine(get(attr).getBits()).str() +
             " bits";
    return getReasonTileUnfit(shape, kWordBits, get(attr).getChannels());
  }

  double getCycles(Attribute attr, const ProductShape &shape,
                   const TargetDescription &target) const {
    return countCycles(shape, attr, countSteps(shape), countSums(shape),
                       target.costs.popcountLanes);
  }

  double getLimitCycles(Attribute attr, const ProductShape &shape,
                        const TargetDescription &target) const {
    return shape.getMacs() / kWordBits / getLanes(attr) *
           target.costs.popcountLanes.step;
  }

  static int64_t countSteps(const ProductShape &shape) {
    return shape.taps * llvm::divideCeil(shape.channels, kWordBits);
  }

  Layout getLayout(Attribute) const { return Layout::words; }
  Type getFilterElementType(Attribute attr) const {
    return getElementType(attr.getContext(), Layout::words);
  }
  uint32_t getFilterElement(Attribute, ArrayRef<uint32_t> words,
                            int64_t index) const {
    return words[index];
  }

  SmallVector<Value> emitMeaning(Attribute, ImplicitLocOpBuilder &b,
                                 const ProductForm &form, ValueRange input,
                                 ValueRange filter) const {
    return emitWordCounts(b, form, input, filter);
  }

  SmallVector<VectorType> getPartialTypes(Attribute attr,
                                          const ProductForm &form) const {
    auto type = VectorType::get(getLanes(attr),
                                IntegerType::get(attr.getContext(), 32));
    return SmallVector<VectorType>(form.getNumResults(), type);
  }
  SmallVector<VectorType> getAccumulatorTypes(Attribute attr,
                                              const ProductForm &form) const {
    return getPartialTypes(attr, form);
  }
  int64_t getMaxSteps(Attribute, const ProductForm &) const {
    return std::numeric_limits<int32_t>::max() / kWordBits;
  }

  SmallVector<Value> emitInput(Attribute attr, ImplicitLocOpBuilder &b,
                               const ProductForm &form,
                               ValueRange elements) const {
    SmallVector<Value> vectors;
    for (Value element : elements)
      vectors.push_back(vector::BroadcastOp::create(
          b, getPartialTypes(attr, form).front(), element));
    return vectors;
  }

  SmallVector<Value> emitStep(Attribute, ImplicitLocOpBuilder &b,
                              const ProductForm &form, ValueRange partial,
                              ValueRange input, ValueRange filter) const {
    return emitSums(b, partial, emitWordCounts(b, form, input, filter));
  }

  SmallVector<Value> emitFlush(Attribute, ImplicitLocOpBuilder &b,
                               const ProductForm &, ValueRange accumulators,
                               ValueRange partial) const {
    return emitSums(b, accumulators, partial);
  }

  SmallVector<Value> emitFinish(Attribute, ImplicitLocOpBuilder &,
                                const ProductForm &, ValueRange accumulators,
                                int64_t) const {
    return SmallVector<Value>(accumulators);
  }
};
} // namespace

void bquant::attachPopcount(MLIRContext *context) {
  PopcountAttr::attachInterface<Popcount>(*context);
}

void bquant::addPopcount(Kernels &kernels, MLIRContext *context,
                         const ProductShape &shape,
                         const TargetDescription &target) {
  int64_t bits = target.vectorBits;
  int64_t channels = fitChannels(shape, kWordBits, kChannels);
  int64_t registers =
      llvm::divideCeil(std::min(channels, shape.filters), bits / kWordBits);
  int64_t rows = std::max<int64_t>(1, kSums / (countSums(shape) * registers));
  kernels.push_back(cast<KernelAttrInterface>(
      PopcountAttr::get(context, rows, channels, bits)));
}
