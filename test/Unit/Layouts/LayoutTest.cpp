//===- LayoutTest.cpp - Constants in each layout --------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/Packed/IR/Packed.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"
#include <random>

using namespace bquant;
using namespace bquant::packed;

namespace {
/// Rows of 1 to 100 channels, whose bits are drawn.
class LayoutTest : public testing::Test {
protected:
  LayoutTest() { context.loadDialect<PackedDialect>(); }

  void forEachRow(
      llvm::function_ref<void(llvm::ArrayRef<bool>, llvm::ArrayRef<uint32_t>)>
          fn) {
    std::mt19937 random(1);
    for (int64_t channels = 1; channels <= 100; ++channels) {
      llvm::SmallVector<bool> bits(channels);
      llvm::SmallVector<uint32_t> words((channels + 31) / 32);
      for (int64_t c = 0; c < channels; ++c) {
        bits[c] = random() % 2;
        words[c / 32] |= uint32_t(bits[c]) << c % 32;
      }
      fn(bits, words);
    }
  }

  /// Each element has the bits of its channels from `first` on, and no others.
  void expectBits(LayoutAttrInterface layout, unsigned first) {
    int64_t each = layout.getChannels();
    forEachRow([&](llvm::ArrayRef<bool> bits, llvm::ArrayRef<uint32_t> words) {
      int64_t channels = bits.size(), elements = layout.countElements(channels);
      EXPECT_GE(elements * each, channels);
      EXPECT_EQ(elements % layout.getUnit(), 0);
      for (int64_t i = 0; i < elements; ++i) {
        uint32_t expected = 0;
        for (int64_t c = i * each; c < std::min(channels, (i + 1) * each); ++c)
          expected |= uint32_t(bits[c]) << (first + c % each);
        EXPECT_EQ(layout.encode(words, i), expected)
            << channels << " channels, element " << i;
      }
    });
  }

  mlir::MLIRContext context;
};

TEST_F(LayoutTest, Words) { expectBits(WordsLayoutAttr::get(&context), 0); }
TEST_F(LayoutTest, Octets) { expectBits(OctetsLayoutAttr::get(&context), 0); }
/// Four bits n are 4 n.
TEST_F(LayoutTest, Nibbles) {
  expectBits(NibblesLayoutAttr::get(&context, 2), 2);
}

/// Codes that are put together from the fields of 4, 2 and 1 bits, as
/// `bquant_packed.unpack_codes` says.
TEST_F(LayoutTest, CodeFields) {
  std::mt19937 random(1);
  for (int64_t count : {8, 16, 120}) {
    llvm::SmallVector<uint32_t> words(count), together(count);
    for (uint32_t &word : words)
      word = random() & 0x7f7f7f7f;
    llvm::SmallVector<uint32_t> left(words);
    int64_t first = 0;
    for (int64_t bits : {4, 2, 1}) {
      LayoutAttrInterface layout = CodeFieldsLayoutAttr::get(&context, bits);
      int64_t elements = layout.countElements(4 * count);
      EXPECT_EQ(elements, count * bits / 8);
      llvm::SmallVector<uint32_t> stored;
      for (int64_t i = 0; i < elements; ++i)
        stored.push_back(layout.encode(left, i));
      for (int64_t w = 0; w < count; ++w)
        for (int64_t at = 0; at < 32; at += 8)
          for (int64_t bit = 0; bit < bits; ++bit)
            together[w] |=
                (stored[w % elements] >> (at + w / elements * bits + bit) & 1)
                << (at + first + bit);
      for (uint32_t &word : left)
        word >>= bits;
      first += bits;
    }
    EXPECT_EQ(together, words) << count << " words";
  }
}

TEST_F(LayoutTest, Names) {
  LayoutAttrInterface words = WordsLayoutAttr::get(&context),
                      codes = CodesLayoutAttr::get(&context);
  EXPECT_EQ(words.getName(), "words");
  EXPECT_TRUE(words.packsPlanes());
  EXPECT_EQ(codes.getName(), "codes");
  EXPECT_FALSE(codes.packsPlanes());
}

TEST_F(LayoutTest, ElementTypes) {
  for (LayoutAttrInterface layout : std::initializer_list<LayoutAttrInterface>{
           WordsLayoutAttr::get(&context), NibblesLayoutAttr::get(&context, 2),
           OctetsLayoutAttr::get(&context), CodesLayoutAttr::get(&context)})
    EXPECT_EQ(layout.getElementType().getIntOrFloatBitWidth(),
              layout.getChannels() == 32 ? 32u : 8u);
}
} // namespace
