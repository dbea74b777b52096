//===- Octets.cpp - xor, popcount and add of bytes, a filter in each ------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of groups of few channels: a register has the filters of several groups, each
// in a byte, and reads the octets of all of these groups, which lie side by
// side, in one load. A shuffle brings each to the filters of its group.
//
//===----------------------------------------------------------------------===//

#include "KernelModel.h"
#include "WordMeaning.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;

static constexpr int64_t kBits = 8;
/// Sums of a tile: beside them there are a register of the filter, what is
/// shuffled, and what LLVM counts with.
static constexpr int64_t kSums = 8;

namespace {
struct Selection : SelectionModel<Selection, OctetsAttr> {
  LogicalResult verifyProduct(Attribute attr, const ProductShape &shape,
                              const TargetDescription &target,
                              ExplainFn explain) const {
    int64_t bits = get(attr).getBits(), lanes = getLanes(attr),
            step = get(attr).getStep();
    if (bits > std::max(target.byteShuffleBits, target.vectorBits))
      return explain("expected a target with registers of " + Twine(bits) +
                     " bits");
    if (shape.groups == 1)
      return explain("expected groups of channels");
    if (!shape.constantFilter)
      return explain("expected a constant filter");
    if (shape.channels % kBits != 0 && kBits % shape.channels != 0)
      return explain(
          "expected groups of a divisor or multiple of 8 channels, but got " +
          Twine(shape.channels));
    if (int64_t octets = llvm::divideCeil(shape.channels, kBits);
        octets != step)
      return explain("expected steps of " + Twine(octets) +
                     " octets, but got " + Twine(step));
    if (shape.filters % lanes != 0)
      return explain("expected a multiple of " + Twine(lanes) +
                     " filters, but got " + Twine(shape.filters));
    // One load for all groups of a register.
    int64_t sharing = getSharingFilters(shape, kBits);
    if (sharing < lanes &&
        (lanes % sharing != 0 || !llvm::isPowerOf2_64(lanes / sharing * step)))
      return explain("expected registers of a power of two of octets");
    // Sums of 16 bits, with a sign.
    if (shape.taps * step * kBits > std::numeric_limits<int16_t>::max())
      return explain("expected at most " +
                     Twine(std::numeric_limits<int16_t>::max() / kBits) +
                     " octets of all taps, but got " +
                     Twine(shape.taps * step));
    return verifyTile(shape, kBits, get(attr).getChannels(), explain);
  }

  double getCycles(Attribute attr, const ProductShape &shape,
                   const TargetDescription &target) const {
    return countCycles(shape, attr, shape.taps * get(attr).getStep(),
                       countSums(shape), getCosts(shape, target),
                       target.otherCosts);
  }

  double getLimitCycles(Attribute attr, const ProductShape &shape,
                        const TargetDescription &target) const {
    return shape.getMacs() / kBits / getLanes(attr) *
           target.costs.popcountBytes.step;
  }

  static StepCosts getCosts(const ProductShape &shape,
                            const TargetDescription &target) {
    StepCosts costs = target.costs.popcountBytes;
    costs.step += target.otherCosts.shuffleOctets;
    if (shape.channels < kBits)
      costs.step += target.otherCosts.maskOctets;
    return costs;
  }
};

struct InnerTile : InnerTileModel<InnerTile, OctetsAttr> {
  int64_t getLanes(Attribute attr) const { return get(attr).getBits() / kBits; }
  int64_t getStepSize(Attribute attr) const { return get(attr).getStep(); }

  LayoutAttrInterface getLayout(Attribute attr) const {
    return OctetsLayoutAttr::get(attr.getContext());
  }

  /// Octet `k` of the parts of a plane, each of which has those of a step.
  SmallVector<Value> getOctet(Attribute attr, ValueRange parts,
                              int64_t k) const {
    SmallVector<Value> octets;
    for (size_t i = k; i < parts.size(); i += getStepSize(attr))
      octets.push_back(parts[i]);
    return octets;
  }

  SmallVector<Value> emitMeaning(Attribute attr, ImplicitLocOpBuilder &b,
                                 const ProductForm &form, ValueRange input,
                                 ValueRange filter) const {
    SmallVector<Value> sums;
    for (int64_t k = 0; k < getStepSize(attr); ++k) {
      SmallVector<Value> counts = emitWordCounts(
          b, form, getOctet(attr, input, k), getOctet(attr, filter, k));
      for (Value &count : counts)
        count = arith::ExtUIOp::create(b, b.getI32Type(), count);
      sums = k == 0 ? counts : emitSums(b, sums, counts);
    }
    return sums;
  }

  VectorType getType(Attribute attr, int64_t width) const {
    return VectorType::get(getLanes(attr),
                           IntegerType::get(attr.getContext(), width));
  }
  SmallVector<VectorType> getPartialTypes(Attribute attr,
                                          const ProductForm &form) const {
    return SmallVector<VectorType>(form.getNumResults(), getType(attr, kBits));
  }
  SmallVector<VectorType> getAccumulatorTypes(Attribute attr,
                                              const ProductForm &form) const {
    return SmallVector<VectorType>(form.getNumResults(),
                                   getType(attr, 2 * kBits));
  }
  int64_t getMaxSteps(Attribute attr, const ProductForm &) const {
    return std::numeric_limits<uint8_t>::max() / (kBits * getStepSize(attr));
  }

  SmallVector<Value> emitInput(Attribute attr, ImplicitLocOpBuilder &b,
                               const ProductForm &, ValueRange elements) const {
    return emitBroadcasts(b, getType(attr, kBits), elements);
  }

  SmallVector<Value> emitStep(Attribute attr, ImplicitLocOpBuilder &b,
                              const ProductForm &form, ValueRange partial,
                              ValueRange input, ValueRange filter) const {
    SmallVector<Value> sums(partial);
    for (int64_t k = 0; k < getStepSize(attr); ++k)
      sums = emitSums(b, sums,
                      emitWordCounts(b, form, getOctet(attr, input, k),
                                     getOctet(attr, filter, k)));
    return sums;
  }

  SmallVector<Value> emitFlush(Attribute, ImplicitLocOpBuilder &b,
                               const ProductForm &, ValueRange accumulators,
                               ValueRange partial) const {
    return emitWideSums(b, accumulators, partial);
  }

  SmallVector<Value> emitFinish(Attribute attr, ImplicitLocOpBuilder &b,
                                const ProductForm &, ValueRange accumulators,
                                int64_t steps) const {
    return emitBytesIfFit(b, accumulators, steps * getStepSize(attr) * kBits);
  }
};
} // namespace

static SmallVector<Attribute> getTiles(MLIRContext *context,
                                       const ProductShape &shape,
                                       const TargetDescription &target) {
  // Whole registers, as large as the filters fill.
  int64_t bits = std::max(target.byteShuffleBits, target.vectorBits);
  while (bits > 128 && shape.filters % (bits / kBits) != 0)
    bits /= 2;
  int64_t lanes = bits / kBits, sharing = getSharingFilters(shape, kBits);
  // Whole words, where it takes more than a register: what follows packs them.
  int64_t most = std::max(lanes, kWordBits);
  int64_t channels =
      sharing < shape.filters ? fitChannels(shape, kBits, most) : most;
  int64_t registers = llvm::divideCeil(channels, lanes);
  int64_t rows = std::max<int64_t>(1, kSums / (countSums(shape) * registers));
  int64_t step = llvm::divideCeil(shape.channels, kBits);
  return {OctetsAttr::get(context, rows, channels, bits, step)};
}

const KernelEntry bquant::kOctetsKernel = {
    OctetsAttr::attachInterface<Selection, InnerTile>, getTiles};
