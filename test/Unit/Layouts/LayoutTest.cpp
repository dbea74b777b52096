//===- LayoutTest.cpp - Constants in each layout --------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/Packed/Layouts/Layout.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"
#include <random>

using namespace bquant;
using namespace bquant::packed;

namespace {
/// Rows of 1 to 100 channels, whose bits are drawn.
class LayoutTest : public testing::Test {
protected:
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
  void expectBits(const LayoutModel &layout, unsigned first) {
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
};

TEST_F(LayoutTest, Words) { expectBits(getWordsLayout(), 0); }
TEST_F(LayoutTest, Octets) { expectBits(getOctetsLayout(), 0); }
TEST_F(LayoutTest, Bytes) { expectBits(getBytesLayout(), 0); }
/// Four bits n are 4 n.
TEST_F(LayoutTest, Nibbles) { expectBits(getNibblesLayout(), 2); }

TEST_F(LayoutTest, Pairs) {
  const LayoutModel &layout = getPairsLayout();
  forEachRow([&](llvm::ArrayRef<bool> bits, llvm::ArrayRef<uint32_t> words) {
    int64_t elements = layout.countElements(bits.size());
    EXPECT_EQ(elements, int64_t(words.size() + words.size() % 2));
    for (int64_t i = 0; i < elements; i += 2) {
      uint32_t second = i + 1 < int64_t(words.size()) ? words[i + 1] : 0;
      EXPECT_EQ(layout.encode(words, i), words[i]);
      EXPECT_EQ(layout.encode(words, i + 1), words[i] ^ second);
    }
  });
}

TEST_F(LayoutTest, ElementTypes) {
  mlir::MLIRContext context;
  for (const LayoutModel *layout :
       {&getWordsLayout(), &getPairsLayout(), &getNibblesLayout(),
        &getOctetsLayout(), &getBytesLayout(), &getCodesLayout()})
    EXPECT_EQ(layout->getElementType(&context).getWidth(),
              layout->getChannels() == 32 ? 32u : 8u);
}
} // namespace
