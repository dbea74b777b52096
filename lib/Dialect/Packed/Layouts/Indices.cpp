//===- Indices.cpp - Indices of a few channels each -----------------------===//
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

int64_t IndicesLayoutAttr::getChannels() const {
  return kWordBits / getTerms() * getTerms();
}
Type IndicesLayoutAttr::getElementType() const {
  return IntegerType::get(getContext(), kWordBits);
}

bool IndicesLayoutAttr::canPack() const { return false; }

/// Indices lie side by side: the bits of as many channels as there are, from
/// one after another.
uint32_t IndicesLayoutAttr::encode(ArrayRef<uint32_t> words,
                                   int64_t index) const {
  int64_t channels = getChannels(), first = index * channels;
  uint32_t element = 0;
  for (int64_t c = 0; c < channels; ++c) {
    int64_t word = (first + c) / kWordBits;
    if (word < int64_t(words.size()))
      element |= (words[word] >> ((first + c) % kWordBits) & 1) << c;
  }
  return element;
}

LogicalResult
IndicesLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                          int64_t terms) {
  if (terms >= 1 && terms <= kWordBits)
    return success();
  return emitError() << "[layout_c3] expected 1 to " << kWordBits
                     << " terms, but got " << terms;
}
