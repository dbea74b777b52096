//===- KernelAttrs.cpp - Kernel attributes --------------------------------===//
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

#include "bquant/Dialect/Packed/IR/KernelInterface.cpp.inc"

bool KernelAttrInterface::takesMaskedFilters() const {
  ProductForm form;
  form.maskedFilter = true;
  return getResult(form).has_value();
}

int64_t KernelAttrInterface::getStepOfElement() const {
  return llvm::divideCeil(getFilterLayout().getChannels(), getInputChannels());
}

int64_t KernelAttrInterface::getFilterStepSize() const {
  return getStepSize() / getStepOfElement();
}

/// Most rows and channels of a tile, far beyond what registers hold: a tile is
/// unrolled.
static constexpr int64_t kMostOfTile = 1024;

LogicalResult
packed::verifyKernelTile(function_ref<InFlightDiagnostic()> emitError,
                         int64_t rows, int64_t channels, int64_t bits,
                         ArrayRef<int64_t> allowed) {
  if (std::min(rows, channels) < 1 || std::max(rows, channels) > kMostOfTile)
    return emitError() << "[kernel_c1] expected rows and channels from 1 to "
                       << kMostOfTile << ", but got " << rows << " by "
                       << channels;
  if (llvm::is_contained(allowed, bits))
    return success();
  return emitError() << "[kernel_c2] expected registers of one of [" << allowed
                     << "] bits, but got " << bits;
}

LogicalResult PopcountAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   int64_t rows, int64_t channels, int64_t bits,
                                   int64_t counted) {
  if (counted != 8 && counted != kWordBits)
    return emitError()
           << "[kernel_c5] expected one of [8, 32] bits counted, but "
              "got "
           << counted;
  return verifyTile(emitError, rows, channels, bits);
}

std::optional<int64_t> packed::countCodesOfByte(int64_t levels) {
  if (levels == 0)
    return 1;
  if (levels < 0 || levels > 15)
    return std::nullopt;
  int64_t bits = llvm::Log2_64_Ceil(levels + 1);
  if (bits == 3)
    return std::nullopt;
  return kByteBits / bits;
}

LogicalResult BytesAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                int64_t rows, int64_t channels, int64_t bits,
                                int64_t summed, int64_t held, int64_t levels,
                                int64_t taps, bool signedCodes, int64_t group,
                                bool biased) {
  if (!llvm::is_contained({1, 2, 4, 8}, summed))
    return emitError() << "[kernel_c6] expected one of [1, 2, 4, 8] products "
                          "summed, but got "
                       << summed;
  if (held < 1)
    return emitError() << "[kernel_c7] expected at least 1 step held, but got "
                       << held;
  if (!countCodesOfByte(levels))
    return emitError() << "[kernel_c8] expected levels of codes of 1, 2 or 4 "
                          "bits, or 0, but got "
                       << levels;
  if (taps < 0 || taps > 4 || (taps && levels))
    return emitError()
           << "[kernel_c10] expected taps from 0 to 4, 0 with levels, "
              "but got "
           << taps;
  if (summed == 8 && (bits != 128 || levels || taps || signedCodes))
    return emitError() << "[kernel_c13] expected registers of 128 bits and no "
                          "levels, taps or signedCodes with 8 products summed, "
                          "but got "
                       << bits << " bits";
  if (signedCodes && (bits != 128 || summed == 2))
    return emitError()
           << "[kernel_c11] expected registers of 128 bits and 1 or "
              "4 products summed with signedCodes, but got "
           << bits << " bits and " << summed;
  bool canGroup = summed == 2 && held == 1 && !levels && !taps;
  if (group < 1 || group > kMostWordsOfGroup || (group > 1 && !canGroup))
    return emitError()
           << "[kernel_c12] expected a group of 1 to " << kMostWordsOfGroup
           << " words, of several only with 2 products summed, 1 step held and "
              "no levels or taps, but got "
           << group;
  if (biased && group == 1)
    return emitError() << "[kernel_c12] expected a group of several words that "
                          "are biased, but got 1";
  return verifyTile(emitError, rows, channels, bits);
}

int64_t BytesAttr::getPacked() const { return *countCodesOfByte(getLevels()); }

LogicalResult OctetsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 int64_t rows, int64_t channels, int64_t bits,
                                 int64_t step) {
  if (step < 1)
    return emitError() << "[kernel_c9] expected steps of at least 1 octet, but "
                          "got "
                       << step;
  return verifyTile(emitError, rows, channels, bits);
}

namespace {
template <typename T> struct Tag {
  using Type = T;
};
} // namespace

template <typename... Attrs, typename Function>
static void callWithTags(Function function) {
  function(Tag<Attrs>()...);
}

void PackedDialect::promiseKernels() {
  auto promise = [&](auto tag) {
    using Attr = typename decltype(tag)::Type;
    // The attributes of a dialect are its kernels and its layouts.
    if constexpr (!std::is_base_of_v<LayoutAttrInterface::Trait<Attr>, Attr> &&
                  !std::is_base_of_v<FilterLayoutAttrInterface::Trait<Attr>,
                                     Attr>) {
      declarePromisedInterface<SelectionAttrInterface, Attr>();
      declarePromisedInterface<KernelAttrInterface, Attr>();
    }
  };
  callWithTags<
#define GET_ATTRDEF_LIST
#include "bquant/Dialect/Packed/IR/PackedAttrs.cpp.inc"
      >([&](auto... tags) { (promise(tags), ...); });
}
