//===- Table.cpp - A shuffle of bytes for four bits of each channel -------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Four channels n of the input pick table n, whose entry f is popcount(n ^ f);
// the filter's bytes f, one for each output channel, index it in one shuffle.
// Of a ternary input mask m and sign s pick one of 256 tables of dots, which
// lie between -4 and 4 and are stored with 4 added.
//
// A table is 16 bytes, broadcast to each 128 bits of a register as it is
// loaded. Sums of bytes are flushed into sums of 16 bits, of the odd bytes and
// of both (modulo 2^16), of which the even ones follow in the end; the filter's
// bytes are permuted such that even and odd are the first and the second half
// of the register's channels.
//
//===----------------------------------------------------------------------===//

#include "KernelModel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;

/// Channels of an element, and bytes of a table.
static constexpr int64_t kBits = 4, kTable = 16;
/// What is added to a dot.
static constexpr int64_t kBias = kBits;
/// Sums of a tile, and registers that neither they nor the filter take: of the
/// table, and of what is shuffled.
static constexpr int64_t kSums = 12, kOthers = 2;
static constexpr int64_t kChannels = 64;

static constexpr llvm::StringLiteral kShuffle128 = "llvm.x86.ssse3.pshuf.b.128",
                                     kShuffle256 = "llvm.x86.avx2.pshuf.b",
                                     kShuffle512 =
                                         "llvm.x86.avx512.pshuf.b.512",
                                     kShuffleNEON = "llvm.aarch64.neon.tbl1";

/// What shuffles `bits` bits on the target of what is built.
static StringRef getShuffle(OpBuilder &b, int64_t bits) {
  if (targetsAArch64(b))
    return kShuffleNEON;
  return bits == 128 ? kShuffle128 : bits == 256 ? kShuffle256 : kShuffle512;
}

/// The tables of an unmasked, or of a masked input.
static Value createTables(ImplicitLocOpBuilder &b, bool masked) {
  SmallVector<int8_t> bytes;
  for (unsigned mask = masked ? 0 : 15; mask < 16; ++mask)
    for (unsigned sign = 0; sign < 16; ++sign)
      for (unsigned f = 0; f < kTable; ++f) {
        int count = llvm::popcount((sign ^ f) & mask);
        bytes.push_back(masked ? llvm::popcount(mask) - 2 * count + kBias
                               : count);
      }
  auto type = RankedTensorType::get(bytes.size(), b.getI8Type());
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(type, ArrayRef<int8_t>(bytes)));
}

/// Registers of the filter for each of the tile.
static int64_t countFilters(const ProductShape &shape) {
  return shape.filterPlanes * (shape.ternaryFilter ? 2 : 1);
}
static int64_t countPairs(const ProductShape &shape) {
  return shape.inputPlanes * countFilters(shape);
}
/// Steps whose counts or dots a byte holds.
static int64_t getMostSteps(bool maskedInput) {
  return std::numeric_limits<uint8_t>::max() /
         (maskedInput ? kBits + kBias : kBits);
}

namespace {
struct Selection : SelectionModel<Selection, TableAttr> {
  LogicalResult verifyProduct(Attribute attr, const ProductShape &shape,
                              const TargetDescription &target,
                              ExplainFn explain) const {
    int64_t bits = get(attr).getBits();
    if (bits > target.byteShuffleBits)
      return explain("expected a target that shuffles the bytes of " +
                     Twine(bits) + " bits");
    if (shape.isDepthwise())
      return explain("expected more than one channel for each filter");
    if (!hasWholeGroups(shape, kBits))
      return explain("expected groups of a multiple of 4 channels, but got " +
                     Twine(shape.channels));
    // Sums of 16 bits.
    int64_t most = std::numeric_limits<uint16_t>::max() /
                   (shape.ternaryInput || shape.paddedInput ? 2 : 1);
    if (shape.taps * shape.channels + kBits * shape.taps > most)
      return explain("expected at most " + Twine(most) +
                     " channels of all taps, but got " +
                     Twine(shape.taps * shape.channels));
    return verifyTile(shape, kBits, get(attr).getChannels(), explain,
                      /*inOne=*/true);
  }

  double getCycles(Attribute attr, const ProductShape &shape,
                   const TargetDescription &target) const {
    int64_t steps = shape.taps * llvm::divideCeil(shape.channels, kBits);
    bool masked = shape.ternaryInput || shape.paddedInput;
    StepCosts costs = target.costs.table;
    costs.step += target.otherCosts.flushTableSums / getMostSteps(masked);
    // Mask and sign pick a table.
    costs.perRow *= masked ? 2 : 1;
    ProductShape elements = shape;
    elements.filterPlanes = countFilters(shape);
    return countCycles(elements, attr, steps, countPairs(shape), costs,
                       target.otherCosts);
  }

  double getLimitCycles(Attribute attr, const ProductShape &shape,
                        const TargetDescription &target) const {
    return shape.getMacs() / kBits / getLanes(attr) * target.costs.table.step;
  }
};

struct InnerTile : InnerTileModel<InnerTile, TableAttr> {
  int64_t getLanes(Attribute attr) const { return get(attr).getBits() / 8; }

  LayoutAttrInterface getLayout(Attribute attr) const {
    return NibblesLayoutAttr::get(attr.getContext(), /*firstBit=*/2);
  }
  std::optional<ProductResult> getResult(Attribute,
                                         const ProductForm &form) const {
    if (form.maskedFilter)
      return std::nullopt;
    return form.maskedInput ? ProductResult::Dots : ProductResult::Counts;
  }
  std::pair<int64_t, int64_t> getRange(Attribute, const ProductForm &form,
                                       int64_t steps) const {
    int64_t most = kBits * steps;
    return {form.maskedInput ? -most : 0, most};
  }
  /// Lanes are those of the even bytes, and of the odd ones.
  FilterLayoutAttrInterface getFilterLayout(Attribute attr) const {
    return getBlocks(attr,
                     NibblesLayoutAttr::get(attr.getContext(), /*firstBit=*/0),
                     /*parts=*/2);
  }

  SmallVector<Value> emitMeaning(Attribute, ImplicitLocOpBuilder &b,
                                 const ProductForm &form, ValueRange input,
                                 ValueRange filter) const {
    Value two = arith::ConstantOp::create(b, b.getI8IntegerAttr(2));
    auto count = [&](Value bits) -> Value {
      return arith::ExtUIOp::create(b, b.getI32Type(),
                                    math::CtPopOp::create(b, bits));
    };
    auto getBits = [&](Value element) -> Value {
      return arith::ShRUIOp::create(b, element, two);
    };
    Value differ = arith::XOrIOp::create(b, getBits(input[0]), filter[0]);
    if (!form.maskedInput)
      return {count(differ)};
    Value mask = getBits(input[1]);
    Value differing = count(arith::AndIOp::create(b, differ, mask));
    Value twice = arith::AddIOp::create(b, differing, differing);
    return {arith::SubIOp::create(b, count(mask), twice)};
  }

  SmallVector<VectorType> getPartialTypes(Attribute attr,
                                          const ProductForm &) const {
    return {VectorType::get(getLanes(attr),
                            IntegerType::get(attr.getContext(), 8))};
  }
  SmallVector<VectorType> getAccumulatorTypes(Attribute attr,
                                              const ProductForm &) const {
    return SmallVector<VectorType>(
        2, VectorType::get(getLanes(attr) / 2,
                           IntegerType::get(attr.getContext(), 16)));
  }
  int64_t getMaxSteps(Attribute, const ProductForm &form) const {
    return getMostSteps(form.maskedInput);
  }

  SmallVector<Value> emitInput(Attribute attr, ImplicitLocOpBuilder &b,
                               const ProductForm &form,
                               ValueRange elements) const {
    // Elements are 4 n: table n lies 4 times as far.
    auto scale = [&](Value element, int64_t factor) -> Value {
      Value index = arith::IndexCastUIOp::create(b, b.getIndexType(), element);
      return arith::MulIOp::create(b, index,
                                   arith::ConstantIndexOp::create(b, factor));
    };
    Value at = scale(elements[0], kTable / 4);
    if (form.maskedInput)
      at = arith::AddIOp::create(b, at, scale(elements[1], 16 * kTable / 4));
    auto type = VectorType::get(kTable, b.getI8Type());
    Value table = vector::TransferReadOp::create(
        b, type, createTables(b, form.maskedInput), at,
        /*padding=*/std::nullopt, ArrayRef<bool>{true});
    int64_t copies = getLanes(attr) / kTable;
    if (copies == 1)
      return {table};
    table = vector::BroadcastOp::create(
        b, VectorType::get({copies, kTable}, b.getI8Type()), table);
    return {vector::ShapeCastOp::create(b, getPartialTypes(attr, form).front(),
                                        table)};
  }

  SmallVector<Value> emitStep(Attribute attr, ImplicitLocOpBuilder &b,
                              const ProductForm &, ValueRange partial,
                              ValueRange input, ValueRange filter) const {
    StringRef name = getShuffle(b, get(attr).getBits());
    Value counts =
        callIntrinsic(b, partial[0].getType(), name, {input[0], filter[0]});
    return {arith::AddIOp::create(b, partial[0], counts)};
  }

  SmallVector<Value> emitFlush(Attribute, ImplicitLocOpBuilder &b,
                               const ProductForm &, ValueRange accumulators,
                               ValueRange partial) const {
    Value pairs = vector::BitCastOp::create(b, accumulators.front().getType(),
                                            partial[0]);
    Value odd = arith::ShRUIOp::create(b, pairs, createByte(b, pairs));
    return {arith::AddIOp::create(b, accumulators[0], pairs),
            arith::AddIOp::create(b, accumulators[1], odd)};
  }

  /// The bits of a byte, for shifts of `like`.
  static Value createByte(ImplicitLocOpBuilder &b, Value like) {
    return createSplat(b, cast<VectorType>(like.getType()), kByteBits);
  }

  SmallVector<Value> emitFinish(Attribute attr, ImplicitLocOpBuilder &b,
                                const ProductForm &form,
                                ValueRange accumulators, int64_t steps) const {
    int64_t lanes = getLanes(attr);
    auto type = VectorType::get(lanes, b.getI16Type());
    Value sums = arith::ConstantOp::create(b, b.getZeroAttr(type));
    // What the odd bytes have added to the even ones, modulo 2^16.
    Value odd = accumulators[1];
    Value carried = arith::ShLIOp::create(b, odd, createByte(b, odd));
    Value even = arith::SubIOp::create(b, accumulators[0], carried);
    for (auto [i, accumulator] : llvm::enumerate(std::array{even, odd}))
      sums = vector::InsertStridedSliceOp::create(b, accumulator, sums,
                                                  int64_t(i) * (lanes / 2), 1);
    if (kBits * steps > std::numeric_limits<int16_t>::max()) {
      type = type.clone(b.getI32Type());
      sums = arith::ExtUIOp::create(b, type, sums);
    }
    if (!form.maskedInput)
      return {sums};
    // Of 16 bits the difference fits them where the sum has a 17th.
    return {
        arith::SubIOp::create(b, sums, createSplat(b, type, kBias * steps))};
  }
};
} // namespace

static SmallVector<Attribute> getTiles(MLIRContext *context,
                                       const ProductShape &shape,
                                       const TargetDescription &target) {
  int64_t bits = std::max<int64_t>(target.tableBits, 128);
  int64_t pairs = countPairs(shape);
  SmallVector<Attribute> tiles;
  // Where filters are few, fewer channels and more rows.
  for (int64_t most : {kChannels, kChannels / 2}) {
    // A register has one table: no channels of two groups.
    int64_t sharing = getSharingFilters(shape, kBits);
    int64_t channels =
        sharing < most ? sharing : fitChannels(shape, kBits, most);
    if (sharing == shape.filters)
      channels = most;
    int64_t registers =
        llvm::divideCeil(std::min(channels, shape.filters), bits / 8);
    int64_t sums = std::min(kSums, target.vectorRegisters - kOthers -
                                       countFilters(shape) * registers);
    int64_t rows = std::max<int64_t>(1, sums / (pairs * registers));
    tiles.push_back(
        TableAttr::get(context, std::min<int64_t>(rows, 6), channels, bits));
  }
  return tiles;
}

const KernelEntry bquant::kTableKernel = {
    TableAttr::attachInterface<Selection, InnerTile>, getTiles};
