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
//   8 summed   sums += x w^T, of two rows and two channels        usmmla
//   4 summed   sum += dot(x, w)                                   VNNI, sdot
//   2 summed   part += pairs(x, w); sum += pairs(part, 1)         pmaddubsw
//   1 summed   sum += pairs(even(x), even(w)) + pairs(odd(x), odd(w))   pmaddwd
//              sums += pairs(x * w), of each half          smull, sadalp
//
// NEON multiplies signed bytes: codes less 128. Its products of 16 bits fill
// two registers, whose pairs are added to two sums of 32 bits; the pairs of
// these are a channel's.
//
// Pairs of bytes are summed in 16 bits with saturation, which is never met: at
// most `held` steps are added up there, the codes' range says how many. Even
// and odd are the bytes of each 16 bits, widened to these where they lie.
//
// The values of a filter often say more than its range. A group of its words is
// summed within a step:
//
//   sum += pairs(pairs(x0, w0) + bias + pairs(x1, w1), 1)
//
// Only pairs saturate, their sums wrap: those of a lane may be more than 16
// bits hold, as long as a bias brings all that they can be, least to largest,
// there. Of seven bits each, four weights are always so. What a channel's sum
// starts from takes the biases out.
//
// Where each channel has an input of its own, four of its bytes are brought
// side by side, three with a zero, in place of four that all channels share.
// As many channels as a register has bytes are interleaved at once, which fills
// four registers. Instructions do that within 128 bits, and channels stay as
// they come out of it: of each 16 the first register has the first four.
//
//   r0 r0 r0 r0 ...  bytes    r0 r1 r0 r1 ...   pairs     r0 r1 r2 r3 ...
//   r1 r1 r1 r1 ...  ------>  r2 r3 r2 r3 ...   ------>
//   r2 ...
//
// Where codes are packed, a word of the filter holds those of several steps, a
// shift and an and apart: twice a code less the largest one is the byte.
//
//===----------------------------------------------------------------------===//

#include "BytesChoice.h"
#include "KernelModel.h"
#include "WordMeaning.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;

static constexpr int64_t kStep = kBytesOfStep;
/// What signed bytes are less than the codes.
static constexpr int64_t kSigned = 128;
static constexpr int64_t kPairBits = 16;
/// Rows, and channels, that are multiplied at once.
static constexpr int64_t kPair = 2;
/// What instructions interleave within, and the words of it.
static constexpr int64_t kGroupBits = 128, kGroupBytes = kGroupBits / 8,
                         kGroupWords = kGroupBits / kWordBits;

static Value bitcast(ImplicitLocOpBuilder &b, Value vector, int64_t width) {
  auto type = cast<VectorType>(vector.getType());
  int64_t bits = type.getNumElements() * type.getElementTypeBitWidth();
  return vector::BitCastOp::create(
      b, VectorType::get(bits / width, b.getIntegerType(width)), vector);
}

namespace {
struct Selection : SelectionModel<Selection, BytesAttr> {
  LogicalResult verifyProduct(Attribute attr, const ProductShape &shape,
                              const TargetDescription &target,
                              ExplainFn explain) const {
    return verifyBytesProduct(get(attr), shape, target, explain);
  }

  double getCycles(Attribute attr, const ProductShape &shape,
                   const TargetDescription &target) const {
    return getBytesCycles(get(attr), shape, target);
  }

  double getLimitCycles(Attribute attr, const ProductShape &shape,
                        const TargetDescription &target) const {
    return getBytesLimitCycles(get(attr), shape, target);
  }
};

struct InnerTile : InnerTileModel<InnerTile, BytesAttr> {
  int64_t getLanes(Attribute attr) const {
    return countRegisters(attr) * get(attr).getBits() / kWordBits;
  }
  /// Registers whose channels are interleaved at once.
  static int64_t countRegisters(Attribute attr) {
    return interleavesBytes(get(attr)) ? kStep : 1;
  }
  bool finishesRows(Attribute attr) const { return countRegisters(attr) > 1; }
  /// That in which blocks of the filter have their channels.
  SmallVector<int64_t> getOrder(Attribute attr) const {
    auto layout = cast<BlocksAttr>(getFilterLayout(attr));
    if (layout.getParts() == 1)
      return {};
    AffineMap lane = AffineMap::get(
        1, 0, layout.getLane(getAffineDimExpr(0, attr.getContext())));
    SmallVector<int64_t> order(getLanes(attr));
    for (int64_t channel = 0; channel < getLanes(attr); ++channel)
      order[lane.compose(channel).front()] = channel;
    return order;
  }
  static int64_t getPacked(Attribute attr) { return get(attr).getPacked(); }
  /// Whether an instruction multiplies two rows by two channels.
  static bool multipliesPairs(Attribute attr) {
    return get(attr).getSummed() == kBytesOfPairs;
  }
  int64_t getRowsOfStep(Attribute attr) const {
    return multipliesPairs(attr) ? kPair : 1;
  }
  static bool isSigned(Attribute attr) { return get(attr).getSignedCodes(); }
  /// Whether the sums of a register take two.
  static bool hasHalves(Attribute attr) {
    return isSigned(attr) && get(attr).getSummed() == 1;
  }

  /// Whether sums of pairs are held in 16 bits over several steps.
  static bool holdsPairs(Attribute attr) {
    return get(attr).getSummed() == 2 &&
           (get(attr).getHeld() > 1 || getPacked(attr) > 1);
  }

  LayoutAttrInterface getLayout(Attribute attr) const {
    return CodesLayoutAttr::get(attr.getContext());
  }
  int64_t getStepSize(Attribute attr) const {
    int64_t taps = get(attr).getTaps();
    return taps ? taps : kStep * getPacked(attr) * get(attr).getWordsOfStep();
  }
  std::optional<ProductResult> getResult(Attribute,
                                         const ProductForm &form) const {
    if (form.maskedInput || form.maskedFilter)
      return std::nullopt;
    return ProductResult::Dots;
  }
  FilterLayoutAttrInterface getFilterLayout(Attribute attr) const {
    int64_t taps = get(attr).getTaps();
    auto rows = CodeWordsLayoutAttr::get(
        attr.getContext(), get(attr).getLevels(), taps ? taps : kStep,
        get(attr).getWordsOfStep(), get(attr).getBiased(),
        /*interleaved=*/multipliesPairs(attr));
    // What interleaves bytes leaves channels in the order of its groups.
    int64_t parts = finishesRows(attr) ? get(attr).getBits() / kGroupBits : 1;
    return getBlocks(attr, rows, parts, parts > 1 ? kGroupWords : 1);
  }

  static int64_t sumBiases(Attribute attr, ArrayRef<uint32_t> words) {
    int64_t sum = 0;
    for (size_t group = get(attr).getGroup(); !words.empty();
         words = words.drop_front(group)) {
      uint32_t biases = CodeWordsLayoutAttr::getBias(words.take_front(group));
      sum += int16_t(biases) + int16_t(biases >> kPairBits);
    }
    return sum;
  }

  std::optional<int64_t> getStart(Attribute attr, const ProductForm &,
                                  ArrayRef<uint32_t> words) const {
    if (get(attr).getBiased())
      return -sumBiases(attr, words);
    if (!isSigned(attr))
      return std::nullopt;
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
    if (get(attr).getBiased()) {
      Value half = number(kPairBits),
            low = arith::ShLIOp::create(b, filter.back(), half);
      sum =
          arith::AddIOp::create(b, arith::ShRSIOp::create(b, low, half),
                                arith::ShRSIOp::create(b, filter.back(), half));
    }
    for (auto [k, byte] : llvm::enumerate(input)) {
      Value x = arith::ExtUIOp::create(b, b.getI32Type(), byte);
      if (isSigned(attr))
        x = arith::SubIOp::create(b, x, number(kSigned));
      // The byte, or the code, to the top of the word, and down: the byte with
      // its sign.
      int64_t packed = getPacked(attr), bits = kByteBits / packed,
              first = kByteBits * (k % kStep);
      Value word = filter[packed == 1 ? k / kStep : 0];
      if (packed > 1)
        first += bits * (k / kStep);
      Value w =
          arith::ShLIOp::create(b, word, number(kWordBits - bits - first));
      if (packed == 1) {
        w = arith::ShRSIOp::create(b, w, number(kWordBits - bits));
      } else {
        w = arith::ShRUIOp::create(b, w, number(kWordBits - bits));
        w = arith::SubIOp::create(b, arith::AddIOp::create(b, w, w),
                                  number(get(attr).getLevels()));
      }
      sum = arith::AddIOp::create(b, sum, arith::MulIOp::create(b, x, w));
    }
    return {sum};
  }

  /// A register.
  static VectorType getType(Attribute attr, int64_t width) {
    return VectorType::get(get(attr).getBits() / width,
                           IntegerType::get(attr.getContext(), width));
  }
  /// The registers that are computed together, as one vector.
  static VectorType getWhole(Attribute attr, int64_t width) {
    VectorType type = getType(attr, width);
    return VectorType::get(countRegisters(attr) * type.getDimSize(0),
                           type.getElementType());
  }
  static SmallVector<Value> split(Attribute attr, ImplicitLocOpBuilder &b,
                                  Value whole) {
    int64_t size =
        cast<VectorType>(whole.getType()).getDimSize(0) / countRegisters(attr);
    SmallVector<Value> registers;
    for (int64_t r = 0; r < countRegisters(attr); ++r)
      registers.push_back(b.createOrFold<vector::ExtractStridedSliceOp>(
          whole, ArrayRef<int64_t>{r * size}, ArrayRef<int64_t>{size},
          ArrayRef<int64_t>{1}));
    return registers;
  }
  /// Two halves, and so on.
  static Value join(ImplicitLocOpBuilder &b, ArrayRef<Value> registers) {
    if (registers.size() == 1)
      return registers[0];
    size_t half = registers.size() / 2;
    Value low = join(b, registers.take_front(half)),
          high = join(b, registers.drop_front(half));
    int64_t size = cast<VectorType>(low.getType()).getDimSize(0);
    return vector::ShuffleOp::create(
        b, low, high, llvm::to_vector(llvm::seq<int64_t>(0, 2 * size)));
  }
  SmallVector<VectorType> getPartialTypes(Attribute attr,
                                          const ProductForm &form) const {
    if (holdsPairs(attr))
      return {getWhole(attr, kPairBits)};
    return getAccumulatorTypes(attr, form);
  }
  SmallVector<VectorType> getAccumulatorTypes(Attribute attr,
                                              const ProductForm &) const {
    // Two channels each, or a channel's two sums.
    return SmallVector<VectorType>(hasHalves(attr) || multipliesPairs(attr) ? 2
                                                                            : 1,
                                   getWhole(attr, kWordBits));
  }
  int64_t getMaxSteps(Attribute attr, const ProductForm &) const {
    return holdsPairs(attr) ? get(attr).getHeld() / getPacked(attr)
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

  /// Four bytes, side by side in all words.
  Value spread(Attribute attr, ImplicitLocOpBuilder &b,
               ValueRange elements) const {
    Value bytes = vector::FromElementsOp::create(
        b, VectorType::get(kStep, b.getI8Type()), elements);
    Value word = vector::ExtractOp::create(b, bitcast(b, bytes, kWordBits), 0);
    return bitcast(
        b, vector::BroadcastOp::create(b, getType(attr, kWordBits), word),
        kByteBits);
  }

  /// Words of the bytes of up to four vectors. What is above them is multiplied
  /// by a filter's zeros: any byte will do, but poison.
  static Value interleave(ImplicitLocOpBuilder &b, ValueRange vectors) {
    int64_t lanes = cast<VectorType>(vectors[0].getType()).getNumElements();
    Value joined = vectors[0];
    for (Value next : vectors.drop_front()) {
      int64_t size = cast<VectorType>(joined.getType()).getNumElements();
      auto all = llvm::to_vector(llvm::seq<int64_t>(0, size + lanes));
      joined = vector::ShuffleOp::create(b, joined, next, all);
    }
    SmallVector<int64_t> places;
    for (int64_t lane = 0; lane < lanes; ++lane)
      for (int64_t k = 0; k < kStep; ++k)
        places.push_back(k < int64_t(vectors.size()) ? k * lanes + lane : lane);
    return vector::ShuffleOp::create(b, joined, joined, places);
  }

  /// The lower or the upper halves of each 128 bits, an element of one after
  /// one of the other.
  static Value unpack(ImplicitLocOpBuilder &b, Value one, Value other,
                      int64_t width, bool upper) {
    one = bitcast(b, one, width);
    other = bitcast(b, other, width);
    int64_t size = cast<VectorType>(one.getType()).getDimSize(0),
            group = kGroupBits / width;
    SmallVector<int64_t> places;
    for (int64_t first = 0; first < size; first += group)
      for (int64_t i = 0; i < group / 2; ++i) {
        int64_t place = first + i + (upper ? group / 2 : 0);
        places.append({place, size + place});
      }
    return bitcast(b, vector::ShuffleOp::create(b, one, other, places),
                   kByteBits);
  }

  /// The same of as many channels as a register has bytes.
  static SmallVector<Value>
  interleaveAll(Attribute attr, ImplicitLocOpBuilder &b, ArrayRef<Value> rows) {
    // What is not there is multiplied by zeros: any row will do.
    auto getRow = [&](size_t i) { return i < rows.size() ? rows[i] : rows[0]; };
    SmallVector<Value> registers;
    for (bool upperBytes : {false, true}) {
      Value low = unpack(b, getRow(0), getRow(1), kByteBits, upperBytes),
            high = unpack(b, getRow(2), getRow(3), kByteBits, upperBytes);
      for (bool upperPairs : {false, true})
        registers.push_back(unpack(b, low, high, kPairBits, upperPairs));
    }
    return registers;
  }

  /// Bytes of a step in all lanes, register by register.
  SmallVector<Value> emitCodes(Attribute attr, ImplicitLocOpBuilder &b,
                               ValueRange elements) const {
    if (!get(attr).getTaps())
      return {spread(attr, b, elements)};
    if (interleavesBytes(get(attr)))
      return interleaveAll(attr, b, llvm::to_vector(elements));
    return {interleave(b, elements)};
  }

  SmallVector<Value> emitInput(Attribute attr, ImplicitLocOpBuilder &b,
                               const ProductForm &, ValueRange elements) const {
    // Those of two rows, one after the other.
    if (multipliesPairs(attr))
      return {vector::FromElementsOp::create(b, getType(attr, kByteBits),
                                             elements)};
    SmallVector<Value> all, inputs;
    size_t each = get(attr).getTaps() ? elements.size() : kStep;
    for (; !elements.empty(); elements = elements.drop_front(each))
      llvm::append_range(all, emitCodes(attr, b, elements.take_front(each)));
    for (Value codes : all) {
      if (get(attr).getSummed() == 1 && !isSigned(attr)) {
        llvm::append_range(inputs, widen<arith::ShRUIOp>(attr, b, codes));
        continue;
      }
      if (isSigned(attr))
        codes = arith::XOrIOp::create(
            b, codes, createSplat(b, getType(attr, kByteBits), -kSigned));
      inputs.push_back(codes);
    }
    return inputs;
  }
  SmallVector<Value> emitFilter(Attribute attr, ImplicitLocOpBuilder &b,
                                const ProductForm &, ValueRange elements,
                                int64_t) const {
    SmallVector<Value> filters;
    if (get(attr).getWordsOfStep() > 1) {
      for (Value words : elements)
        filters.push_back(bitcast(b, words, kByteBits));
      return filters;
    }
    for (Value words : split(attr, b, elements[0]))
      for (int64_t p = 0; p < getPacked(attr); ++p) {
        Value bytes = emitBytes(attr, b, words, p);
        if (get(attr).getSummed() == 1 && !isSigned(attr))
          llvm::append_range(filters, widen<arith::ShRSIOp>(attr, b, bytes));
        else
          filters.push_back(bytes);
      }
    return filters;
  }

  /// Those of step `p` of the ones that are packed.
  Value emitBytes(Attribute attr, ImplicitLocOpBuilder &b, Value words,
                  int64_t p) const {
    int64_t packed = getPacked(attr), bits = kByteBits / packed;
    if (packed == 1)
      return bitcast(b, words, kByteBits);
    // Twice a code is one bit further up; it stays in its byte.
    int64_t down = p * bits - 1;
    Value shift = createSplat(b, getType(attr, kWordBits), std::abs(down));
    Value shifted = down < 0
                        ? arith::ShLIOp::create(b, words, shift).getResult()
                        : arith::ShRUIOp::create(b, words, shift).getResult();
    VectorType type = getType(attr, kByteBits);
    Value mask = createSplat(b, type, ((int64_t(1) << bits) - 1) << 1);
    Value twice =
        arith::AndIOp::create(b, bitcast(b, shifted, kByteBits), mask);
    return arith::SubIOp::create(b, twice,
                                 createSplat(b, type, get(attr).getLevels()));
  }

  /// Products of pairs of 16 bits, summed in 32.
  Value emitPairs(Attribute attr, ImplicitLocOpBuilder &b, Value x,
                  Value w) const {
    int64_t bits = get(attr).getBits();
    return callIntrinsic(b, getType(attr, kWordBits),
                         bits == 128   ? "llvm.x86.sse2.pmadd.wd"
                         : bits == 256 ? "llvm.x86.avx2.pmadd.wd"
                                       : "llvm.x86.avx512.pmaddw.d.512",
                         {x, w});
  }

  /// Of 16 bits, in 32.
  Value addPairs(Attribute attr, ImplicitLocOpBuilder &b, Value pairs) const {
    return emitPairs(attr, b, pairs,
                     createSplat(b, getType(attr, kPairBits), 1));
  }

  SmallVector<Value> emitStep(Attribute attr, ImplicitLocOpBuilder &b,
                              const ProductForm &, ValueRange partial,
                              ValueRange input, ValueRange filter) const {
    if (hasHalves(attr))
      return emitHalves(attr, b, partial, input, filter);
    if (get(attr).getGroup() > 1)
      return {emitGroup(attr, b, partial[0], input, filter)};
    if (multipliesPairs(attr)) {
      SmallVector<Value> sums;
      for (auto [sum, channels] : llvm::zip_equal(partial, filter))
        sums.push_back(callIntrinsic(b, sum.getType(),
                                     "llvm.aarch64.neon.usmmla",
                                     {sum, input[0], channels}));
      return sums;
    }
    SmallVector<Value> sums = split(attr, b, partial[0]);
    size_t each = input.size() / sums.size() / getPacked(attr);
    for (Value &sum : sums)
      for (int64_t p = 0; p < getPacked(attr); ++p) {
        sum = emitSum(attr, b, sum, input.take_front(each),
                      filter.take_front(each));
        input = input.drop_front(each);
        filter = filter.drop_front(each);
      }
    return {join(b, sums)};
  }

  /// Pairs of products of the lower and the upper half of registers.
  SmallVector<Value> emitHalves(Attribute attr, ImplicitLocOpBuilder &b,
                                ValueRange partial, ValueRange input,
                                ValueRange filter) const {
    SmallVector<Value> halves;
    for (auto [half, whole] : llvm::enumerate(partial)) {
      SmallVector<Value> sums = split(attr, b, whole);
      for (auto [i, sum] : llvm::enumerate(sums))
        for (int64_t p = 0; p < getPacked(attr); ++p) {
          auto getHalf = [&, half = half](Value bytes) {
            int64_t size = kGroupBytes / 2;
            return vector::ExtractStridedSliceOp::create(
                b, bytes, ArrayRef<int64_t>{int64_t(half) * size},
                ArrayRef<int64_t>{size}, ArrayRef<int64_t>{1});
          };
          size_t at = i * getPacked(attr) + p;
          Value products = callIntrinsic(
              b, getType(attr, kPairBits), "llvm.aarch64.neon.smull",
              {getHalf(input[at]), getHalf(filter[at])});
          Value pairs = callIntrinsic(b, getType(attr, kWordBits),
                                      "llvm.aarch64.neon.saddlp", products);
          sum = arith::AddIOp::create(b, sum, pairs);
        }
      halves.push_back(join(b, sums));
    }
    return halves;
  }

  SmallVector<Value> emitFinish(Attribute attr, ImplicitLocOpBuilder &b,
                                const ProductForm &, ValueRange accumulators,
                                int64_t) const {
    if (multipliesPairs(attr)) {
      // [r0 c0, r0 c1, r1 c0, r1 c1] and the same of c2 and c3.
      SmallVector<Value> rows;
      for (int64_t row : {0, 1})
        rows.push_back(vector::ShuffleOp::create(
            b, accumulators[0], accumulators[1],
            ArrayRef<int64_t>{2 * row, 2 * row + 1, 2 * row + 4, 2 * row + 5}));
      return rows;
    }
    if (!hasHalves(attr))
      return SmallVector<Value>(accumulators);
    SmallVector<Value> sums;
    for (auto [low, high] : llvm::zip_equal(split(attr, b, accumulators[0]),
                                            split(attr, b, accumulators[1])))
      sums.push_back(callIntrinsic(b, getType(attr, kWordBits),
                                   "llvm.aarch64.neon.addp", {low, high}));
    return {join(b, sums)};
  }

  /// Products of pairs of bytes, summed in 16 bits.
  Value emitBytePairs(Attribute attr, ImplicitLocOpBuilder &b, Value x,
                      Value w) const {
    int64_t bits = get(attr).getBits();
    return callIntrinsic(b, getType(attr, kPairBits),
                         bits == 128   ? "llvm.x86.ssse3.pmadd.ub.sw.128"
                         : bits == 256 ? "llvm.x86.avx2.pmadd.ub.sw"
                                       : "llvm.x86.avx512.pmaddubs.w.512",
                         {x, w});
  }

  /// Of the words of a group, what they start from behind them.
  Value emitGroup(Attribute attr, ImplicitLocOpBuilder &b, Value partial,
                  ValueRange input, ValueRange filter) const {
    Value sum;
    if (get(attr).getBiased())
      sum = bitcast(b, filter.back(), kPairBits);
    for (auto [x, w] : llvm::zip(input, filter)) {
      Value pairs = emitBytePairs(attr, b, x, w);
      sum = sum ? arith::AddIOp::create(b, sum, pairs).getResult() : pairs;
    }
    return arith::AddIOp::create(b, partial, addPairs(attr, b, sum));
  }

  /// Of one step and register.
  Value emitSum(Attribute attr, ImplicitLocOpBuilder &b, Value partial,
                ValueRange input, ValueRange filter) const {
    int64_t bits = get(attr).getBits();
    if (get(attr).getSummed() == 1) {
      Value even = emitPairs(attr, b, input[0], filter[0]);
      Value odd = emitPairs(attr, b, input[1], filter[1]);
      Value both = arith::AddIOp::create(b, even, odd);
      return arith::AddIOp::create(b, partial, both);
    }
    if (get(attr).getSummed() == 4)
      return callIntrinsic(b, partial.getType(),
                           isSigned(attr) ? "llvm.aarch64.neon.sdot"
                           : bits == 128  ? "llvm.x86.avx512.vpdpbusd.128"
                           : bits == 256  ? "llvm.x86.avx512.vpdpbusd.256"
                                          : "llvm.x86.avx512.vpdpbusd.512",
                           {partial, input[0], filter[0]});
    Value pairs = emitBytePairs(attr, b, input[0], filter[0]);
    Value sum = holdsPairs(attr) ? pairs : addPairs(attr, b, pairs);
    return arith::AddIOp::create(b, partial, sum);
  }

  SmallVector<Value> emitFlush(Attribute attr, ImplicitLocOpBuilder &b,
                               const ProductForm &, ValueRange accumulators,
                               ValueRange partial) const {
    if (!holdsPairs(attr))
      return emitSums(b, accumulators, partial);
    SmallVector<Value> sums = split(attr, b, partial[0]);
    for (Value &sum : sums)
      sum = addPairs(attr, b, sum);
    return emitSums(b, accumulators, join(b, sums));
  }
};
} // namespace

const KernelEntry bquant::kBytesKernel = {
    BytesAttr::attachInterface<Selection, InnerTile>, getBytesTiles};
