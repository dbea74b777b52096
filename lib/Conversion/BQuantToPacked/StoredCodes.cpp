//===- StoredCodes.cpp - Filters of codes in few bits ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A code of k bits is cut into fields of 4, 2 and 1 bits, as k is a sum of
// these. The bytes of a word each hold 8 / f fields of f bits: those of words
// that lie far apart, so that a shift and an and of whole words take out what
// lies side by side. Of 4 bits, where a block has 2 N words:
//
//   %stored = arith.constant : tensor<blocks x N x i32>
//   %bytes = linalg.generic ins(%stored, [0, 4]) // -> blocks x 2 x N
//     fields = (stored >> shift) & 0x0f0f0f0f
//     yield ((2 * fields) + (128 - levels) in all bytes) ^ 0x80808080
//
// These are bytes of 2 c - levels: no byte carries into the next one.
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/FilterWords.h"
#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "PackedProducts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

static constexpr int64_t kByteBits = 8, kWordBytes = 4, kSign = 128;

namespace {
/// Some bits of each code, and the words that hold them.
struct Field {
  int64_t bits;
  /// Where they lie in a code.
  int64_t first;
  /// Loops that lie side by side in its words, of those that go over a block;
  /// the loops before these shift.
  SmallVector<int64_t> sizes;

  int64_t getMask() const { return (int64_t(1) << bits) - 1; }
};
} // namespace

/// `byte` in each byte of a word.
static uint32_t repeat(uint32_t byte) { return byte * 0x01010101u; }

/// The bits that codes are kept in: as many as the largest one takes, or more
/// where the fields would not divide the `words` of a block. 8: as bytes.
static int64_t countBits(int64_t levels, int64_t words) {
  int64_t bits = llvm::Log2_64_Ceil(levels + 1);
  while (bits < kByteBits && words % (kByteBits / (bits & -bits)) != 0)
    ++bits;
  return std::min(bits, kByteBits);
}

/// The fields of a code of `bits` bits, the loops over a block of `words`, and
/// which of them lie in the words of each.
static SmallVector<Field> getFields(int64_t bits, int64_t words,
                                    SmallVector<int64_t> &loops) {
  SmallVector<Field> fields;
  int64_t last = kByteBits, first = 0;
  for (int64_t size = kByteBits / 2; size > 0; size /= 2)
    if (bits & size) {
      fields.push_back({size, first, {}});
      loops.push_back(last / size);
      first += size;
      last = size;
    }
  loops.push_back(words / (kByteBits / last));
  for (auto [i, field] : llvm::enumerate(fields))
    llvm::append_range(field.sizes, ArrayRef(loops).drop_front(i + 1));
  return fields;
}

/// The words that hold a field of the codes in `bytes`, of blocks of `words`.
static SmallVector<uint32_t> pack(const Field &field, ArrayRef<uint32_t> codes,
                                  int64_t words) {
  int64_t each = computeProduct(field.sizes);
  SmallVector<uint32_t> packed(codes.size() / words * each, 0);
  for (auto [i, code] : llvm::enumerate(codes)) {
    int64_t block = int64_t(i) / words, word = int64_t(i) % words;
    uint32_t bits = code >> field.first & repeat(field.getMask());
    packed[block * each + word % each] |= bits << word / each * field.bits;
  }
  return packed;
}

Value bquant::createStoredCodes(ImplicitLocOpBuilder &b,
                                KernelAttrInterface kernel, CodeMeaning meaning,
                                Value laidOut, unsigned outer) {
  auto type = cast<RankedTensorType>(laidOut.getType());
  ArrayRef<int64_t> blocks = type.getShape().take_front(outer),
                    inBlock = type.getShape().drop_front(outer);
  int64_t words = computeProduct(inBlock);
  int64_t bits = countBits(meaning.levels, words);
  // An element of more than a step has its codes packed.
  if (bits == kByteBits || kernel.getStepOfElement() != kWordBytes)
    return laidOut;

  SmallVector<uint32_t> codes = *getConstantBits(laidOut);
  for (uint32_t &word : codes) {
    uint32_t bytes = word;
    word = 0;
    // Lanes of no filter hold 0, which need not mean a code.
    for (int64_t k = 0; k < 32; k += kByteBits)
      word |= uint32_t((int8_t(bytes >> k) + meaning.levels) / 2) << k;
  }

  SmallVector<int64_t> overBlock, loops(blocks);
  SmallVector<Field> fields = getFields(bits, words, overBlock);
  llvm::append_range(loops, overBlock);
  auto rank = int64_t(loops.size());
  Inputs inputs;
  SmallVector<Inputs::Handle> stored, shifts;
  for (auto [i, field] : llvm::enumerate(fields)) {
    int64_t kept = rank - int64_t(field.sizes.size());
    auto over = llvm::to_vector(llvm::seq<int64_t>(0, outer));
    llvm::append_range(over, llvm::seq<int64_t>(kept, rank));
    SmallVector<int64_t> shape(blocks);
    llvm::append_range(shape, field.sizes);
    stored.push_back(
        inputs.add(createFilter(b, RankedTensorType::get(shape, b.getI32Type()),
                                pack(field, codes, words)),
                   getLoopMap(b.getContext(), rank, over)));
    SmallVector<uint32_t> places;
    for (int64_t shift = 0; shift < kByteBits; shift += field.bits)
      places.push_back(shift);
    ArrayRef<int64_t> sizes = ArrayRef(loops).slice(outer, kept - outer);
    shifts.push_back(inputs.add(
        createConstant(b, RankedTensorType::get(sizes, b.getI32Type()), places),
        getLoopMap(b.getContext(), rank,
                   llvm::to_vector(llvm::seq<int64_t>(outer, kept)))));
  }
  Value bytes = createElementwise(
      b, getAsIndexOpFoldResult(b.getContext(), loops),
      type.clone(ArrayRef<int64_t>()), inputs,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        auto number = [&](uint32_t value) {
          return createI32(b, loc, int32_t(value));
        };
        Value twice;
        for (auto [i, field] : llvm::enumerate(fields)) {
          Value part = arith::ShRUIOp::create(
              b, loc, stored[i].get(b, loc, args), shifts[i].get(b, loc, args));
          part = arith::AndIOp::create(b, loc, part,
                                       number(repeat(field.getMask())));
          part = arith::ShLIOp::create(b, loc, part, number(field.first + 1));
          twice = twice ? arith::OrIOp::create(b, loc, twice, part).getResult()
                        : part;
        }
        Value sum = arith::AddIOp::create(
            b, loc, twice, number(repeat(kSign - meaning.levels)));
        return arith::XOrIOp::create(b, loc, sum, number(repeat(kSign)));
      });

  // The loops over a block are all of its words, in their order.
  SmallVector<int64_t> flat(blocks);
  flat.push_back(words);
  auto group = [&](int64_t count) {
    SmallVector<ReassociationIndices> groups;
    for (unsigned d = 0; d < outer; ++d)
      groups.push_back({d});
    groups.push_back(
        llvm::to_vector<2>(llvm::seq<int64_t>(outer, int64_t(outer) + count)));
    return groups;
  };
  bytes = tensor::CollapseShapeOp::create(b, type.clone(flat), bytes,
                                          group(rank - outer));
  return tensor::ExpandShapeOp::create(b, type, bytes, group(inBlock.size()));
}
