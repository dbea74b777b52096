//===- Bytes.cpp - Products of bytes, of all planes at once ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A step takes four bytes of the input, codes from 0 to 255, to all lanes, and
// of the filter four signed bytes of each channel, which lie side by side in
// the channel's lane of 32 bits. By what the target has:
//
//   4 summed   sum += dot(x, w)                        VNNI; NEON, whose bytes
//                                                      are signed both: x - 128
//   2 summed   part += pairs(x, w); sum += pairs(part, 1)     pmaddubsw
//   1 summed   sum += pairs(even(x), even(w)) + pairs(odd(x), odd(w))   pmaddwd
//
// Pairs of bytes are summed in 16 bits with saturation, which is never met: at
// most `held` steps are added up there, the codes' range says how many. Even
// and odd are the bytes of each 16 bits, widened to these where they lie.
//
//===----------------------------------------------------------------------===//

#include "KernelModel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace bquant;

/// Bytes of a step, and what NEON's signed ones are less than the codes.
static constexpr int64_t kStep = 4, kSigned = 128;
static constexpr int64_t kByteBits = 8, kPairBits = 16;
/// Rows of a tile and registers of its channels: sums, the filter, an element
/// of the input and a product fit 16 registers. Operands of 16 bits are two
/// each.
static constexpr int64_t kRows = 6, kWideRows = 4, kRegisters = 2;

/// Products of bytes that one instruction of a target sums; 0 without any.
static int64_t getMostSummed(const TargetDescription &target) {
  return target.hasByteDotProducts ? 4 : target.bytePairBits ? 2 : 0;
}

/// The largest magnitude of a filter's byte.
static int64_t getLargestByte(const ProductShape &shape) {
  int64_t most = std::numeric_limits<int8_t>::max();
  return shape.filterLevels <= most ? shape.filterLevels
                                    : shape.filterLevels / 2 + 1;
}

/// Steps whose sums of two products fit 16 bits.
static int64_t countHeld(const ProductShape &shape) {
  int64_t most = std::numeric_limits<int16_t>::max();
  return most / (2 * shape.inputLevels * getLargestByte(shape));
}

static Value bitcast(ImplicitLocOpBuilder &b, Value vector, int64_t width) {
  auto type = cast<VectorType>(vector.getType());
  int64_t bits = type.getNumElements() * type.getElementTypeBitWidth();
  return vector::BitCastOp::create(
      b, VectorType::get(bits / width, b.getIntegerType(width)), vector);
}

static Value call(ImplicitLocOpBuilder &b, Type type, StringRef name,
                  ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(b, type, b.getStringAttr(name), operands)
      .getResult(0);
}

static Value createSplat(ImplicitLocOpBuilder &b, VectorType type,
                         int64_t value) {
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(
             type, b.getIntegerAttr(type.getElementType(), value)));
}

namespace {
struct Bytes : KernelModel<Bytes, BytesAttr> {
  int64_t getLanes(Attribute attr) const {
    return get(attr).getBits() / kWordBits;
  }
  /// Registers of 128 bits that sum four are NEON's.
  static bool isSigned(Attribute attr) {
    return get(attr).getSummed() == 4 && get(attr).getBits() == 128;
  }

  std::string getReasonUnable(Attribute attr, const ProductShape &shape,
                              const TargetDescription &target) const {
    BytesAttr kernel = get(attr);
    int64_t summed = kernel.getSummed();
    if (summed == 4 &&
        (!target.hasByteDotProducts || kernel.getBits() != target.vectorBits))
      return "a target with dot products of bytes in registers of " +
             Twine(kernel.getBits()).str() + " bits (VNNI, dotprod)";
    if (summed != 4 && kernel.getBits() > target.bytePairBits)
      return "a target that adds pairs of products of bytes in registers of " +
             Twine(kernel.getBits()).str() + " bits";
    if (!shape.constantFilter)
      return "a constant filter";
    if (!shape.inputLevels || !shape.filterLevels)
      return "planes whose scalars are multiples of one";
    if (std::max(shape.inputLevels, shape.filterLevels) >
        std::numeric_limits<uint8_t>::max())
      return "at most 256 codes";
    if (summed == 2 && kernel.getHeld() > countHeld(shape))
      return "at most " + Twine(countHeld(shape)).str() +
             " steps held in 16 bits, but got " + Twine(kernel.getHeld()).str();
    if (shape.paddedInput)
      return "an image that is not smaller than the filter";
    if (shape.channels % kStep != 0)
      return "a multiple of 4 channels, but got " + Twine(shape.channels).str();
    return getReasonTileUnfit(shape, kStep, kernel.getChannels(),
                              /*inOne=*/true);
  }

  static StepCosts getCosts(Attribute attr, const TargetDescription &target) {
    int64_t summed = get(attr).getSummed();
    if (summed == 4)
      return target.costs.byteDots;
    if (summed == 2)
      return target.costs.bytePairs;
    return target.costs.widePairs;
  }
  double getCycles(Attribute attr, const ProductShape &shape,
                   const TargetDescription &target) const {
    // All planes are one.
    ProductShape codes = shape;
    codes.inputPlanes = codes.filterPlanes = 1;
    StepCosts costs = getCosts(attr, target);
    if (get(attr).getSummed() == 2)
      costs.step += costs.step / get(attr).getHeld();
    int64_t steps = shape.taps * llvm::divideCeil(shape.channels, kStep);
    return countCycles(codes, attr, steps, /*sums=*/1, costs);
  }
  double getLimitCycles(Attribute attr, const ProductShape &shape,
                        const TargetDescription &target) const {
    return shape.getMacs() / (shape.inputPlanes * shape.filterPlanes) / kStep /
           getLanes(attr) * getCosts(attr, target).step;
  }

  Layout getLayout(Attribute) const { return Layout::codes; }
  int64_t getStepSize(Attribute) const { return kStep; }
  int64_t getFilterStepSize(Attribute) const { return 1; }
  bool takesMaskedFilters(Attribute) const { return false; }
  Type getFilterElementType(Attribute attr) const {
    return IntegerType::get(attr.getContext(), kWordBits);
  }

  bool hasStart(Attribute attr) const { return isSigned(attr); }
  int64_t getStart(Attribute, const ProductForm &,
                   ArrayRef<uint32_t> words) const {
    int64_t sum = 0;
    for (uint32_t word : words)
      for (int64_t k = 0; k < kStep; ++k)
        sum += int8_t(word >> (k * kByteBits));
    return kSigned * sum;
  }

  SmallVector<Value> emitMeaning(Attribute attr, ImplicitLocOpBuilder &b,
                                 const ProductForm &, ValueRange input,
                                 ValueRange filter) const {
    auto number = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
    };
    Value sum = number(0);
    for (auto [k, byte] : llvm::enumerate(input)) {
      Value x = arith::ExtUIOp::create(b, b.getI32Type(), byte);
      if (isSigned(attr))
        x = arith::SubIOp::create(b, x, number(kSigned));
      // The byte to the top of the word, and down with its sign.
      Value w = arith::ShLIOp::create(
          b, filter[0], number(kWordBits - kByteBits * (int64_t(k) + 1)));
      w = arith::ShRSIOp::create(b, w, number(kWordBits - kByteBits));
      sum = arith::AddIOp::create(b, sum, arith::MulIOp::create(b, x, w));
    }
    return {sum};
  }

  VectorType getType(Attribute attr, int64_t width) const {
    return VectorType::get(get(attr).getBits() / width,
                           IntegerType::get(attr.getContext(), width));
  }
  SmallVector<VectorType> getPartialTypes(Attribute attr,
                                          const ProductForm &form) const {
    if (get(attr).getSummed() == 2)
      return {getType(attr, kPairBits)};
    return getAccumulatorTypes(attr, form);
  }
  SmallVector<VectorType> getAccumulatorTypes(Attribute attr,
                                              const ProductForm &) const {
    return {getType(attr, kWordBits)};
  }
  int64_t getMaxSteps(Attribute attr, const ProductForm &) const {
    return get(attr).getSummed() == 2 ? get(attr).getHeld()
                                      : std::numeric_limits<int32_t>::max();
  }

  /// The even and the odd bytes in 16 bits each; `Shift` brings zeros or the
  /// sign.
  template <typename Shift>
  SmallVector<Value> widen(Attribute attr, ImplicitLocOpBuilder &b,
                           Value bytes) const {
    Value pairs = bitcast(b, bytes, kPairBits);
    Value byte = createSplat(b, getType(attr, kPairBits), kByteBits);
    Value even = arith::ShLIOp::create(b, pairs, byte);
    return {Shift::create(b, even, byte), Shift::create(b, pairs, byte)};
  }

  SmallVector<Value> emitInput(Attribute attr, ImplicitLocOpBuilder &b,
                               const ProductForm &, ValueRange elements) const {
    Value bytes = vector::FromElementsOp::create(
        b, VectorType::get(kStep, b.getI8Type()), elements);
    Value word = vector::ExtractOp::create(b, bitcast(b, bytes, kWordBits), 0);
    Value words =
        vector::BroadcastOp::create(b, getType(attr, kWordBits), word);
    Value codes = bitcast(b, words, kByteBits);
    if (get(attr).getSummed() == 1)
      return widen<arith::ShRUIOp>(attr, b, codes);
    if (isSigned(attr))
      codes = arith::XOrIOp::create(
          b, codes, createSplat(b, getType(attr, kByteBits), -kSigned));
    return {codes};
  }
  SmallVector<Value> emitFilter(Attribute attr, ImplicitLocOpBuilder &b,
                                const ProductForm &, ValueRange elements,
                                int64_t) const {
    Value bytes = bitcast(b, elements[0], kByteBits);
    if (get(attr).getSummed() != 1)
      return {bytes};
    return widen<arith::ShRSIOp>(attr, b, bytes);
  }

  /// Products of pairs of 16 bits, summed in 32.
  Value emitPairs(Attribute attr, ImplicitLocOpBuilder &b, Value x,
                  Value w) const {
    int64_t bits = get(attr).getBits();
    return call(b, getType(attr, kWordBits),
                bits == 128   ? "llvm.x86.sse2.pmadd.wd"
                : bits == 256 ? "llvm.x86.avx2.pmadd.wd"
                              : "llvm.x86.avx512.pmaddw.d.512",
                {x, w});
  }

  SmallVector<Value> emitStep(Attribute attr, ImplicitLocOpBuilder &b,
                              const ProductForm &, ValueRange partial,
                              ValueRange input, ValueRange filter) const {
    int64_t bits = get(attr).getBits();
    if (get(attr).getSummed() == 1) {
      Value even = emitPairs(attr, b, input[0], filter[0]);
      Value odd = emitPairs(attr, b, input[1], filter[1]);
      Value both = arith::AddIOp::create(b, even, odd);
      return {arith::AddIOp::create(b, partial[0], both)};
    }
    if (get(attr).getSummed() == 4)
      return {call(b, partial[0].getType(),
                   bits == 128   ? "llvm.aarch64.neon.sdot"
                   : bits == 256 ? "llvm.x86.avx512.vpdpbusd.256"
                                 : "llvm.x86.avx512.vpdpbusd.512",
                   {partial[0], input[0], filter[0]})};
    Value pairs = call(b, partial[0].getType(),
                       bits == 128   ? "llvm.x86.ssse3.pmadd.ub.sw.128"
                       : bits == 256 ? "llvm.x86.avx2.pmadd.ub.sw"
                                     : "llvm.x86.avx512.pmaddubs.w.512",
                       {input[0], filter[0]});
    return {arith::AddIOp::create(b, partial[0], pairs)};
  }

  SmallVector<Value> emitFlush(Attribute attr, ImplicitLocOpBuilder &b,
                               const ProductForm &, ValueRange accumulators,
                               ValueRange partial) const {
    SmallVector<Value> sums;
    for (auto [accumulator, sum] : llvm::zip_equal(accumulators, partial)) {
      Value added = sum;
      if (get(attr).getSummed() == 2)
        added = emitPairs(attr, b, sum,
                          createSplat(b, getType(attr, kPairBits), 1));
      sums.push_back(arith::AddIOp::create(b, accumulator, added));
    }
    return sums;
  }
  SmallVector<Value> emitFinish(Attribute, ImplicitLocOpBuilder &,
                                const ProductForm &, ValueRange accumulators,
                                int64_t) const {
    return {accumulators[0]};
  }
};
} // namespace

void bquant::attachBytes(MLIRContext *context) {
  BytesAttr::attachInterface<Bytes>(*context);
}

void bquant::addBytes(Kernels &kernels, MLIRContext *context,
                      const ProductShape &shape,
                      const TargetDescription &target) {
  int64_t summed = getMostSummed(target);
  if (!summed)
    summed = 4; // What it would expect is said of this.
  int64_t held = 1;
  if (summed == 2 && shape.inputLevels && shape.filterLevels) {
    held = std::max<int64_t>(1, countHeld(shape));
    if (countHeld(shape) < 1)
      summed = 1;
  }
  int64_t bits = summed == 4 ? target.vectorBits : target.bytePairBits;
  int64_t most = kRegisters * bits / kWordBits;
  // Where there are registers for it, whole words: what follows may pack them.
  if (target.vectorRegisters >= 32)
    most = std::max(most, kWordBits / (summed == 1 ? 2 : 1));
  // A register has one element of the input: no channels of two groups.
  int64_t sharing = getSharingFilters(shape, kStep);
  int64_t channels = sharing < most && sharing != shape.filters
                         ? sharing
                         : fitChannels(shape, kStep, most);
  int64_t rows = summed == 1 ? kWideRows : kRows;
  kernels.push_back(cast<KernelAttrInterface>(
      BytesAttr::get(context, rows, channels, bits, summed, held)));
}
