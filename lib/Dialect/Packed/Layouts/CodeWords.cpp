//===- CodeWords.cpp - Signed codes of a filter in words ------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/Packed/IR/Packed.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;

static constexpr int64_t kHalfBits = 16;
static constexpr int64_t kLargestCode = 255;

int64_t CodeWordsLayoutAttr::getChannels() const {
  return getCodes() * *countCodesOfByte(getLevels()) * getGroup();
}
int64_t CodeWordsLayoutAttr::getWords() const {
  return getGroup() + getBiased();
}
bool CodeWordsLayoutAttr::interleavesWords() const { return getInterleaved(); }
Type CodeWordsLayoutAttr::getElementType() const {
  return IntegerType::get(getContext(), kWordBits);
}
bool CodeWordsLayoutAttr::packsPlanes() const { return false; }

/// What the half from bit `first` on starts from, modulo 2^16.
static uint16_t getBiasOfHalf(ArrayRef<uint32_t> words, int64_t first) {
  int64_t least = 0, most = 0;
  for (uint32_t word : words)
    for (int64_t at = first; at < first + kHalfBits; at += kByteBits) {
      int64_t end = kLargestCode * int8_t(word >> at);
      (end < 0 ? least : most) += end;
    }
  return std::min(std::max<int64_t>(0, llvm::minIntN(kHalfBits) - least),
                  llvm::maxIntN(kHalfBits) - most);
}

uint32_t CodeWordsLayoutAttr::getBias(ArrayRef<uint32_t> words) {
  return getBiasOfHalf(words, 0) | uint32_t(getBiasOfHalf(words, kHalfBits))
                                       << kHalfBits;
}

/// `words` have four codes each.
uint32_t CodeWordsLayoutAttr::encode(ArrayRef<uint32_t> words,
                                     int64_t index) const {
  if (getGroup() > 1) {
    int64_t word = index % getWords();
    words = words.slice(index / getWords() * getGroup(), getGroup());
    return word < getGroup() ? words[word] : getBias(words);
  }
  int64_t packed = *countCodesOfByte(getLevels());
  if (packed == 1) {
    uint32_t element = 0;
    for (int64_t i = 0; i < getCodes(); ++i) {
      int64_t code = index * getCodes() + i;
      uint32_t byte =
          words[code / kWordBytes] >> (code % kWordBytes * kByteBits) & 0xFF;
      element |= byte << (i * kByteBits);
    }
    return element;
  }
  uint32_t element = 0;
  for (int64_t p = 0; p < packed; ++p)
    for (int64_t at = 0; at < kWordBits; at += kByteBits) {
      int8_t byte = words[index * packed + p] >> at;
      element |= uint32_t((byte + getLevels()) / 2)
                 << (at + p * (kByteBits / packed));
    }
  return element;
}

LogicalResult
CodeWordsLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                            int64_t levels, int64_t codes, int64_t group,
                            bool biased, bool) {
  if (codes < 1 || codes > kWordBytes || (levels && codes != kWordBytes))
    return emitError() << "[layout_c8] expected from 1 to " << kWordBytes
                       << " codes of a word, " << kWordBytes
                       << " with levels, but got " << codes;
  if (group < 1 || group > kMostWordsOfGroup ||
      (group > 1 && (levels || codes != kWordBytes)))
    return emitError() << "[layout_c9] expected from 1 to " << kMostWordsOfGroup
                       << " words of a group, 1 with levels or fewer than "
                       << kWordBytes << " codes, but got " << group;
  if (biased && group == 1)
    return emitError() << "[layout_c9] expected a group of several words that "
                          "are biased, but got 1";
  if (countCodesOfByte(levels))
    return success();
  return emitError() << "[layout_c2] expected levels of codes of 1, 2 or 4 "
                        "bits, or 0, but got "
                     << levels;
}
