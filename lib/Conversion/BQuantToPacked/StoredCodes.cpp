//===- StoredCodes.cpp - Filters of codes in few bits ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A code of k bits is cut into fields of 4, 2 and 1 bits, as k is a sum of
// these. Of 4 bits, where a block has 2 N words:
//
//   %stored = arith.constant : tensor<blocks x N x i32, #code_fields>
//   %filter = bquant_packed.unpack_codes %stored levels = 15
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/FilterWords.h"
#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "PackedProducts.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

/// The bits that codes are kept in: as many as the largest one takes, or more
/// where the fields would not divide the `words` of a block. 8: as bytes.
static int64_t countBits(int64_t levels, int64_t words) {
  int64_t bits = llvm::Log2_64_Ceil(levels + 1);
  while (bits < kByteBits && words % (kByteBits / (bits & -bits)) != 0)
    ++bits;
  return std::min(bits, kByteBits);
}

Value bquant::createStoredCodes(ImplicitLocOpBuilder &b,
                                KernelAttrInterface kernel, CodeMeaning meaning,
                                Value laidOut, unsigned outer) {
  auto type = cast<RankedTensorType>(laidOut.getType());
  int64_t words = computeProduct(type.getShape().drop_front(outer));
  int64_t bits = countBits(meaning.levels, words);
  // Elements whose bytes hold several codes, or that have a bias, are not of
  // words of four codes alone.
  int64_t ofElement = kernel.getFilterLayout().getWords() * kWordBytes;
  if (bits == kByteBits || kernel.getStepOfElement() != ofElement)
    return laidOut;

  SmallVector<uint32_t> codes = *getConstantBits(laidOut);
  for (uint32_t &word : codes) {
    uint32_t bytes = word;
    word = 0;
    // Lanes of no filter hold 0, which need not mean a code.
    for (int64_t k = 0; k < 32; k += kByteBits)
      word |= uint32_t((int8_t(bytes >> k) + meaning.levels) / 2) << k;
  }

  SmallVector<int64_t> shape(type.getShape().take_front(outer));
  shape.push_back(words * kWordBytes);
  SmallVector<Value> fields;
  for (int64_t size = kByteBits / 2; size > 0; size /= 2) {
    if (!(bits & size))
      continue;
    auto layout = packed::CodeFieldsLayoutAttr::get(b.getContext(), size);
    RankedTensorType stored = packed::getPackedType(layout, shape);
    int64_t each = stored.getShape().back();
    SmallVector<uint32_t> elements;
    for (int64_t i = 0; i < stored.getNumElements(); ++i)
      elements.push_back(layout.encode(
          ArrayRef(codes).slice(i / each * words, words), i % each));
    fields.push_back(createFilter(b, stored, elements));
    // The next field takes the lowest bits of what is left in a byte.
    for (uint32_t &word : codes)
      word >>= size;
  }
  return packed::UnpackCodesOp::create(b, type, fields, meaning.levels);
}
