//===- Depthwise.cpp - xor and add of bytes, a channel in each ------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelModel.h"
#include "WordMeaning.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;

/// Sums of a tile.
static constexpr int64_t kSums = 8;

namespace {
struct Selection : SelectionModel<Selection, DepthwiseAttr> {
  LogicalResult verifyProduct(Attribute attr, const ProductShape &shape,
                              const TargetDescription &target,
                              ExplainFn explain) const {
    if (!shape.isDepthwise())
      return explain("expected a convolution with one channel for each filter");
    if (get(attr).getBits() > target.vectorBits)
      return explain("expected a target with registers of " +
                     Twine(get(attr).getBits()) + " bits");
    // The image has whole words of bytes, in whole registers.
    int64_t channels = get(attr).getChannels();
    if (channels % getLanes(attr) != 0 ||
        llvm::alignTo(shape.filters, channels) >
            llvm::alignTo(shape.filters, kWordBits))
      return explain("expected tiles of whole registers that divide " +
                     Twine(llvm::alignTo(shape.filters, kWordBits)) +
                     " channels, but got " + Twine(channels));
    return success();
  }

  double getCycles(Attribute attr, const ProductShape &shape,
                   const TargetDescription &target) const {
    return countCycles(shape, attr, shape.taps, countSums(shape),
                       target.otherCosts.depthwise, target.otherCosts);
  }

  double getLimitCycles(Attribute attr, const ProductShape &shape,
                        const TargetDescription &target) const {
    return shape.getMacs() / getLanes(attr) * target.otherCosts.depthwise.step;
  }
};

struct InnerTile : InnerTileModel<InnerTile, DepthwiseAttr> {
  int64_t getLanes(Attribute attr) const {
    return get(attr).getBits() / kByteBits;
  }
  bool isDepthwise(Attribute) const { return true; }
  int64_t getInputChannels(Attribute) const { return 1; }

  std::pair<int64_t, int64_t> getRange(Attribute, const ProductForm &,
                                       int64_t steps) const {
    return {0, steps};
  }
  FilterLayoutAttrInterface getFilterLayout(Attribute attr) const {
    return getBlocks(attr, BytesLayoutAttr::get(attr.getContext()));
  }

  SmallVector<Value> emitMeaning(Attribute, ImplicitLocOpBuilder &b,
                                 const ProductForm &form, ValueRange input,
                                 ValueRange filter) const {
    SmallVector<Value> counts = emitDifferences(b, form, input, filter);
    for (Value &count : counts)
      count = arith::ExtUIOp::create(b, b.getI32Type(), count);
    return counts;
  }

  SmallVector<VectorType> getPartialTypes(Attribute attr,
                                          const ProductForm &form) const {
    auto type =
        VectorType::get(getLanes(attr), IntegerType::get(attr.getContext(), 8));
    return SmallVector<VectorType>(form.getNumResults(), type);
  }
  SmallVector<VectorType> getAccumulatorTypes(Attribute attr,
                                              const ProductForm &form) const {
    auto type = VectorType::get(getLanes(attr),
                                IntegerType::get(attr.getContext(), 32));
    return SmallVector<VectorType>(form.getNumResults(), type);
  }
  int64_t getMaxSteps(Attribute, const ProductForm &) const { return 255; }

  SmallVector<Value> emitInput(Attribute, ImplicitLocOpBuilder &,
                               const ProductForm &, ValueRange elements) const {
    return SmallVector<Value>(elements);
  }

  SmallVector<Value> emitStep(Attribute, ImplicitLocOpBuilder &b,
                              const ProductForm &form, ValueRange partial,
                              ValueRange input, ValueRange filter) const {
    return emitSums(b, partial, emitDifferences(b, form, input, filter));
  }

  SmallVector<Value> emitFlush(Attribute, ImplicitLocOpBuilder &b,
                               const ProductForm &, ValueRange accumulators,
                               ValueRange partial) const {
    return emitWideSums(b, accumulators, partial);
  }

  SmallVector<Value> emitFinish(Attribute, ImplicitLocOpBuilder &b,
                                const ProductForm &, ValueRange accumulators,
                                int64_t steps) const {
    return emitBytesIfFit(b, accumulators, /*most=*/steps);
  }
};
} // namespace

static SmallVector<Attribute> getTiles(MLIRContext *context,
                                       const ProductShape &shape,
                                       const TargetDescription &target) {
  // Rows of bytes have whole words of channels, and a register starts with one.
  int64_t bits = target.vectorBits;
  if (shape.filters % (bits / kByteBits) != 0)
    bits = std::min<int64_t>(bits, kWordBits * kByteBits);
  int64_t channels = std::max<int64_t>(bits / kByteBits, kWordBits);
  int64_t registers = channels / (bits / kByteBits);
  int64_t rows = std::max<int64_t>(1, kSums / (countSums(shape) * registers));
  return {DepthwiseAttr::get(context, rows, channels, bits)};
}

const KernelEntry bquant::kDepthwiseKernel = {
    DepthwiseAttr::attachInterface<Selection, InnerTile>, getTiles};
