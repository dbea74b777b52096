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

static constexpr int64_t kByteBits = 8, kWordBytes = kWordBits / kByteBits;

/// Codes in a byte.
static int64_t getPacked(int64_t levels) {
  return levels ? kByteBits / llvm::Log2_64_Ceil(levels + 1) : 1;
}

int64_t CodeWordsLayoutAttr::getChannels() const {
  return getCodes() * getPacked(getLevels());
}
Type CodeWordsLayoutAttr::getElementType() const {
  return IntegerType::get(getContext(), kWordBits);
}
bool CodeWordsLayoutAttr::packsPlanes() const { return false; }

/// `words` have four codes each.
uint32_t CodeWordsLayoutAttr::encode(ArrayRef<uint32_t> words,
                                     int64_t index) const {
  int64_t packed = getPacked(getLevels());
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
                            int64_t levels, int64_t codes) {
  if (codes < 1 || codes > kWordBytes || (levels && codes != kWordBytes))
    return emitError() << "[layout_c8] expected from 1 to " << kWordBytes
                       << " codes of a word, " << kWordBytes
                       << " with levels, but got " << codes;
  if (llvm::is_contained({0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15}, levels))
    return success();
  return emitError() << "[layout_c2] expected levels of codes of 1, 2 or 4 "
                        "bits, or 0, but got "
                     << levels;
}
