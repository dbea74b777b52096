//===- Popcount.cpp - xor, popcount and add of 32-bit lanes ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelModel.h"
#include "WordMeaning.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;

/// Sums of a tile: beside them there are the words of filter and input, and
/// what LLVM makes of addresses and masks.
static constexpr int64_t kSums = 14;
/// The same of bytes: a whole number of rows in NEON's 32 registers, with eight
/// of the filter. More are copied to and fro.
static constexpr int64_t kByteSums = 16;
/// Channels of a tile: two registers of 512 bits.
static constexpr int64_t kChannels = 32;

static bool countsBytes(Attribute attr) {
  return cast<PopcountAttr>(attr).getCounted() == kByteBits;
}

namespace {
struct Selection : SelectionModel<Selection, PopcountAttr> {
  LogicalResult verifyProduct(Attribute attr, const ProductShape &shape,
                              const TargetDescription &target,
                              ExplainFn explain) const {
    if (!countsBytes(attr) && !target.countsBitsOfLanes)
      return explain("expected a target that counts the bits of "
                     "32-bit lanes (avx512vpopcntdq) "
                     "or of bytes (avx512bitalg, NEON)");
    if (get(attr).getBits() > target.vectorBits)
      return explain("expected a target with registers of " +
                     Twine(get(attr).getBits()) + " bits");
    return verifyTile(shape, kWordBits, get(attr).getChannels(), explain);
  }

  double getCycles(Attribute attr, const ProductShape &shape,
                   const TargetDescription &target) const {
    return countCycles(shape, attr, countSteps(shape), countSums(shape),
                       getCosts(attr, target), target.otherCosts);
  }

  double getLimitCycles(Attribute attr, const ProductShape &shape,
                        const TargetDescription &target) const {
    return shape.getMacs() / kWordBits / getLanes(attr) *
           getCosts(attr, target).step;
  }

  static const StepCosts &getCosts(Attribute attr,
                                   const TargetDescription &target) {
    return countsBytes(attr) ? target.costs.popcountBytes
                             : target.costs.popcountLanes;
  }
  static int64_t countSteps(const ProductShape &shape) {
    return shape.taps * llvm::divideCeil(shape.channels, kWordBits);
  }
};

struct InnerTile : InnerTileModel<InnerTile, PopcountAttr> {
  int64_t getLanes(Attribute attr) const {
    return get(attr).getBits() / kWordBits;
  }

  SmallVector<Value> emitMeaning(Attribute, ImplicitLocOpBuilder &b,
                                 const ProductForm &form, ValueRange input,
                                 ValueRange filter) const {
    return emitWordCounts(b, form, input, filter);
  }

  SmallVector<VectorType> getPartialTypes(Attribute attr,
                                          const ProductForm &form) const {
    int64_t counted = get(attr).getCounted();
    auto type = VectorType::get(get(attr).getBits() / counted,
                                IntegerType::get(attr.getContext(), counted));
    return SmallVector<VectorType>(form.getNumResults(), type);
  }
  VectorType getLanesType(Attribute attr) const {
    return VectorType::get(getLanes(attr),
                           IntegerType::get(attr.getContext(), kWordBits));
  }
  SmallVector<VectorType> getAccumulatorTypes(Attribute attr,
                                              const ProductForm &form) const {
    return SmallVector<VectorType>(form.getNumResults(), getLanesType(attr));
  }
  int64_t getMaxSteps(Attribute attr, const ProductForm &) const {
    return countsBytes(attr) ? std::numeric_limits<uint8_t>::max() / kByteBits
                             : std::numeric_limits<int32_t>::max() / kWordBits;
  }

  SmallVector<Value> emitInput(Attribute attr, ImplicitLocOpBuilder &b,
                               const ProductForm &form,
                               ValueRange elements) const {
    return emitBroadcasts(b, getLanesType(attr), elements);
  }

  SmallVector<Value> emitStep(Attribute, ImplicitLocOpBuilder &b,
                              const ProductForm &form, ValueRange partial,
                              ValueRange input, ValueRange filter) const {
    SmallVector<Value> counts = emitDifferences(b, form, input, filter);
    for (auto [count, sum] : llvm::zip_equal(counts, partial)) {
      if (count.getType() != sum.getType())
        count = vector::BitCastOp::create(b, sum.getType(), count);
      count = math::CtPopOp::create(b, count);
    }
    return emitSums(b, partial, counts);
  }

  SmallVector<Value> emitFlush(Attribute attr, ImplicitLocOpBuilder &b,
                               const ProductForm &, ValueRange accumulators,
                               ValueRange partial) const {
    SmallVector<Value> sums(partial);
    if (countsBytes(attr))
      for (Value &sum : sums)
        for (int64_t width = kByteBits; width < kWordBits; width *= 2)
          sum = emitSumsOfTwo(b, sum, width, get(attr).getBits());
    return emitSums(b, accumulators, sums);
  }

  /// Fields of `width` bits added two by two, the sums in both's place.
  static Value emitSumsOfTwo(ImplicitLocOpBuilder &b, Value fields,
                             int64_t width, int64_t bits) {
    auto type =
        VectorType::get(bits / (2 * width), b.getIntegerType(2 * width));
    if (targetsAArch64(b) && bits == 128)
      return callIntrinsic(b, type, "llvm.aarch64.neon.uaddlp", fields);
    Value both = vector::BitCastOp::create(b, type, fields);
    Value even = arith::AndIOp::create(
        b, both, createSplat(b, type, (int64_t(1) << width) - 1));
    Value odd = arith::ShRUIOp::create(b, both, createSplat(b, type, width));
    return arith::AddIOp::create(b, even, odd);
  }
};
} // namespace

static SmallVector<Attribute> getTiles(MLIRContext *context,
                                       const ProductShape &shape,
                                       const TargetDescription &target) {
  int64_t bits = target.vectorBits, lanes = bits / kWordBits, most = kChannels;
  bool bytes = target.countsBitsOfBytes && !target.countsBitsOfLanes;
  int64_t sums = bytes ? kByteSums : kSums;
  // One row of them, at least, stays in registers.
  while (bytes && most > lanes && countSums(shape) * (most / lanes) > sums)
    most /= 2;
  int64_t channels = fitChannels(shape, kWordBits, most);
  int64_t registers =
      llvm::divideCeil(std::min(channels, shape.filters), lanes);
  int64_t rows = std::max<int64_t>(1, sums / (countSums(shape) * registers));
  return {PopcountAttr::get(context, rows, channels, bits,
                            bytes ? kByteBits : kWordBits)};
}

const KernelEntry bquant::kPopcountKernel = {
    PopcountAttr::attachInterface<Selection, InnerTile>, getTiles};
