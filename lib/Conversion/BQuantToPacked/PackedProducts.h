//===- PackedProducts.h - Dot products of packed words ----------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to lib/Conversion. For one pair of planes
// dot = K - 2 popcount(a xor b). With masks (ternary), of values -1, 0, 1:
// dot = popcount(m) - 2 popcount((a xor b) and m), where m is the and of the
// masks; popcount(m) is a constant of the filter, or counted once for each
// position of the activations, or in the same loop.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CONVERSION_BQUANTTOPACKED_PACKEDPRODUCTS_H
#define BQUANT_LIB_CONVERSION_BQUANTTOPACKED_PACKEDPRODUCTS_H

#include "Conversion/Common/Scale.h"
#include "PackedWords.h"

namespace bquant {

/// What is multiplied as one: a plane, or mask and sign.
struct PlaneOperand {
  mlir::Value sign;
  mlir::Value mask; // Null without one.
  int64_t factor;   // Of its dots, in the sum of its scalar.
  int64_t scalar;
};

/// The loops of a product and where its operands lie in them.
struct ProductLoops {
  KernelAttrInterface kernel;
  mlir::SmallVector<mlir::OpFoldResult> sizes; // Of the result's loops.
  mlir::SmallVector<int64_t> reductions;       // Of the others.
  mlir::AffineMap lhs, rhs, rhsMask;
  mlir::SmallVector<int64_t> lhsLoops; // Of the result, for each side.
  mlir::SmallVector<int64_t> rhsLoops;
  int64_t bits; // Summed: K.
  /// So many filters, side by side, read the same elements of the lhs, the next
  /// ones others; 0: all read the same.
  int64_t block = 0;
};

/// What the bytes f of a filter's codes mean, of which `levels` is the largest:
/// gain * f + offset is twice the code less `levels`.
struct CodeMeaning {
  int64_t levels, gain, offset;
};

/// Both operands of a product. For each plane of the rhs, along its loops: the
/// popcount of its mask, if dots depend on it, what is added to its dots, if
/// anything is, and, if the kernel's sums start from them, the words of its
/// window.
struct PackedOperands {
  mlir::SmallVector<PlaneOperand> lhs, rhs;
  mlir::SmallVector<mlir::Value> rhsMaskCounts, added, rhsWindows;
  int64_t lhsScalars, rhsScalars;
  /// What all sums start from, constants along the loops of the rhs, or null.
  mlir::Value start;
  /// Of codes: the largest of the lhs, and what bytes of the rhs are.
  int64_t lhsLevels = 0;
  CodeMeaning rhsMeaning = {};
};

/// Whether sums depend on the words of the rhs in a window.
inline bool needsWindows(KernelAttrInterface kernel) {
  return kernel.getStart({}, {}) ||
         llvm::isa<CodesLayoutAttr>(kernel.getLayout());
}

/// The operands of a product by `kernel`, the rhs as words or codes yet.
PackedOperands getOperands(mlir::ImplicitLocOpBuilder &b,
                           KernelAttrInterface kernel, const LoweredValue &lhs,
                           const LoweredValue &rhs);

/// `masked`: a ternary value as mask and sign, which it is lowered to; else as
/// two planes.
mlir::SmallVector<PlaneOperand> getPlaneOperands(mlir::ImplicitLocOpBuilder &b,
                                                 const LoweredValue &lowered,
                                                 bool masked = true);

CodeMeaning getFilterMeaning(SBTensorType type);

/// A constant filter's codes, four bytes in a word.
PlaneOperand createFilterCodes(mlir::ImplicitLocOpBuilder &b,
                               const LoweredValue &filter);

/// `laidOut`, a filter of codes as its kernel reads it, unpacked from constants
/// with no more than the bits of the codes, if the kernel does not take these
/// apart itself. The first `outer` dimensions are those of blocks.
mlir::Value createStoredCodes(mlir::ImplicitLocOpBuilder &b,
                              KernelAttrInterface kernel, CodeMeaning meaning,
                              mlir::Value laidOut, unsigned outer);

/// The sum of what `count` codes mean, over all but the first `keep` dimensions
/// of `codes`.
mlir::Value createCodeSums(mlir::ImplicitLocOpBuilder &b, CodeMeaning meaning,
                           mlir::Value codes, int64_t keep, int64_t count);

/// The kernel's sums of products of an input's codes by a filter's bytes.
mlir::Value createProductOfCodes(mlir::ImplicitLocOpBuilder &b,
                                 const ProductLoops &loops,
                                 const PackedOperands &operands);

/// Whether all of a filter's codes are 1: then sums of the lhs are its product.
bool areCodesOne(const ProductLoops &loops, const PackedOperands &operands);

/// The dots of codes from the kernel's sums; from those of windows where
/// `product` is null.
mlir::SmallVector<mlir::Value> createDotsOfCodes(mlir::ImplicitLocOpBuilder &b,
                                                 const ProductLoops &loops,
                                                 const PackedOperands &operands,
                                                 mlir::Value product);

/// The popcounts of words, or the sums of codes, in each window of the lhs; in
/// that of each group where there are some. And where they lie in the loops of
/// the result.
mlir::Value createWindowSums(mlir::ImplicitLocOpBuilder &b,
                             const ProductLoops &loops, mlir::Value packed);
mlir::AffineMap getWindowMap(mlir::ImplicitLocOpBuilder &b,
                             const ProductLoops &loops);

/// The dots of each pair of scalars, i32, in the loops of the result.
mlir::SmallVector<mlir::Value> createDots(mlir::ImplicitLocOpBuilder &b,
                                          const ProductLoops &loops,
                                          const PackedOperands &operands);

/// What the offset of the left-hand side adds to all results of a product.
BroadcastTensor createConv2DOffset(mlir::ImplicitLocOpBuilder &b, Conv2DOp op,
                                   mlir::ArrayRef<mlir::OpFoldResult> sizes,
                                   const LoweredValue &input,
                                   const LoweredValue &filter);
BroadcastTensor createMatmulOffset(mlir::ImplicitLocOpBuilder &b,
                                   const ProductLoops &loops,
                                   const LoweredValue &lhs,
                                   const LoweredValue &rhs);

/// Dots to the op's result of `type`; `start` as of createScale.
mlir::Value createResult(mlir::ImplicitLocOpBuilder &b,
                         mlir::RankedTensorType type,
                         mlir::ArrayRef<mlir::OpFoldResult> sizes,
                         mlir::ArrayRef<mlir::Value> dots,
                         const LoweredValue &lhs, const LoweredValue &rhs,
                         const BroadcastTensor *start);

} // namespace bquant

#endif // BQUANT_LIB_CONVERSION_BQUANTTOPACKED_PACKEDPRODUCTS_H
